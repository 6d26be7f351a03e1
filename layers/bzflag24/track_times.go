package bzflag24

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// pings are the lag pings that the server sends on a connection.
type pings struct {
	any    bool
	udp    bool // the last ping came by UDP, and no unreadable message followed
	last   uint16
	time   int64
	span   int // difference between the numbers of the first and the last ping, at most PingModulo
	recent ask.List[uint16]

	bzflag.Echoes
	silent int  // number of pings since the last message from the client
	noted  bool // a finding about lost pings was added
}

// pingPause is the minimum time between two lag pings.
const pingPause = int64(9 * time.Second)

// recentPings are the rules for the pings that a client may still answer. Servers send a ping every ten seconds.
var recentPings = &ask.Rules{Most: 4, Patience: int64(40 * time.Second)}

// take handles a lag ping from the server. It returns the numbers of missing pings before it, and whether the previous
// ping is lost.
func (s *pings) take(m message, b *LagPing) (h gap, lost bool) {
	const off = bzflag.HeaderSize
	number := b.Sequence % bzflag.PingModulo
	step := int(number)
	if s.any {
		step = bzflag.PingStep(s.last, number)
		if step == 0 && !m.tcp() && m.since(s.time) <= lagUDP {
			return gap{}, false // the network duplicated the ping
		}
		if step == 0 || step > bzflag.PingModulo/2 {
			m.layer.Report(ruleLagPing, off, 2, "number %d after %d", b.Sequence, s.last)
			return gap{}, false
		}
	}
	if s.any && s.udp && !m.tcp() && step > 1 && step <= int(m.since(s.time)/pingPause) {
		first, count := (int32(s.last)+1)%bzflag.PingModulo, int32(step)-1
		h = gap{first: first, last: first + count - 1, count: count}
	}
	lost = s.Ask(m.place.Time)
	s.silent++
	s.any, s.udp, s.last, s.time = true, !m.tcp(), number, m.place.Time
	s.span = min(s.span+step, bzflag.PingModulo)
	s.recent.Ask(recentPings, m.place.Time, number, nil)
	return h, lost
}

// takeAnswer handles a client's answer. It returns the lag if this is the first answer to a ping, and otherwise a
// negative value. taken reports whether the server accepts the answer: the server accepts only an answer to the last
// ping. complete means that the capture has the connection from its beginning. If not, a number above the last one may
// belong to a ping that the capture lacks.
func (s *pings) takeAnswer(m message, b *LagPing, complete bool) (lag int64, taken bool) {
	number := b.Sequence % bzflag.PingModulo
	ping, verdict := s.recent.Answer(recentPings, m.place.Time, func(q *ask.Question[uint16]) int {
		if q.Value != number || q.Answers > 0 {
			return 0
		}
		return 1
	})
	if verdict == ask.First {
		s.Any = true
		return m.since(ping.Asked), number == s.last && s.Echo()
	}
	back := bzflag.PingStep(number, s.last)
	if complete && s.any && back >= s.span && back <= bzflag.PingModulo/2 {
		m.layer.Report(ruleLagPing, bzflag.HeaderSize, 2, "an answer to %d, the server is at %d and never sent that",
			b.Sequence, s.last)
	}
	return -1, false
}

// gameTime is the server's clock in the last MsgGameTime.
type gameTime struct {
	known bool
	tcp   bool
	shown uint64 // microseconds
	time  int64
}

// take handles MsgGameTime. It allows for datagrams that overtake other datagrams or messages over TCP.
func (t *gameTime) take(m message, b *GameTime) {
	if t.known && b.Microseconds < t.shown {
		if m.tcp() && t.tcp || m.since(t.time) > lagUDP {
			m.layer.Report(ruleTimeBack, bzflag.HeaderSize, 8, "%d microseconds before the last one", t.shown-b.Microseconds)
			t.shown = b.Microseconds
		}
		return
	}
	*t = gameTime{true, m.tcp(), b.Microseconds, m.place.Time}
}

// timeLeft is the number of seconds left in the match. It is 0 if there is no match, or if the number is not known.
type timeLeft int32

// take handles MsgTimeUpdate.
func (t *timeLeft) take(m message, b *TimeUpdate) {
	if *t > 0 && timeLeft(b.Seconds) > *t {
		m.layer.Report(ruleTimeRises, bzflag.HeaderSize, 4, "%d seconds are left, before it was %d", b.Seconds, *t)
	}
	*t = timeLeft(max(b.Seconds, 0))
}
