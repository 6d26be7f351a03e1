package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// orders tracks the sequence numbers of a player's updates, separately for each transport.
type orders struct {
	tcp, udp  bool // an update came by this transport
	last      int32
	newest    int32
	since     int64 // time of newest
	candidate int32 // value of newest at turn
	turn      int64
	passed    int32 // a number that was the newest at least a second ago

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

// takeUDP handles the number of an update over UDP. late reports whether newer updates overtook this update more than a
// second ago. If so, distance is the difference to the newest number.
func (o *orders) takeUDP(order int32, now int64) (distance int32, late bool) {
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
		if distance, late := o.takeUDP(order, m.place.Time); late {
			m.layer.Report(ruleOrder, off, 4, "update %d comes more than a second after newer ones, the last is %d",
				order, order+distance)
		}
		return
	}
	if o.tcp && order-o.last <= 0 {
		m.layer.Report(ruleOrder, off, 4, "update %d after %d", order, o.last)
		return
	}
	o.tcp, o.last = true, order
}

// missing handles the number of an update, after take or takeUDP. It returns the numbers that are now known to be
// missing. An update over TCP is never missing, but it may fill a gap in the updates over UDP.
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
	ringSize = 128  // number of kept numbers; a client needs at least two seconds to send so many updates
	maxStep  = 1000 // maximum difference between neighbouring numbers in a sequence
)

// numbers is the set of the numbers of a player's updates since the first update over UDP.
type numbers struct {
	any    bool
	udp    bool // an update came by UDP
	newest int32
	judged int32 // all missing numbers up to this one have been returned
	seen   ring
	first  ring // numbers that came before any newer one; servers drop the other updates
}

// ring has a bit for each of the newest numbers.
type ring [ringSize / 64]uint64

// bit returns the word and the mask of a number's bit in the ring.
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

// excuse says which missing numbers are not losses. The zero value excuses no number.
type excuse struct {
	unsent bool     // excuse numbers that came to the server after newer ones, or not at all
	sent   *numbers // numbers that came to the server; nil: none
}

func (x excuse) has(number int32) bool {
	return x.unsent && (x.sent == nil || !x.sent.hasIn(&x.sent.first, number))
}

// gap is a range of numbers from first to last, of which count are missing.
type gap struct{ first, last, count int32 }

// rest returns the numbers that are missing and not excused. Call it when no further update can come.
func (s *numbers) rest(x excuse) gap {
	if !s.udp {
		return gap{}
	}
	return s.take(s.newest, s.newest, x)
}

// take adds a number. It returns the numbers up to passed that are missing and not excused.
func (s *numbers) take(number, passed int32, x excuse) (h gap) {
	step := number - s.newest
	if !s.any || step > maxStep || step < -maxStep {
		*s, step = numbers{any: true, udp: s.udp, newest: number, judged: number}, 0
	}
	if passed-s.newest > 0 {
		passed = s.judged // passed belongs to another sequence
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

// relays counts a client's latest updates that the server has not relayed to anyone. Only updates of a live tank
// count.
type relays struct {
	waiting int32 // updates since the last relayed update
	most    int32
	since   int64           // time of the first waiting update
	noted   *bzflag.Outcome // finding about many updates; nil: none yet
	until   int64           // time when the relay of the updates in the finding is overdue
}

// take records that the server relays an update from the client.
func (s *relays) take(now int64) {
	switch {
	case s.noted == nil:
	case clock.Elapsed(s.until, now) <= 0:
		s.noted.Settle()
		s.noted, s.most = nil, 0
	case s.most == s.waiting: // the server relays the current update
		s.most--
	}
	s.waiting = 0
}
