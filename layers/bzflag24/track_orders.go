package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// orders are the numbers of a player's updates on each transport.
type orders struct {
	tcp, udp  bool // some came
	last      int32
	newest    int32
	since     int64 // of newest
	candidate int32 // newest at turn
	turn      int64
	passed    int32 // what newest was a second ago or earlier

	numbers numbers
}

// takeUDP takes the number of an update by UDP. It reports whether newer updates overtook this one more than a second
// ago, and by how many.
func (o *orders) takeUDP(order int32, now int64) (behind int32, late bool) {
	if !o.udp {
		o.udp, o.newest, o.candidate, o.passed, o.since, o.turn = true, order, order, order-1, now, now
		return 0, false
	}
	switch {
	case clock.Elapsed(o.since, now) > lagLife:
		o.passed, o.candidate, o.turn = o.newest, o.newest, now
	case clock.Elapsed(o.turn, now) > lagLife:
		o.passed, o.candidate, o.turn = o.candidate, o.newest, now
	}
	if order-o.passed <= 0 {
		return o.newest - order, true
	}
	if order-o.newest > 0 {
		o.newest, o.since = order, now
	}
	return 0, false
}

// take takes the number of an update and reports one that comes too late.
func (o *orders) take(m message, order int32) {
	const off = bzflag.HeaderSize + 5
	if !m.tcp() {
		if behind, late := o.takeUDP(order, m.place.Time); late {
			m.layer.Report(ruleOrder, off, 4, "update %d comes more than a second behind newer ones, the last is %d",
				order, order+behind)
		}
		return
	}
	if o.tcp && order-o.last <= 0 {
		m.layer.Report(ruleOrder, off, 4, "update %d behind %d", order, o.last)
		return
	}
	o.tcp, o.last = true, order
}

// missing takes the number of an update after take or takeUDP, and returns the numbers that turn out to be missing.
// An update by TCP is never missing, but may be what those by UDP seem to lack.
func (o *orders) missing(m message, order int32, excused func(int32) bool) gap {
	s := &o.numbers
	if s.udp && !m.tcp() {
		return s.take(order, o.passed, excused)
	}
	s.take(order, s.judged, excused)
	if !m.tcp() {
		s.udp, s.judged = true, s.newest
	}
	return gap{}
}

const (
	ringSize = 128  // numbers that are remembered, those of two seconds at least
	maxStep  = 1000 // between neighbouring numbers of one count
)

// numbers are those of a player's updates since the first by UDP.
type numbers struct {
	any    bool
	udp    bool // some came by UDP
	newest int32
	judged int32 // take has returned what is missing up to it
	seen   [ringSize / 64]uint64
}

// bit is where the ring has a number.
func (s *numbers) bit(number int32) (word *uint64, mask uint64) {
	i := uint32(number) % ringSize
	return &s.seen[i/64], 1 << (i % 64)
}

// has reports whether a number came and the ring still has it.
func (s *numbers) has(number int32) bool {
	back := s.newest - number
	word, mask := s.bit(number)
	return s.any && back >= 0 && back < ringSize && *word&mask != 0
}

// gap is count missing numbers from first to last.
type gap struct{ first, last, count int32 }

// take takes a number, and returns those up to passed that are missing and not excused.
func (s *numbers) take(number, passed int32, excused func(int32) bool) (h gap) {
	step := number - s.newest
	if !s.any || step > maxStep || step < -maxStep {
		*s, step = numbers{any: true, udp: s.udp, newest: number, judged: number}, 0
	}
	if passed-s.newest > 0 {
		passed = s.judged // it is of another count
	}
	word, mask := s.bit(number)
	if step <= 0 {
		if number-s.judged >= 0 {
			*word |= mask
		}
	} else if number-ringSize-passed > 0 {
		passed = number - ringSize
	}
	for ; passed-s.judged > 0; s.judged++ {
		if next := s.judged + 1; !s.has(next) && !excused(next) {
			if h.count++; h.count == 1 {
				h.first = next
			}
			h.last = next
		}
	}
	for ; number-s.newest > 0; s.newest++ {
		word, mask := s.bit(s.newest + 1)
		*word &^= mask
	}
	if number == s.newest {
		*word |= mask
	}
	return h
}
