package decode

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// An event is what a receiver hears, as tests compare it: a run of bytes or one of the others.
type event struct {
	kind   string // "data", "gap", "end", "conflict", "mid"
	n, at  int64
	data   []byte
	from   []int64 // serial numbers of the packets that brought the bytes
	last   []int64 // and of those that made them deliverable
	ending ending
}

func (e event) String() string {
	switch e.kind {
	case "data":
		return fmt.Sprintf("data %d %.20x", len(e.data), e.data)
	case "end":
		return fmt.Sprintf("end %d", e.ending)
	}
	return fmt.Sprintf("%s %d at %d", e.kind, e.n, e.at)
}

// A journal lists events. Runs of bytes and gaps are joined, so that it does not matter in how
// many calls they came.
type journal []event

func (j *journal) byte(b byte, from, last int64) {
	if n := len(*j); n == 0 || (*j)[n-1].kind != "data" {
		*j = append(*j, event{kind: "data"})
	}
	e := &(*j)[len(*j)-1]
	e.data, e.from, e.last = append(e.data, b), append(e.from, from), append(e.last, last)
}

func (j *journal) gap(n int64) {
	if k := len(*j); k > 0 && (*j)[k-1].kind == "gap" {
		(*j)[k-1].n += n
		return
	}
	*j = append(*j, event{kind: "gap", n: n})
}

// slowStream is a stream as the rules tell it, byte by byte, by offset from slowMargin.
type slowStream struct {
	begun, mid, ended bool

	have, cut [slowSize]bool
	data      [slowSize]byte
	from      [slowSize]int64 // serial number of the packet, 0 for none
	since     [slowSize]int64 // time at which something was first known of a place

	start, front, fin int
	top               int // nothing is known beyond
	known             int // the start before anything was put in front
	acked, marked     int
	markTime          int64
	markPacket        int

	waiting   bool
	waitAt    int
	waitSince int64

	journal journal
}

const (
	slowSize   = 1 << 13
	slowMargin = 1 << 4
)

// slowConnection drives two of them.
type slowConnection struct {
	streams [2]*slowStream
	now     int64 // time of the packet at hand
	clock   int64
	packets int
	serial  int64
}

func newSlowConnection() *slowConnection {
	return &slowConnection{streams: [2]*slowStream{{fin: -1}, {fin: -1}}}
}

// hole gives the first place behind the front of which anything is known, -1 for none.
func (s *slowStream) hole() int {
	if s.ended || !s.begun {
		return -1
	}
	for i := s.front; i <= s.top; i++ {
		if s.have[i] || s.cut[i] || i == s.fin {
			return i
		}
	}
	return -1
}

// step is a packet of a script: of one of the sides, with offsets instead of numbers.
type step struct {
	side         int
	at           int
	payload      []byte
	missing      int
	syn, fin     bool
	rst          bool
	acks         bool
	ack          int
	milliseconds int // since the step before
}

func (c *slowConnection) begin(now int64) {
	c.serial++
	c.now = now
	if c.streams[0].hole() < 0 && c.streams[1].hole() < 0 {
		c.clock = now
		return
	}
	if now < c.clock-holeTimeout {
		for _, s := range c.streams {
			for s.hole() >= 0 {
				s.skip(s.hole())
			}
			s.settle(c)
		}
		c.clock = now
	}
	c.clock = max(c.clock, now)
	for _, s := range c.streams {
		if !s.waiting || c.clock-s.waitSince < holeTimeout {
			continue
		}
		s.skip(s.hole())
		for s.hole() >= 0 && c.clock-s.since[s.hole()] >= holeTimeout {
			s.skip(s.hole())
		}
		s.settle(c)
	}
}

func (s *slowStream) settle(c *slowConnection) {
	waits := s.hole() >= 0
	if waits && (!s.waiting || s.waitAt != s.front) {
		s.waitAt, s.waitSince = s.front, c.clock
	}
	s.waiting = waits
	if !waits {
		s.marked = 0
	}
}

// advance moves the front as far as nothing is to be waited for.
func (s *slowStream) advance(last int64) {
	for !s.ended {
		i := s.front
		if i >= slowSize {
			panic("the script leaves the model")
		}
		switch {
		case i == s.fin:
			s.ended = true
			s.journal = append(s.journal, event{kind: "end", ending: finished})
		case s.have[i]:
			last = max(last, s.from[i])
			s.journal.byte(s.data[i], s.from[i], last)
			s.front++
		case s.cut[i]:
			s.journal.gap(1)
			s.front++
			last = 0
		default:
			return
		}
	}
}

func (s *slowStream) skip(to int) {
	s.journal.gap(int64(to - s.front))
	s.front = to
	s.advance(0)
}

// add takes a step. unused tells whether the receiver has used nothing of the stream yet, so
// that earlier bytes can be put in front.
func (c *slowConnection) add(p *step, unused bool) {
	c.packets++
	s, other := c.streams[p.side], c.streams[1-p.side]
	if p.rst {
		if !s.begun || p.at >= s.front {
			s.finish(aborted)
			other.finish(aborted)
		}
	} else {
		s.open(p)
		if p.acks && other.begun {
			other.acked = max(other.acked, p.ack)
		}
		if s.begun && !s.ended {
			s.content(c, p, unused)
		}
	}
	for _, s := range c.streams {
		s.skipAcknowledged(c)
		s.settle(c)
	}
}

