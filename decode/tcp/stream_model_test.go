package tcp

import "fmt"

// An event is a call of a receiver, in a form that tests can compare. Several calls with bytes are one event.
type event struct {
	kind   string // "data", "gap", "end", "conflict", "mid"
	n, at  int64
	data   []byte
	from   []int64 // serial number of the packet that contained each byte
	last   []int64 // serial number of the packet that made each byte deliverable
	ending Ending
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

// A journal is a list of events. It joins consecutive bytes and consecutive gaps, since the number of calls does not
// matter.
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

// slowStream is a simple model of a Stream that works byte by byte. Offsets begin at slowMargin.
type slowStream struct {
	early bool // earlier bytes were not prepended, so the start is final

	begun, mid, ended bool

	have, cut [slowSize]bool
	data      [slowSize]byte
	from      [slowSize]int64 // serial number of the packet with the byte, 0 if none
	since     [slowSize]int64 // when the model first knew anything about the offset

	start, front, fin int
	top               int // the highest known offset
	known             int // the start, not counting prepended bytes
	acked, marked     int
	markTime          int64
	aborted           bool

	waiting   bool
	waitAt    int
	waitSince int64

	journal journal
}

const (
	slowSize   = 1 << 13
	slowMargin = 1 << 4
)

// slowConnection is a simple model of a Connection and its Assembler.
type slowConnection struct {
	streams [2]*slowStream
	now     int64 // time of the current packet
	clock   int64
	serial  int64
}

func newSlowConnection() *slowConnection {
	return &slowConnection{streams: [2]*slowStream{{fin: -1}, {fin: -1}}}
}

// gap returns the first known offset after the front, or -1 if there is none.
func (s *slowStream) gap() int {
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

// step is a packet of one side in a script. It has offsets in place of sequence numbers.
type step struct {
	side         int
	at           int
	payload      []byte
	missing      int
	syn, fin     bool
	rst          bool
	acks         bool
	ack          int
	milliseconds int // time since the previous step
}

func (c *slowConnection) begin(now int64) {
	c.serial++
	c.now = now
	if now < c.clock-gapTimeout {
		for _, s := range c.streams {
			for s.gap() >= 0 {
				s.skipGap()
			}
			s.settle(c)
		}
		c.clock = now
	}
	c.clock = max(c.clock, now)
	for _, s := range c.streams {
		if !s.waiting || c.clock-s.waitSince < gapTimeout {
			continue
		}
		s.skipGap()
		for s.gap() >= 0 && c.clock-s.since[s.gap()] >= gapTimeout {
			s.skipGap()
		}
		s.settle(c)
	}
}

func (s *slowStream) settle(c *slowConnection) {
	waits := s.gap() >= 0
	if waits && (!s.waiting || s.waitAt != s.front) {
		s.waitAt, s.waitSince = s.front, c.clock
	}
	s.waiting = waits
	if !waits {
		s.marked = 0
	}
}

// advance moves the front forward as far as the bytes are known.
func (s *slowStream) advance(last int64) {
	for !s.ended {
		i := s.front
		if i >= slowSize {
			panic("the script exceeds the size of the model")
		}
		switch {
		case i == s.fin:
			s.ended = true
			s.journal = append(s.journal, event{kind: "end", ending: s.why(Finished)})
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

// why returns the reason for the stream's end: Aborted after a reset, or else other.
func (s *slowStream) why(other Ending) Ending {
	if s.aborted {
		return Aborted
	}
	return other
}

// skipGap gives up the first gap. If it ends at a reset, only acknowledged bytes count as missing.
func (s *slowStream) skipGap() {
	to := s.gap()
	if s.aborted && to == s.fin {
		s.fin = s.front
		if s.acked > s.front+1 {
			s.fin = min(s.acked, to)
		}
		to = s.fin
	}
	if to > s.front {
		s.skip(to)
	} else {
		s.advance(0)
	}
}

// abort ends the stream at an offset, or after all its known bytes if that is later.
func (s *slowStream) abort(c *slowConnection, at int) {
	switch {
	case s.ended:
		return
	case !s.begun:
		s.ended = true
		return
	case s.fin < 0:
		s.aborted = true
		s.fin = max(at, s.front, s.acked)
		for i := range s.have {
			if s.have[i] || s.cut[i] {
				s.fin = max(s.fin, i+1)
			}
		}
		s.know(s.fin, c.now)
	}
	s.advance(0)
}

func (s *slowStream) skip(to int) {
	s.journal.gap(int64(to - s.front))
	s.front = to
	s.advance(0)
}

// add applies a step. unused reports whether the receiver has not yet used any byte of the stream. Only then can
// earlier bytes be prepended.
func (c *slowConnection) add(p *step, unused bool) {
	s, other := c.streams[p.side], c.streams[1-p.side]
	if p.rst {
		if !s.begun || p.at >= s.front {
			s.abort(c, p.at)
			if !p.acks {
				p.ack = 0
			}
			other.abort(c, p.ack)
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
	if s.ended && len(p.payload)+p.missing > 0 {
		s.begun = true
	}
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
	before := s.mid && p.at < s.start && len(p.payload) > 0
	switch {
	case before && unused && !s.early && len(s.journal) > 1 && s.journal[1].kind == "data" && s.start <= end:
		var early journal
		for i := p.at; i < s.start; i++ {
			s.have[i], s.data[i], s.from[i] = true, p.payload[i-p.at], c.serial
			early.byte(s.data[i], c.serial, c.serial)
		}
		e := &s.journal[1] // after "mid"
		e.data, e.from, e.last = append(early[0].data, e.data...), append(early[0].from, e.from...), append(early[0].last, e.last...)
		s.start = p.at
	case before && (len(p.payload) > 1 || p.at != s.start-1): // not a keep-alive
		s.early = true
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
	for i := s.gap(); i >= 0 && i <= s.acked; i = s.gap() {
		if i > s.marked {
			s.marked, s.markTime = s.acked, c.clock
			return
		}
		if c.clock-s.markTime < acknowledgedTime {
			return
		}
		s.skipGap()
	}
}

func (s *slowStream) finish(why Ending) {
	for s.gap() >= 0 {
		s.skipGap()
	}
	if s.begun && !s.ended {
		if s.acked > s.front+1 {
			s.skip(s.acked)
		}
		s.journal = append(s.journal, event{kind: "end", ending: why})
	}
	s.ended = true
}
