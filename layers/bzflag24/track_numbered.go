package bzflag24

import (
	"fmt"
	"math"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// numberTracker checks the sequence numbers of updates and lag pings, and counts the lost ones.
type numberTracker struct {
	values      *valueTracker
	connections *connectionTable
	pending     *bzflag.PendingFindings
	attempts    *attemptTracker
}

// takeUpdate handles an update from the client.
func (t *numberTracker) takeUpdate(e event, b *Motion) {
	c := e.connection
	if !c.checkSender(e.message, &b.Player, bzflag.HeaderSize+4) {
		return
	}
	c.orders.take(e.message, b.Order)
	c.jitter.take(e.message, b)
	t.lack(e, c, &b.Player, c.orders.missing(e.message, b.Order, excuse{}))
}

// lack records that updates from the client are missing. h contains their numbers.
func (t *numberTracker) lack(e event, c *connection, p *Player, h gap) {
	if h.count > 0 {
		t.values.reportMissing(e.message, "update", " of "+p.String(), h)
		c.orders.loss.missing += int(h.count)
	}
}

// takeRelayedUpdate handles an update that the server relays.
func (t *numberTracker) takeRelayedUpdate(e event, b *Motion) {
	k := e.connection.view.tank(b.Player.ID)
	if k == nil {
		return
	}
	x, sender := t.excuse(e, b.Player.ID)
	k.captured = x.unsent
	if !k.captured {
		k.orders.take(e.message, b.Order)
	} else if !e.tcp() {
		k.orders.takeUDP(b.Order, e.place.Time)
	}
	if sender != nil {
		sender.relays.take(e.place.Time)
	}
	if e.connection.showsAlive(k, b.Status) && !e.connection.watchesReplay() {
		h := k.orders.missing(e.message, b.Order, x)
		t.lackRelayed(e, &b.Player, k, h)
	}
}

// excuse returns which missing updates of a player are not losses, and the player's connection if it is captured.
// Servers do not relay the updates that a tank sends before it knows of its death, so a gap counts only if the tank was
// alive throughout. If the capture has the messages of the player's client, only an update that reached the server
// before any newer one must be relayed.
func (t *numberTracker) excuse(e event, id PlayerID) (x excuse, sender *connection) {
	if x.unsent = e.game.isCaptured(id); x.unsent {
		if sender = t.connections.ofPlayer(e, id); sender != nil {
			x.sent = &sender.orders.numbers
		}
	}
	return x, sender
}

// lackRelayed records that relayed updates of a player are missing. If the capture has the messages of the player's
// client, the updates were lost between the server and this client. Otherwise they may also have been lost on their way
// to the server.
func (t *numberTracker) lackRelayed(e event, p *Player, k *tank, h gap) {
	if h.count > 0 {
		t.values.reportMissing(e.message, "update", " of "+p.String(), h)
		k.orders.loss.missing += int(h.count)
	}
	if k.captured {
		e.connection.received.add(k.orders.loss.take())
	}
}

// takeLeaving handles a player who leaves. The player's missing updates can no longer arrive.
func (t *numberTracker) takeLeaving(e event, p *Player) {
	if k := e.connection.view.known(p.ID); k != nil && !k.captured {
		t.lackRelayed(e, p, k, k.orders.numbers.rest(excuse{}))
		t.recordRelayed(e, p.ID, k)
	}
	if c := t.connections.ofPlayer(e, p.ID); c != nil {
		t.end(event{e.message, e.game, c})
	}
}

// end reports the counts of a client that leaves.
func (t *numberTracker) end(e event) {
	c := e.connection
	if c.ended {
		return
	}
	c.ended = true
	t.lack(e, c, &Player{c.player, c.callSign}, c.orders.numbers.rest(excuse{}))
	if c.view != nil {
		for i, k := range c.view.tanks {
			id := PlayerID(c.view.ids[i])
			x, _ := t.excuse(e, id)
			t.lackRelayed(e, &Player{ID: id}, k, k.orders.numbers.rest(x))
		}
	}
	t.record(e)
	t.recordSilence(e)
}

// record reports what the connection has counted since the last report.
func (t *numberTracker) record(e event) {
	c := e.connection
	if !t.values.wanted() {
		return
	}
	if c.view != nil {
		for i, k := range c.view.tanks {
			t.recordRelayed(e, PlayerID(c.view.ids[i]), k)
		}
	}
	if int(c.player) >= maxTanks {
		return
	}
	r, who := t.values.recorder(e), e.game.seats.who(&Player{c.player, c.callSign})
	sent, got := c.orders.loss.take(), c.received.take()
	r.Add(who, updates, sent.seen+sent.missing)
	r.Add(who, missing, sent.missing)
	r.Add(who, updatesTo, got.seen+got.missing)
	r.Add(who, missingTo, got.missing)
	if ns, ok := c.jitter.nanoseconds(); ok && sent.seen > 0 {
		r.Jitter(who, ns)
	}
}

// recordRelayed reports the counts of a player if the capture lacks the messages of the player's client.
func (t *numberTracker) recordRelayed(e event, id PlayerID, k *tank) {
	l := k.orders.loss.take()
	if l == (loss{}) || !t.values.isCounting(e) {
		return
	}
	r, who := t.values.recorder(e), e.game.seats.who(&Player{ID: id})
	r.Add(who, updates, l.seen+l.missing)
	r.Add(who, missing, l.missing)
}

// recordSilence reports a lag for a player whose client never answered a lag ping. Observers such as bzadmin do not
// answer pings, so they have no lag.
func (t *numberTracker) recordSilence(e event) {
	c := e.connection
	waited := c.pings.Silence()
	if waited == 0 || !t.values.wanted() || c.missed.Known() || !t.plays(e) {
		return
	}
	t.values.recorder(e).Silence(e.game.seats.who(&Player{c.player, c.callSign}), waited)
}

// plays reports whether the client is a player, not an observer, and the capture can show the client's answers to lag
// pings.
func (t *numberTracker) plays(e event) bool {
	k := e.connection.tank(e.place.Time)
	return e.connection.spoke && k != nil && k.team != ObserverTeam && k.team != NoTeam
}

// takePing handles a lag ping from the server.
func (t *numberTracker) takePing(e event, b *LagPing) {
	h, lost := e.connection.pings.take(e.message, b)
	if h.count > 0 {
		t.values.reportMissing(e.message, "lag ping", "", h)
	}
	if c := e.connection; lost && c.spoke && t.values.wanted() && int(c.player) < maxTanks {
		t.values.recorder(e).Lost(e.game.seats.who(&Player{c.player, c.callSign}))
	}
	t.record(e)
	t.noteLost(e)
}

// takePingAnswer handles a client's answer to a lag ping.
func (t *numberTracker) takePingAnswer(e event, b *LagPing) {
	lag, taken := e.connection.pings.takeAnswer(e.message, b, e.connection.begun)
	t.values.recordLag(e, lag, taken)
}

// close reports the counts of all clients that are connected at the end of the capture.
func (t *numberTracker) close(now int64) {
	t.connections.byRoute.Each(func(_ bzflag.Route, x **connection) {
		c := *x
		g := t.connections.games.Peek(c.Server)
		if g == nil || !g.place.Src.IsValid() || c.ended || !t.values.wanted() {
			return
		}
		c.ended = true
		place := g.place
		place.Time, place.Src, place.Dst = now, c.Server, c.Client
		e := event{message{place: &place}, g, c}
		t.record(e)
		t.recordSilence(e)
	})
}

const (
	leastLost   = 3 // minimum number of unanswered lag pings that is reported
	lostShare   = 5 // minimum share of unanswered lag pings that is reported: one in five
	leastSilent = 4 // number of consecutive lag pings after which a silent client has vanished
)

// noteLost adds a pending finding about unanswered pings. If a client sends nothing else either, it has vanished,
// although its connection may stay open for minutes.
func (t *numberTracker) noteLost(e event) {
	c, s := e.connection, &e.connection.pings
	if !c.spoke {
		return
	}
	if s.silent == leastSilent && s.Any {
		t.attempts.vanish(e, fmt.Sprintf("%d lag pings without an echo", s.silent-1))
	}
	if s.Lost < leastLost || s.noted {
		return
	}
	if k := c.tank(e.place.Time); !s.Any && (k == nil || k.team == ObserverTeam) {
		return // may be like bzadmin, which does not answer pings
	}
	s.noted = true
	who := e.game.seats.called(&Player{c.player, c.callSign})
	t.pending.Add(&c.outcomes, e.place, bzflag.PendingFinding{
		Rule: ruleLostPings, Wait: math.MaxInt64,
		Tell: func() string { return fmt.Sprintf("%s: %d of %d lag pings without an echo", who, s.Lost, s.Known) },
		Excuse: func() bool {
			return c.missed.Known() || s.silent >= leastSilent && s.Any || s.Lost < leastLost || s.Lost*lostShare < s.Known
		},
	})
}
