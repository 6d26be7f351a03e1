package bzflag24

import (
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const (
	ringSize = 128  // numbers that are remembered, those of two seconds at least
	maxStep  = 1000 // from a number to the next; a longer step is another count, not a loss
)

// numbers are those of a player's updates, to tell which are missing. It judges those behind the first on UDP. The
// zero value has none.
type numbers struct {
	any    bool
	udp    bool // some came by UDP
	newest int32
	judged int32 // up to which missing ones are told
	seen   [ringSize / 64]uint64
}

// bit is where the ring has a number.
func (s *numbers) bit(number int32) (word *uint64, mask uint64) {
	i := uint32(number) % ringSize
	return &s.seen[i/64], 1 << (i % 64)
}

// has reports whether a number came, as far as that is remembered.
func (s *numbers) has(number int32) bool {
	back := s.newest - number
	word, mask := s.bit(number)
	return s.any && back >= 0 && back < ringSize && *word&mask != 0
}

// hole is what turns out to be missing: count numbers from first to last.
type hole struct{ first, last, count int32 }

// take takes a number, and judges those up to passed, which can come no more. Excused are numbers that prove nothing.
func (s *numbers) take(number, passed int32, excused func(int32) bool) (h hole) {
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

// countOwn counts what is missing of the client's own updates.
func (e *event) countOwn(m *Motion) {
	if h := e.countOrder(m, &e.connection.orders, func(int32) bool { return false }); h.count > 0 {
		e.reportMissing("update", " of "+m.Player.String(), h)
		if e.measures() {
			e.recorder().Lack(m.Player.subject(), int(h.count))
		}
	}
}

// countRelayed counts what is missing of the updates that the server passes on. It keeps those to itself that a tank
// sends before it knows of its death, so life as it was told has to be without a break; and where the player's own
// updates are in the capture, it passed on those alone.
func (e *event) countRelayed(m *Motion, k *tank) {
	if k.life != alive || e.connection.watchesReplay() {
		return
	}
	own := e.hasOwnConnection(m.Player.ID)
	var sent *numbers
	if own {
		sent = e.ownNumbers(m.Player.ID)
	}
	h := e.countOrder(m, &k.orders, func(number int32) bool { return own && (sent == nil || !sent.has(number)) })
	if h.count == 0 {
		return
	}
	e.reportMissing("update", " of "+m.Player.String(), h)
	if !own && e.isCounting() {
		e.recorder().Lack(m.Player.subject(), int(h.count))
	}
}

// ownNumbers are those that a player's own connection had; nil if there are none.
func (e *event) ownNumbers(id PlayerID) *numbers {
	owner, ok := e.game.owner(id)
	if !ok {
		return nil
	}
	if c := e.connections.Peek(bzflag.Route{Client: owner, Server: e.connection.Server}); c != nil {
		return &(*c).orders.numbers
	}
	return nil
}

// countOrder takes the number of an update that checkOrder has seen. One on TCP is never missing, but may be what
// those on UDP seem to lack.
func (e *event) countOrder(m *Motion, o *orders, excused func(int32) bool) hole {
	s := &o.numbers
	if s.udp && !e.tcp() {
		return s.take(m.Order, o.passed, excused)
	}
	s.take(m.Order, s.judged, excused)
	if !e.tcp() {
		s.udp, s.judged = true, s.newest
	}
	return hole{}
}

// reportMissing tells which messages the capture lacks: what they are, and whose.
func (e *event) reportMissing(what, whose string, h hole) {
	switch {
	case h.count == 1:
		e.reporter.Missing(e.place, "%s %d%s", what, h.first, whose)
	case h.count > h.last-h.first:
		e.reporter.Missing(e.place, "%ss %d to %d%s", what, h.first, h.last, whose)
	default:
		e.reporter.Missing(e.place, "%d of the %ss %d to %d%s", h.count, what, h.first, h.last, whose)
	}
}

// forgetNumbers takes note that numbers which a side gave its updates may be in messages that cannot be read.
func (c *connection) forgetNumbers(fromServer bool) {
	if !fromServer {
		c.orders.numbers = numbers{}
		return
	}
	c.pings.udp = false
	if c.view != nil {
		for _, k := range c.view.tanks {
			k.orders.numbers = numbers{}
		}
	}
}
