package bzflag24

import (
	"fmt"
	"math"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// numberTracker checks the numbers of updates and lag pings.
type numberTracker struct {
	values      *valueTracker
	connections *connectionTable
	pending     *bzflag.PendingFindings
	attempts    *attemptTracker
}

// takeUpdate takes an update of the client.
func (t *numberTracker) takeUpdate(e event, b *Motion) {
	c := e.connection
	if !c.checkSender(e.message, &b.Player, bzflag.HeaderSize+4) {
		return
	}
	c.orders.take(e.message, b.Order)
	h := c.orders.missing(e.message, b.Order, func(int32) bool { return false })
	if h.count == 0 {
		return
	}
	t.values.reportMissing(e.message, "update", " of "+b.Player.String(), h)
	if t.values.wanted() {
		t.values.recorder(e).Lack(b.Player.subject(), int(h.count))
	}
}

// takeRelayedUpdate takes an update that the server relays.
func (t *numberTracker) takeRelayedUpdate(e event, b *Motion) {
	k := e.connection.view.tank(b.Player.ID)
	if k == nil {
		return
	}
	captured := e.game.isCaptured(b.Player.ID)
	var sender *connection
	if !captured {
		k.orders.take(e.message, b.Order)
	} else {
		if !e.tcp() {
			k.orders.takeUDP(b.Order, e.place.Time)
		}
		if sender = t.connections.ofPlayer(e, b.Player.ID); sender != nil {
			sender.relays.take(e.place.Time)
		}
	}
	if k.life == alive && !e.connection.watchesReplay() {
		t.countRelayed(e, b, k, captured, sender)
	}
}

// countRelayed counts the relayed updates that are missing. Servers do not relay those that a tank sends before it
// knows of its death, so the tank has to be alive all the time. If the capture has what the player's client sends, the
// server relays only that; sender is nil if it is not known.
func (t *numberTracker) countRelayed(e event, b *Motion, k *tank, captured bool, sender *connection) {
	h := k.orders.missing(e.message, b.Order, func(number int32) bool {
		return captured && (sender == nil || !sender.orders.numbers.has(number))
	})
	if h.count == 0 {
		return
	}
	t.values.reportMissing(e.message, "update", " of "+b.Player.String(), h)
	if !captured && t.values.isCounting(e) {
		t.values.recorder(e).Lack(b.Player.subject(), int(h.count))
	}
}

// takePing takes a lag ping of the server.
func (t *numberTracker) takePing(e event, b *LagPing) {
	if h := e.connection.pings.take(e.message, b); h.count > 0 {
		t.values.reportMissing(e.message, "lag ping", "", h)
	}
	t.noteLost(e)
}

// takePingAnswer takes a client's answer to a lag ping.
func (t *numberTracker) takePingAnswer(e event, b *LagPing) {
	t.values.recordLag(e, e.connection.pings.takeAnswer(e.message, b, e.connection.begun))
}

const (
	leastLost   = 3 // lag pings without an echo that are worth saying, and
	lostShare   = 5 // one of so many
	leastSilent = 4 // in a row to a client that says nothing
)

// noteLost notes pings that have no echo. A client that says nothing else has vanished; the connection may stay open
// for minutes.
func (t *numberTracker) noteLost(e event) {
	c, s := e.connection, &e.connection.pings
	if !c.said {
		return
	}
	if s.silent == leastSilent && s.answers {
		t.attempts.vanish(e, fmt.Sprintf("%d lag pings without an echo", s.silent-1))
	}
	if s.lost < leastLost || s.noted {
		return
	}
	if k := c.tank(e.place.Time); !s.answers && (k == nil || k.team == ObserverTeam) {
		return // as bzadmin, which has no echo
	}
	s.noted = true
	who := e.game.seats.called(&Player{c.player, c.callSign})
	t.pending.Add(&c.outcomes, e.place, bzflag.PendingFinding{
		Rule: ruleLostPings, Wait: math.MaxInt64,
		Tell: func() string { return fmt.Sprintf("%s: %d of %d lag pings without an echo", who, s.lost, s.sent-1) },
		Excuse: func() bool {
			return c.missed.Known() || s.silent >= leastSilent && s.answers || s.lost < leastLost || s.lost*lostShare < s.sent
		},
	})
}