func (s *slowStream) open(p *step) {
	if s.begun || s.ended || !p.syn && !p.fin && len(p.payload)+p.missing == 0 {
		return
	}
	s.begun, s.mid = true, !p.syn
	s.start, s.front, s.known = p.at, p.at, p.at
	if s.mid {
		s.journal = append(s.journal, event{kind: "mid"})
	}
}

func (s *slowStream) content(c *slowConnection, p *step, unused bool) {
	end := p.at + len(p.payload)
	sent := end + p.missing
	if p.fin && s.fin < 0 {
		s.fin = max(sent, s.front)
		s.know(s.fin, c.now)
	}
	if s.mid && unused && len(s.journal) > 1 && s.journal[1].kind == "data" && p.at < s.start && s.start <= end {
		var early journal
		for i := p.at; i < s.start; i++ {
			s.have[i], s.data[i], s.from[i] = true, p.payload[i-p.at], c.serial
			early.byte(s.data[i], c.serial, c.serial)
		}
		e := &s.journal[1] // after "mid"
		e.data, e.from, e.last = append(early[0].data, e.data...), append(early[0].from, e.from...), append(early[0].last, e.last...)
		s.start = p.at
	}
	differ, first := 0, 0
	for i := max(p.at, s.start); i < end; i++ {
		b := p.payload[i-p.at]
		switch {
		case s.have[i] && s.data[i] != b && i >= s.known:
			if differ == 0 {
				first = i
			}
			differ++
		case !s.have[i] && i >= s.front:
			s.have[i], s.data[i], s.from[i] = true, b, c.serial
			s.know(i, c.now)
		}
	}
	for i := end; i < sent; i++ {
		s.cut[i] = true
		s.know(i, c.now)
	}
	if differ > 0 && len(p.payload)+p.missing > 1 {
		s.journal = append(s.journal, event{kind: "conflict", at: int64(first - s.start), n: int64(differ)})
	}
	s.advance(c.serial)
}

func (s *slowStream) know(i int, now int64) {
	s.top = max(s.top, i)
	if s.since[i] == 0 {
		s.since[i] = now
	}
}

func (s *slowStream) skipAcknowledged(c *slowConnection) {
	for i := s.hole(); i >= 0 && i <= s.acked; i = s.hole() {
		if i > s.marked {
			s.marked, s.markTime, s.markPacket = s.acked, c.clock, c.packets
			return
		}
		if c.clock-s.markTime < acknowledgedTime && c.packets-s.markPacket < acknowledgedPackets {
			return
		}
		s.skip(i)
	}
}

func (s *slowStream) finish(why ending) {
	for s.hole() >= 0 {
		s.skip(s.hole())
	}
	if s.begun && !s.ended {
		if s.acked > s.front+1 {
			s.skip(s.acked)
		}
		s.journal = append(s.journal, event{kind: "end", ending: why})
	}
	s.ended = true
}

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
	fresh := b
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

// script makes packets of both sides, in any order and manner.
func script(r *rand.Rand) []step {
	sides := [2][]step{someSteps(r, 0), someSteps(r, 1)}
	var steps []step
	for len(sides[0])+len(sides[1]) > 0 {
		side := r.IntN(2)
		if len(sides[side]) == 0 {
			side = 1 - side
		}
		n := min(1+r.IntN(8), len(sides[side]))
		steps = append(steps, sides[side][:n]...)
		sides[side] = sides[side][n:]
	}
	// Each side acknowledges what it has, which is what the capture has or a bit more.
	var sent [2]int
	for i := range steps {
		p := &steps[i]
		sent[p.side] = max(sent[p.side], p.at+len(p.payload)+p.missing)
		if other := sent[1-p.side]; other > 0 && r.IntN(3) == 0 {
			p.acks, p.ack = true, max(slowMargin, other+r.IntN(200)-150)
		}
		p.milliseconds = r.IntN(20) - 2
		if r.IntN(100) == 0 {
			p.milliseconds = []int{900, 3000, 9000, 11000, -9000, -15000}[r.IntN(6)]
		}
	}
	if r.IntN(3) > 0 { // the handshake was captured
		opening := []step{{side: 0, at: slowMargin, syn: true}, {side: 1, at: slowMargin, syn: true}}
		steps = slices.Concat(opening, steps)
	}
	if r.IntN(8) == 0 {
		p := step{side: r.IntN(2), at: slowMargin + r.IntN(4000), rst: true}
		steps = slices.Insert(steps, r.IntN(len(steps)+1), p)
	}
	return steps
}

