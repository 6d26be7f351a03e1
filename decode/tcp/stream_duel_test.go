package tcp

import (
	"bytes"
	"slices"
	"testing"
)

// A recorder is a receiver that records its calls in journals and checks them.
type recorder struct {
	t        testing.TB
	a        *Assembler
	use      func(b []byte) int // returns the number of bytes to use; nil: all
	journals [2]journal
	unused   [2][]byte
	unread   [2]int
	used     [2]bool
	at       [2]int64   // position of the first unused byte
	origins  [2][]int64 // packets that contained the unused bytes
}

func newRecorder(t testing.TB, use func([]byte) int) *recorder {
	return &recorder{t: t, use: use, a: new(Assembler)}
}

func (r *recorder) Data(s *Stream, b []byte) int {
	i := s.Side()
	j := &r.journals[i]
	kept := len(r.unused[i])
	var fresh []byte
	switch {
	case len(b) <= kept:
		r.t.Fatalf("%d bytes passed, %d were unused", len(b), kept)
	case bytes.HasPrefix(b, r.unused[i]):
		fresh = b[kept:]
		if r.a.kept > kept {
			r.t.Fatalf("%d bytes were kept, %d were unused", r.a.kept, kept)
		}
		for k, x := range fresh {
			j.byte(x, r.a.origin(kept+k).Serial, r.a.latest.Serial)
		}
	case !r.used[i] && bytes.HasSuffix(b, r.unused[i]):
		var early journal
		for _, x := range b[:len(b)-kept] {
			early.byte(x, r.a.latest.Serial, r.a.latest.Serial)
		}
		e := &(*j)[1]
		e.data, e.from, e.last = append(early[0].data, e.data...), append(early[0].from, e.from...), append(early[0].last, e.last...)
	default:
		r.t.Fatalf("the unused bytes were not passed again: %x, then %x", r.unused[i], b)
	}
	if at := r.a.Position(); at != r.at[i] && r.used[i] {
		r.t.Fatalf("%d bytes at %d, want %d", len(b), at, r.at[i])
	}
	r.checkOrigins(i, b)
	if first := r.a.origin(0).Serial; first > r.a.latest.Serial {
		r.t.Fatalf("the first byte is from packet %d, the last from %d", first, r.a.latest.Serial)
	}
	used := len(b)
	if r.use != nil {
		used = r.use(b)
	}
	r.used[i] = r.used[i] || used > 0
	r.at[i] = r.a.Position() + int64(min(max(used, 0), len(b)))
	r.unused[i] = bytes.Clone(b[min(max(used, 0), len(b)):])
	r.origins[i] = r.origins[i][:0]
	for k := range r.unused[i] {
		r.origins[i] = append(r.origins[i], r.a.origin(len(b)-len(r.unused[i])+k).Serial)
	}
	return used
}

// checkOrigins checks that the origins of unused bytes do not change between calls.
func (r *recorder) checkOrigins(side int, b []byte) {
	for i := range b {
		got := r.a.OriginOf(i).Serial
		switch {
		case i >= r.a.kept && got != r.a.latest.Serial:
			r.t.Fatalf("byte %d was completed by packet %d, want %d", i, got, r.a.latest.Serial)
		case i < r.a.kept && bytes.HasPrefix(b, r.unused[side]) && got != r.origins[side][i] && len(r.a.keptIn.marks) < maxMarks:
			r.t.Fatalf("byte %d is from packet %d, but was from %d before", i, got, r.origins[side][i])
		}
	}
}

// place checks the position of the bytes passed. missing is the number of missing bytes after them.
func (r *recorder) place(s *Stream, b []byte, missing int64) {
	r.t.Helper()
	if want := s.next - missing - int64(len(b)); r.a.Position() != want {
		r.t.Fatalf("%d bytes at %d, want %d", len(b), r.a.Position(), want)
	}
}

func (r *recorder) rest(s *Stream, rest []byte) {
	i := s.Side()
	if !bytes.Equal(rest, r.unused[i]) {
		r.t.Fatalf("rest %x, %x was unused", rest, r.unused[i])
	}
	r.unused[i], r.used[i], r.at[i] = nil, true, s.next
}

func (r *recorder) Gap(s *Stream, g Gap) {
	r.rest(s, g.Rest)
	r.place(s, g.Rest, g.Missing)
	if g.Missing <= 0 || g.Offset != s.offset(s.next)-g.Missing || g.Crowded {
		r.t.Fatalf("%+v up to %d", g, s.offset(s.next))
	}
	r.journals[s.Side()].gap(g.Missing)
}

func (r *recorder) End(s *Stream, why Ending, rest []byte) {
	r.rest(s, rest)
	r.place(s, rest, 0)
	r.journals[s.Side()] = append(r.journals[s.Side()], event{kind: "end", ending: why})
}

func (r *recorder) Conflict(s *Stream, offset int64, n int) {
	r.journals[s.Side()] = append(r.journals[s.Side()], event{kind: "conflict", at: offset, n: int64(n)})
}

func (r *recorder) Unread(s *Stream, _ Unread, n int) {
	r.unread[s.Side()] += n
}

func (r *recorder) MidStream(s *Stream) {
	r.journals[s.Side()] = append(r.journals[s.Side()], event{kind: "mid"})
}

// A duel passes the same packets to a Connection and to the model, and compares the results.
type duel struct {
	*recorder
	connection Connection
	slow       *slowConnection
	numbers    [2]uint32 // sequence numbers of the offset slowMargin
	now        int64
	captured   [2]map[int]bool // offsets of captured bytes
	outside    [2]int          // number of captured bytes outside the stream: in resets, and before a SYN
}

