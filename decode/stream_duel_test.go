package decode

import (
	"bytes"
	"slices"
	"testing"
)

// A recorder is a receiver that writes journals and checks what it is given.
type recorder struct {
	t        testing.TB
	a        *assembler
	use      func(b []byte) int // how much to use up; nil: all
	journals [2]journal
	unused   [2][]byte
	used     [2]bool
}

func newRecorder(t testing.TB, use func([]byte) int) *recorder {
	r := &recorder{t: t, use: use}
	r.a = &assembler{to: r}
	return r
}

func side(s *stream) int { return int(s.from() - endA) }

func (r *recorder) data(s *stream, b []byte) int {
	i := side(s)
	j := &r.journals[i]
	kept := len(r.unused[i])
	var fresh []byte
	switch {
	case len(b) <= kept:
		r.t.Fatalf("%d bytes given, %d were unused", len(b), kept)
	case bytes.HasPrefix(b, r.unused[i]):
		fresh = b[kept:]
		if r.a.kept > kept {
			r.t.Fatalf("%d came before, %d were unused", r.a.kept, kept)
		}
		for k, x := range fresh {
			j.byte(x, r.a.origin(kept+k).serial, r.a.last.serial)
		}
	case !r.used[i] && bytes.HasSuffix(b, r.unused[i]):
		var early journal
		for _, x := range b[:len(b)-kept] {
			early.byte(x, r.a.last.serial, r.a.last.serial)
		}
		e := &(*j)[1]
		e.data, e.from, e.last = append(early[0].data, e.data...), append(early[0].from, e.from...), append(early[0].last, e.last...)
	default:
		r.t.Fatalf("what was unused does not come again: %x, then %x", r.unused[i], b)
	}
	if first := r.a.origin(0).serial; first > r.a.last.serial {
		r.t.Fatalf("the first byte came in packet %d, the last in %d", first, r.a.last.serial)
	}
	used := len(b)
	if r.use != nil {
		used = r.use(b)
	}
	r.used[i] = r.used[i] || used > 0
	r.unused[i] = bytes.Clone(b[min(max(used, 0), len(b)):])
	return used
}

func (r *recorder) rest(s *stream, rest []byte) {
	i := side(s)
	if !bytes.Equal(rest, r.unused[i]) {
		r.t.Fatalf("rest %x, %x was unused", rest, r.unused[i])
	}
	r.unused[i], r.used[i] = nil, true
}

func (r *recorder) gap(s *stream, n int64, rest []byte) {
	r.rest(s, rest)
	if n <= 0 {
		r.t.Fatalf("a gap of %d bytes", n)
	}
	r.journals[side(s)].gap(n)
}

func (r *recorder) end(s *stream, why ending, rest []byte) {
	r.rest(s, rest)
	r.journals[side(s)] = append(r.journals[side(s)], event{kind: "end", ending: why})
}

func (r *recorder) conflict(s *stream, offset int64, n int) {
	r.journals[side(s)] = append(r.journals[side(s)], event{kind: "conflict", at: offset, n: int64(n)})
}

func (r *recorder) midStream(s *stream) {
	r.journals[side(s)] = append(r.journals[side(s)], event{kind: "mid"})
}

// A duel gives the same packets to both and looks for differences.
type duel struct {
	*recorder
	connection connection
	slow       *slowConnection
	numbers    [2]uint32 // of the offset slowMargin
	now        int64
}

func newDuel(t testing.TB, use func([]byte) int, numbers [2]uint32) *duel {
	return &duel{recorder: newRecorder(t, use), slow: newSlowConnection(), numbers: numbers, now: 1}
}

func (d *duel) number(side, at int) uint32 { return d.numbers[side] + uint32(at-slowMargin) }

func (d *duel) step(p step) {
	d.t.Helper()
	d.now += int64(p.milliseconds) * 1e6
	d.slow.begin(d.now)
	d.a.begin(origin{serial: d.slow.serial, frame: int(d.slow.serial), time: d.now})
	d.slow.add(&p, !d.used[p.side])

	payload := bytes.Clone(p.payload)
	seg := segment{seq: d.number(p.side, p.at), payload: payload, missing: p.missing}
	set := func(flag tcpFlags, on bool) {
		if on {
			seg.flags |= flag
		}
	}
	set(flagSYN, p.syn)
	set(flagFIN, p.fin)
	set(flagRST, p.rst)
	set(flagACK, p.acks)
	if p.syn {
		seg.seq--
	}
	if p.acks {
		seg.ack = d.number(1-p.side, p.ack)
	}
	if !d.connection.add(d.a, p.side == 1, &seg) {
		d.t.Fatal("taken for another connection")
	}
	for i := range payload {
		payload[i] = 0xdb // as the buffer of a capture file is
	}
	d.check()
}