// someSteps cuts a stream into segments, repeats some, reorders, loses and cuts them.
func someSteps(r *rand.Rand, side int) (own []step) {
	size := 1 + r.IntN(3000)
	data := randomBytes(r, size)
	longest := 8 << r.IntN(8)
	piece := func(from int) step {
		n := min(1+r.IntN(longest), size-from)
		return step{side: side, at: slowMargin + from, payload: data[from : from+n]}
	}
	for at := 0; at < size; {
		p := piece(at)
		own = append(own, p)
		at += len(p.payload)
	}
	if r.IntN(2) == 0 {
		own = append(own, step{side: side, at: slowMargin + size, fin: true})
	}
	for range r.IntN(2) * r.IntN(1+len(own)/2) {
		p := piece(r.IntN(size))
		if r.IntN(3) == 0 {
			p.payload = bytes.Clone(p.payload)
			p.payload[r.IntN(len(p.payload))] ^= 1
		}
		own = slices.Insert(own, r.IntN(len(own)+1), p)
	}
	for range r.IntN(2) * r.IntN(10) {
		for i := range len(own) - 1 {
			if r.IntN(4) == 0 {
				own[i], own[i+1] = own[i+1], own[i]
			}
		}
	}
	lost, cut := r.IntN(2)*r.IntN(20), r.IntN(2)*r.IntN(20)
	own = slices.DeleteFunc(own, func(step) bool { return r.IntN(100) < lost })
	for i := range own {
		if p := &own[i]; r.IntN(100) < cut {
			n := r.IntN(len(p.payload) + 1)
			p.missing = len(p.payload) - n
			p.payload = p.payload[:n]
		}
	}
	return own
}

func TestStreamAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1998, 4))
	rounds := 8000
	if testing.Short() {
		rounds = 1000
	}
	heard := map[string]int{}
	for round := range rounds {
		// The numbers wrap within the stream more often than not.
		numbers := [2]uint32{uint32(-r.IntN(4000)), r.Uint32()}
		d := newDuel(t, appetite(r), numbers)
		for _, p := range script(r) {
			d.step(p)
		}
		d.finish()
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
		for _, j := range d.journals {
			for _, e := range j {
				heard[e.kind]++
			}
		}
	}
	for _, kind := range []string{"data", "gap", "end", "conflict", "mid"} {
		if heard[kind] < rounds/4 {
			t.Errorf("only %d times %q in %d rounds: the test tests little", heard[kind], kind, rounds)
		}
	}
}

// appetite is how a receiver uses what it is given.
func appetite(r *rand.Rand) func(b []byte) int {
	switch r.IntN(4) {
	case 0:
		return nil
	case 1: // messages of a fixed length
		n := 1 + r.IntN(700)
		return func(b []byte) int { return len(b) / n * n }
	case 2:
		return func(b []byte) int { return 0 }
	}
	return func(b []byte) int { return r.IntN(len(b)+3) - 1 }
}

// FuzzStream reads packets from the input, 6 bytes each, and compares with the model: what kind
// of packet, where, its size, bytes cut off, the acknowledgement, the time.
func FuzzStream(f *testing.F) {
	const second, syn, fin, rst, acks, late, hungry = 1, 2, 4, 8, 16, 32, 64
	f.Add(uint32(0xfffffff0), []byte{syn, 0, 0, 0, 0, 0, 0, 20, 10, 0, 0, 0, 0, 10, 10, 0, 0, 0, fin, 30, 0, 0, 0, 0})
	f.Add(uint32(7), []byte{0, 20, 10, 0, 0, 0, hungry, 10, 10, 0, 0, 0, 0, 15, 20, 5, 0, 0, rst, 40, 0, 0, 0, 0})
	f.Add(uint32(7), []byte{second, 20, 9, 0, 0, 0, second, 50, 9, 0, 0, 0, acks, 0, 0, 0, 60, 0, acks | late, 0, 0, 0, 60, 9})
	f.Add(uint32(0), []byte{0, 20, 10, 5, 0, 0, 0, 40, 10, 5, 0, 0, fin, 30, 3, 3, 0, 0, late, 60, 1, 0, 0, 120})
	f.Fuzz(func(t *testing.T, number uint32, input []byte) {
		if len(input) > 6*300 {
			return // long scripts find nothing that short ones do not
		}
		use := 1
		d := newDuel(t, func(b []byte) int { return len(b) / use * use }, [2]uint32{number, ^number})
		for i := 0; len(input) >= 6; i, input = i+1, input[6:] {
			p := step{side: int(input[0] & second), at: slowMargin + 2*int(input[1]), missing: int(input[3]), ack: slowMargin + 3*int(input[4])}
			p.payload = bytes.Repeat([]byte{byte(i + 1)}, int(input[2]))
			p.fin, p.rst, p.acks = input[0]&fin != 0, input[0]&rst != 0, input[0]&acks != 0
			p.milliseconds = int(input[5])
			if input[0]&late != 0 {
				p.milliseconds = 100 * (int(input[5]) - 100)
			}
			if input[0]&hungry != 0 {
				use = 1 + 7*int(input[5])
			}
			if input[0]&syn != 0 && i < 2 && !d.connection.streams[p.side].begun && !d.connection.streams[1-p.side].mid {
				p.syn, p.acks = true, false
			}
			d.step(p)
		}
		d.finish()
	})
}
