package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// orders are the numbers of a player's updates on each transport.
type orders struct {
	tcp, udp  bool // there was an update
	last      int32
	newest    int32
	since     int64 // time of newest
	candidate int32 // newest at turn
	turn      int64
	passed    int32 // newest of a second ago or earlier

	numbers numbers
	loss    loss
}

// loss counts updates by UDP.
type loss struct{ seen, missing int }

func (l *loss) add(o loss) { l.seen, l.missing = l.seen+o.seen, l.missing+o.missing }

// take returns the counts and resets them.
func (l *loss) take() loss {
	counted := *l
	*l = loss{}
	return counted
}

// takeUDP handles the number of an update by UDP. late reports whether newer updates overtook it more than a second
// ago, and behind by how many.
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

// take handles the number of an update, and reports an update that comes too late.
func (o *orders) take(m message, order int32) {
	const off = bzflag.HeaderSize + 5
	if !m.tcp() {
		if behind, late := o.takeUDP(order, m.place.Time); late {
			m.layer.Report(ruleOrder, off, 4, "update %d comes more than a second after newer ones, the last is %d",
				order, order+behind)
		}
		return
	}
	if o.tcp && order-o.last <= 0 {
		m.layer.Report(ruleOrder, off, 4, "update %d after %d", order, o.last)
		return
	}
	o.tcp, o.last = true, order
}

// missing handles the number of an update after take or takeUDP, and returns the numbers found to be missing. An update
// by TCP is never missing, but may fill a gap in the updates by UDP.
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
	ringSize = 128  // numbers that are kept, from at least two seconds
	maxStep  = 1000 // between neighbouring numbers of one sequence
)

// numbers are the numbers of a player's updates since the first by UDP.
type numbers struct {
	any    bool
	udp    bool // there was one by UDP
	newest int32
	judged int32 // missing numbers up to it have been returned
	seen   ring
	first  ring // numbers that came before any newer one: servers drop the others
}

// A ring has a bit for each of the newest numbers.
type ring [ringSize / 64]uint64

// bit returns the position of a number in the ring.
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

// has reports whether a number came and is still in the ring.
func (s *numbers) has(number int32) bool { return s.hasIn(&s.seen, number) }

func (s *numbers) hasIn(r *ring, number int32) bool {
	back := s.newest - number
	word, mask := r.bit(number)
	return s.any && back >= 0 && back < ringSize && *word&mask != 0
}

// excuse says which numbers do not count as missing. The zero value excuses none.
type excuse struct {
	unsent bool     // excuses numbers that did not reach the server before newer ones
	sent   *numbers // numbers that did; nil: none
}

func (x excuse) has(number int32) bool {
	return x.unsent && (x.sent == nil || !x.sent.hasIn(&x.sent.first, number))
}

// gap is a number of missing updates or pings, from first to last.
type gap struct{ first, last, count int32 }

// rest returns the numbers that are missing and not excused, now that no more come.
func (s *numbers) rest(x excuse) gap {
	if !s.udp {
		return gap{}
	}
	return s.take(s.newest, s.newest, x)
}

// take handles a number, and returns the numbers up to passed that are missing and not excused.
func (s *numbers) take(number, passed int32, x excuse) (h gap) {
	step := number - s.newest
	if !s.any || step > maxStep || step < -maxStep {
		*s, step = numbers{any: true, udp: s.udp, newest: number, judged: number}, 0
	}
	if passed-s.newest > 0 {
		passed = s.judged // passed is from another sequence
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

// relays counts the updates of a client, sent as alive, that the server has relayed to nobody.
type relays struct {
	waiting int32 // updates since the last relayed one
	most    int32
	since   int64           // time of the first waiting update
	noted   *bzflag.Outcome // finding that there are many; nil: none yet
	until   int64           // when a relay of these is overdue
}

// take notes that the server relays an update.
func (s *relays) take(now int64) {
	switch {
	case s.noted == nil:
	case clock.Elapsed(s.until, now) <= 0:
		s.noted.Settle()
		s.noted, s.most = nil, 0
	case s.most == s.waiting: // the current update is relayed
		s.most--
	}
	s.waiting = 0
}
