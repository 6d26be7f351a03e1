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
	loss    loss
}

// loss counts updates by UDP.
type loss struct{ seen, missing int }

func (l *loss) add(o loss) { l.seen, l.missing = l.seen+o.seen, l.missing+o.missing }

// take returns what was counted, and counts anew.
func (l *loss) take() loss {
	counted := *l
	*l = loss{}
	return counted
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
func (o *orders) missing(m message, order int32, x excuse) gap {
	s := &o.numbers
	if !m.tcp() && !s.has(order) {
		o.loss.seen++
	}
	if s.udp && !m.tcp() {
		return s.take(order, o.passed, x)
	}
	s.take(order, s.judged, x)
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
	seen   ring
	first  ring // those that came before any newer one: servers drop the others
}

// A ring has the bits of the newest numbers.
type ring [ringSize / 64]uint64

// bit is where the ring has a number.
func (r *ring) bit(number int32) (word *uint64, mask uint64) {
	i := uint32(number) % ringSize
	return &r[i/64], 1 << (i % 64)
}

func (r *ring) set(number int32) {
	word, mask := r.bit(number)
	*word |= mask
}

func (r *ring) clear(number int32) {
	word, mask := r.bit(number)
	*word &^= mask
}

// has reports whether a number came and the ring still has it.
func (s *numbers) has(number int32) bool { return s.hasIn(&s.seen, number) }

func (s *numbers) hasIn(r *ring, number int32) bool {
	back := s.newest - number
	word, mask := r.bit(number)
	return s.any && back >= 0 && back < ringSize && *word&mask != 0
}

// excuse says which numbers are not missing where others lack them. The zero value excuses none.
type excuse struct {
	unsent bool     // those that did not come to the server before newer ones
	sent   *numbers // that came; nil: none
}

func (x excuse) has(number int32) bool {
	return x.unsent && (x.sent == nil || !x.sent.hasIn(&x.sent.first, number))
}

// gap is count missing numbers from first to last.
type gap struct{ first, last, count int32 }

// rest returns the numbers that are missing and not excused though newer ones came: nothing comes any more.
func (s *numbers) rest(x excuse) gap {
	if !s.udp {
		return gap{}
	}
	return s.take(s.newest, s.newest, x)
}

// take takes a number, and returns those up to passed that are missing and not excused.
func (s *numbers) take(number, passed int32, x excuse) (h gap) {
	step := number - s.newest
	if !s.any || step > maxStep || step < -maxStep {
		*s, step = numbers{any: true, udp: s.udp, newest: number, judged: number}, 0
	}
	if passed-s.newest > 0 {
		passed = s.judged // it is of another count
	}
	if step <= 0 {
		if number-s.judged >= 0 {
			s.seen.set(number)
		}
	} else if number-ringSize-passed > 0 {
		passed = number - ringSize
	}
	for ; passed-s.judged > 0; s.judged++ {
		if next := s.judged + 1; !s.has(next) && !x.has(next) {
			if h.count++; h.count == 1 {
				h.first = next
			}
			h.last = next
		}
	}
	for ; number-s.newest > 0; s.newest++ {
		s.seen.clear(s.newest + 1)
		s.first.clear(s.newest + 1)
	}
	if number == s.newest {
		s.seen.set(number)
		s.first.set(number)
	}
	return h
}
