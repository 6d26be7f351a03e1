package bzflag24

import (
	"fmt"
	"math"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// leastUnrelayed is the minimum number of consecutive updates without a relay that is reported. A network is unlikely
// to lose that many.
const leastUnrelayed = 10

// relayTracker checks whether the server relays the clients' updates.
type relayTracker struct {
	pending     *bzflag.PendingFindings
	connections *connectionTable
}

// takeUpdate handles a client's update. It adds a finding if the server has relayed no update from the client for a
// while.
func (t *relayTracker) takeUpdate(e event, b *Motion) {
	c := e.connection
	s := &c.relays
	if b.Status&Alive == 0 {
		s.waiting = 0
		return
	}
	if s.waiting++; s.waiting == 1 {
		s.since = e.place.Time
	}
	switch {
	case s.waiting < leastUnrelayed || e.since(s.since) < lagLife:
	case s.noted != nil:
		s.most = max(s.most, s.waiting)
	case !c.isWhole():
	case !c.plays(s.since, e.place.Time):
		s.waiting = 0
	default:
		if w := t.witness(e, s.since); w != nil {
			t.note(e, w)
		}
	}
}

// plays reports whether the client has known since a given time whether its tank is alive.
func (c *connection) plays(since, now int64) bool {
	k := c.tank(now)
	if k == nil || c.acts.died.Known() {
		return false
	}
	return k.life == alive && clock.Elapsed(k.born, since) >= lagUDP ||
		k.life == dead && clock.Elapsed(k.since, since) >= overdue
}

// note adds a pending finding: the server has not relayed the client's updates to w's client.
func (t *relayTracker) note(e event, w *connection) {
	c, since := e.connection, e.connection.relays.since
	s := &c.relays
	s.most, s.until = s.waiting, clock.Add(e.place.Time, overdue)
	s.noted = t.pending.Add(&c.outcomes, e.place, bzflag.PendingFinding{
		Rule: ruleUpdatesUnrelayed, Wait: math.MaxInt64, Enough: lagLife,
		Tell: func() string {
			return fmt.Sprintf("%s: %d updates were relayed to nobody, though %s was there", c.name(), s.most, w.name())
		},
		Excuse: func() bool { return !c.isWhole() || !w.isWhole() || clock.Elapsed(since, w.streamed) <= 0 },
	})
}

// witness returns a captured connection to which the server had to relay updates since a given time, or nil. If there
// are several, it returns the one with the latest message from the server.
func (t *relayTracker) witness(e event, since int64) (best *connection) {
	for _, client := range e.game.clients {
		p := t.connections.byRoute.Peek(bzflag.Route{Client: client, Server: e.server()})
		if p == nil || *p == e.connection || !(*p).witnesses(e.connection.player, since) {
			continue
		}
		if best == nil || clock.Elapsed(best.streamed, (*p).streamed) > 0 {
			best = *p
		}
	}
	return best
}

// witnesses reports whether the capture has everything that the server sent to this client about another player since a
// given time.
func (c *connection) witnesses(other PlayerID, since int64) bool {
	datagrams := c.link.served || !c.link.out
	return c.isOpen() && c.isWhole() && c.sees() && !c.watchesReplay() && datagrams &&
		clock.Elapsed(c.accepted.When(), since) > 0 && c.view.present(other) != nil
}