func newDuel(t testing.TB, use func([]byte) int, numbers [2]uint32) *duel {
	r := newRecorder(t, use)
	return &duel{recorder: r, connection: Connection{Receiver: r}, slow: newSlowConnection(), numbers: numbers, now: 1,
		captured: [2]map[int]bool{{}, {}}}
}

func (d *duel) number(side, at int) uint32 { return d.numbers[side] + uint32(at-slowMargin) }

func (d *duel) step(p step) {
	d.t.Helper()
	d.now += int64(p.milliseconds) * 1e6
	d.slow.begin(d.now)
	d.a.Begin(Origin{Serial: d.slow.serial, Frame: int(d.slow.serial), Time: d.now})
	d.slow.add(&p, !d.used[p.side])

	payload := bytes.Clone(p.payload)
	seg := Segment{Seq: d.number(p.side, p.at), Payload: payload, Missing: p.missing}
	set := func(flag Flags, on bool) {
		if on {
			seg.Flags |= flag
		}
	}
	set(SYN, p.syn)
	set(FIN, p.fin)
	set(RST, p.rst)
	set(ACK, p.acks)
	if p.syn {
		seg.Seq--
	}
	if p.acks {
		seg.Ack = d.number(1-p.side, p.ack)
	}
	s := &d.connection.streams[p.side]
	start, keepAlive := s.start, len(payload) == 1 && s.begun && s.position(seg.Seq+seg.synLength()) == s.start-1
	if !d.connection.Add(d.a, p.side, &seg) {
		d.t.Fatal("the segment was attributed to another connection")
	}
	for i := range payload {
		switch {
		case p.rst, !s.mid && !keepAlive && seg.At+int64(i) < s.start:
			d.outside[p.side]++
		case !keepAlive || s.start != start:
			d.captured[p.side][p.at+i] = true
		}
	}
	for i := range payload {
		payload[i] = 0xdb // like a reader that reuses its buffer
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
		if (s.gap() != nil) != (m.gap() >= 0) {
			d.t.Fatalf("side %d: gap %t, want %t", i, s.gap() != nil, m.gap() >= 0)
		}
	}
	checkAssembler(d.t, d.a, &d.connection)
}

// finish closes the connection and the model, and compares all events.
func (d *duel) finish() {
	d.t.Helper()
	d.connection.Close(d.a, CaptureEnded)
	for i, m := range d.slow.streams {
		m.finish(CaptureEnded)
		if !slices.EqualFunc(d.journals[i], m.journal, func(x, y event) bool {
			return x.kind == y.kind && x.n == y.n && x.at == y.at && x.ending == y.ending &&
				bytes.Equal(x.data, y.data) && slices.Equal(x.from, y.from) && slices.Equal(x.last, y.last)
		}) {
			d.t.Fatalf("side %d:\ngot  %v\nwant %v", i, d.journals[i], m.journal)
		}
	}
	for i, j := range d.journals {
		delivered := 0
		for _, e := range j {
			delivered += len(e.data)
		}
		if captured := len(d.captured[i]) + d.outside[i]; delivered+d.unread[i] != captured {
			d.t.Fatalf("side %d: %d bytes captured, %d delivered, %d unread\n%v", i, captured, delivered, d.unread[i], j)
		}
	}
	d.check()
	if d.a.gaps.oldest != nil || d.a.tails.oldest != nil {
		d.t.Fatal("an ended connection still keeps bytes")
	}
}

// checkAssembler checks that the Assembler's counts are consistent with its streams.
func checkAssembler(t testing.TB, a *Assembler, connections ...*Connection) {
	t.Helper()
	total := 0
	for _, c := range connections {
		for i := range c.streams {
			s := &c.streams[i]
			if l := s.backlog; l != nil {
				total += backlogCost + cap(l.buffer) + checkBacklog(t, a, l)
			}
		}
	}
	for l := a.unusedBacklogs; l != nil; l = l.next {
		total += backlogCost
	}
	for p := a.unusedChunks; p != nil; p = p.next {
		total += chunkCost
	}
	total += a.buffers.Spare()
	if total != a.bytes() || total > maxStreamBytes {
		t.Fatalf("%d bytes, %d counted", total, a.bytes())
	}
}

func checkBacklog(t testing.TB, a *Assembler, l *backlog) (total int) {
	t.Helper()
	queue := &a.tails
	if l.chunks != nil {
		queue = &a.gaps
	}
	if l.queue != queue || len(l.tail) == 0 && l.chunks == nil || l.stream.ended || len(l.tail) > maxTail || cap(l.tail) > cap(l.buffer) {
		t.Fatalf("a backlog in the wrong queue or with wrong sizes: %+v", l)
	}
	if n := len(l.marks); len(l.tail) > 0 && (n == 0 || n > maxMarks || l.marks[n-1].end != len(l.tail)) {
		t.Fatalf("a tail of %d bytes with marks %v", len(l.tail), l.marks)
	}
	count, size, reach := 0, 0, l.stream.next
	var last *chunk
	for p := l.chunks; p != nil; p = p.next {
		if p.at < reach || p.at == l.stream.next && !l.stream.complete() || p.sent < p.end() || len(p.data) == 0 && cap(p.data) > 0 {
			t.Fatalf("a chunk at %d, sent %d, front %d", p.at, p.sent, reach)
		}
		reach, last = p.end(), p
		count++
		size += len(p.data)
		total += chunkCost + cap(p.data)
	}
	if last != l.last || count != l.count || size != l.bytes || size > maxWaitingBytes || count > maxWaitingChunks {
		t.Fatalf("%d chunks of %d bytes, counted %d of %d", count, size, l.count, l.bytes)
	}
	return total
}