func (d *duel) check() {
	d.t.Helper()
	for i := range d.connection.streams {
		s, m := &d.connection.streams[i], d.slow.streams[i]
		if s.begun != m.begun || s.ended != m.ended {
			d.t.Fatalf("side %d: begun %t, want %t; ended %t, want %t", i, s.begun, m.begun, s.ended, m.ended)
		}
		if s.begun && s.offset(s.next) != int64(m.front-m.start) {
			d.t.Fatalf("side %d at %d, want %d\ngot  %v\nwant %v", i, s.offset(s.next), m.front-m.start, d.journals[i], m.journal)
		}
		if (s.hole() != nil) != (m.hole() >= 0) {
			d.t.Fatalf("side %d: hole %t, want %t", i, s.hole() != nil, m.hole() >= 0)
		}
	}
	checkAssembler(d.t, d.a, &d.connection)
}

// finish compares all that was heard.
func (d *duel) finish() {
	d.t.Helper()
	d.connection.close(d.a, captureEnded)
	for i, m := range d.slow.streams {
		m.finish(captureEnded)
		if !slices.EqualFunc(d.journals[i], m.journal, func(x, y event) bool {
			return x.kind == y.kind && x.n == y.n && x.at == y.at && x.ending == y.ending &&
				bytes.Equal(x.data, y.data) && slices.Equal(x.from, y.from) && slices.Equal(x.last, y.last)
		}) {
			d.t.Fatalf("side %d:\ngot  %v\nwant %v", i, d.journals[i], m.journal)
		}
	}
	d.check()
	if d.a.holes.oldest != nil || d.a.tails.oldest != nil {
		d.t.Fatal("something is kept of an ended connection")
	}
}

// checkAssembler checks that the books balance.
func checkAssembler(t testing.TB, a *assembler, connections ...*connection) {
	t.Helper()
	total := 0
	for _, c := range connections {
		for i := range c.streams {
			s := &c.streams[i]
			if l := s.backlog; l != nil {
				total += backlogCost + cap(l.tail) + checkBacklog(t, a, l)
			}
		}
	}
	for l := a.unusedBacklogs; l != nil; l = l.next {
		total += backlogCost
	}
	for p := a.unusedChunks; p != nil; p = p.next {
		total += chunkCost
	}
	for class, buffers := range a.spare {
		for _, b := range buffers {
			if cap(b) != smallestTail<<class {
				t.Fatalf("a buffer of %d bytes in class %d", cap(b), class)
			}
			total += cap(b)
		}
	}
	if total != a.bytes || total > maxStreamBytes {
		t.Fatalf("%d bytes, %d counted", total, a.bytes)
	}
}

func checkBacklog(t testing.TB, a *assembler, l *backlog) (total int) {
	t.Helper()
	queue := &a.tails
	if l.chunks != nil {
		queue = &a.holes
	}
	if l.queue != queue || len(l.tail) == 0 && l.chunks == nil || l.stream.ended || len(l.tail) > maxTail {
		t.Fatalf("a backlog in the wrong place: %+v", l)
	}
	count, size, reach := 0, 0, l.stream.next
	var last *chunk
	for p := l.chunks; p != nil; p = p.next {
		if p.at < reach || p.at == l.stream.next || p.sent < p.end() {
			t.Fatalf("a piece at %d, sent %d, front %d", p.at, p.sent, reach)
		}
		reach, last = p.end(), p
		count++
		size += len(p.data)
		total += chunkCost + cap(p.data)
	}
	if last != l.last || count != l.count || size != l.bytes || size > maxHeldBytes || count > maxHeldChunks {
		t.Fatalf("%d pieces of %d bytes, counted %d of %d", count, size, l.count, l.bytes)
	}
	return total
}
