package bzflag24

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// orders are the numbers that a player's updates have on each transport.
type orders struct {
	tcp, udp  bool // there were some
	last      int32
	newest    int32
	since     int64 // of newest
	candidate int32 // newest, as it was at turn
	turn      int64
	passed    int32 // what was reached a second ago or earlier

	numbers numbers
}

// checkUDP reports whether an update on UDP is one that newer ones overtook more than a second ago, and
// by how many.
func (o *orders) checkUDP(order int32, now int64) (behind int32, late bool) {
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

// checkOrder checks the number of a player's update.
func (e *event) checkOrder(m *Motion, o *orders) {
	const off = bzflag.HeaderSize + 5
	if !e.tcp() {
		if behind, late := o.checkUDP(m.Order, e.place.Time); late {
			e.layer.Report(ruleOrder, off, 4, "update %d comes more than a second behind newer ones, the last is %d",
				m.Order, m.Order+behind)
		}
		return
	}
	if o.tcp && m.Order-o.last <= 0 {
		e.layer.Report(ruleOrder, off, 4, "update %d behind %d", m.Order, o.last)
		return
	}
	o.tcp, o.last = true, m.Order
}

// pings are the lag pings of a connection.
type pings struct {
	any    bool
	udp    bool // the last one came by UDP, and what came since can be read
	last   uint16
	time   int64
	span   int // numbers that were used, those of lost pings as well
	recent ask.List[uint16]
}

// pingPause is the least time from a lag ping to the next.
const pingPause = int64(9 * time.Second)

// recentPings may be answered. Servers send one every ten seconds.
var recentPings = &ask.Rules{Most: 4, Patience: int64(40 * time.Second)}

// checkLagPing takes a lag ping of the server.
func (e *event) checkLagPing(b *LagPing) {
	s, number := &e.connection.pings, b.Sequence%bzflag.PingModulo
	const off = bzflag.HeaderSize
	step := int(number)
	if s.any {
		step = bzflag.PingStep(s.last, number)
		if step == 0 && !e.tcp() && e.since(s.time) <= lagUDP {
			return // the network doubled it
		}
		if step == 0 || step > bzflag.PingModulo/2 {
			e.layer.Report(ruleLagPing, off, 2, "number %d after %d", b.Sequence, s.last)
			return
		}
	}
	if s.any && s.udp && !e.tcp() && step > 1 && step <= int(e.since(s.time)/pingPause) {
		first, count := (int32(s.last)+1)%bzflag.PingModulo, int32(step)-1
		e.reportMissing("lag ping", "", hole{first: first, last: first + count - 1, count: count})
	}
	s.any, s.udp, s.last, s.time = true, !e.tcp(), number, e.place.Time
	s.span = min(s.span+step, bzflag.PingModulo)
	s.recent.Ask(recentPings, e.place.Time, number, nil)
}

// checkLagAnswer takes the answer to one. A number above the last one may be that of a ping which the capture
// does not have.
func (e *event) checkLagAnswer(b *LagPing) {
	s, number := &e.connection.pings, b.Sequence%bzflag.PingModulo
	ping, verdict := s.recent.Answer(recentPings, e.place.Time, func(q *ask.Question[uint16]) int {
		if q.Value != number || q.Answers > 0 {
			return 0
		}
		return 1
	})
	if verdict == ask.First {
		e.measureLag(e.since(ping.Asked))
		return
	}
	behind := bzflag.PingStep(number, s.last)
	if e.connection.begun && s.any && behind >= s.span && behind <= bzflag.PingModulo/2 {
		e.layer.Report(ruleLagPing, bzflag.HeaderSize, 2, "an answer to %d, the server is at %d and never sent that",
			b.Sequence, s.last)
	}
}
