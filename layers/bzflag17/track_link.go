package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// linkTracker follows whether messages travel over TCP or over the UDP link, and measures the lag.
type linkTracker struct {
	connections *connectionTable
	values      *valueTracker
	pending     pendingFindings
}

const pingInterval = 10 * second // time between two pings

// recordLink records a client's port for the UDP link.
func (t *linkTracker) recordLink(e *event, b *LinkRequest) { t.connections.link(e, b.Port) }

// recordServer records whether the server uses the UDP link. The server uses a client's link after the client's first
// datagram. Before that, it sends pings over the connection.
func (t *linkTracker) recordServer(e *event) {
	c, works := e.conn, "both"
	switch _, pings := e.layer.Body.(*LagPing); {
	case c.linkSeen, !c.hasLink && e.tcp():
		return
	case !e.tcp():
		c.linkSeen = true
	case pings:
		works = "none"
	default:
		return
	}
	if c.stage == playing && t.values.enabled() {
		t.values.recorder(e).State(bzflag.Players, nameOf(e, c.playerID), "udp", works)
	}
}

// recordClient records whether the client uses the UDP link.
func (t *linkTracker) recordClient(e *event) { e.conn.linkUsed = e.conn.linkUsed || !e.tcp() }

// recordRelay records that one side requests updates over the connection.
func (t *linkTracker) recordRelay(e *event) {
	e.conn.relay = true
	e.conn.outcomes.settle(ruleRelay, PlayerID{}, e.place.Time)
}

// checkRelay checks that updates may travel over the connection.
func (t *linkTracker) checkRelay(e *event) {
	c := e.conn
	reported := &c.relayReported.fromServer
	if e.fromClient() {
		reported = &c.relayReported.toServer
	} else if !c.clientSeen {
		return
	}
	// The client that runs a robot may have sent MsgNetworkRelay on its own connection.
	if !e.tcp() || c.relay || c.stage != playing || *reported || c.isRobot() {
		return
	}
	*reported = true
	text := e.layer.Message.Name + ", and neither side sent MsgNetworkRelay"
	t.pending.add(e, pendingFinding{rule: ruleRelay, otherSide: true, text: text, wait: arrivalTime})
}

// checkPing checks a server's MsgLagPing, which the client must answer.
func (t *linkTracker) checkPing(e *event, b *LagPing) {
	c := e.conn
	q, number := &c.ping, b.Sequence
	if q.known && q.number == number && c.hasLink {
		return // a copy of the same datagram
	}
	// A UDP link may lose datagrams, including pings.
	if q.known && number != q.next() && (!c.hasLink || bzflag.PingStep(q.next(), number) >= bzflag.PingModulo/2) {
		e.report(ruleLagPing, headerSize, 2, "ping %d follows %d", number, q.number)
	}
	waiting := !q.echoFirst || q.echo != number
	*q = ping{number: number, sentAt: e.place.Time, known: true, waiting: waiting}
	if lost := c.echoes.Ask(e.place.Time); lost && t.isCounting(e) {
		t.values.recorder(e).Lost(nameOf(e, c.playerID))
	}
	if !waiting {
		t.recordEcho(e)
	}
	if e.tcp() && waiting && c.clientSeen && c.hasLink == c.linkSeen && !e.place.Lossy {
		text := "ping " + strconv.Itoa(int(number)) + " was not echoed"
		t.pending.add(e, pendingFinding{
			rule: ruleLagPing, player: pingSubject(number), text: text, wait: pingInterval,
		})
	}
}

// checkEcho checks a client's answer to a MsgLagPing.
func (t *linkTracker) checkEcho(e *event, b *LagPing) {
	c := e.conn
	q, number := &c.ping, b.Sequence
	switch {
	case q.waiting && number == q.number:
		q.waiting = false
		t.recordEcho(e)
		c.outcomes.settle(ruleLagPing, pingSubject(number), e.place.Time)
		if c.stage == playing && t.values.enabled() {
			t.values.recorder(e).Lag(nameOf(e, c.playerID), max(e.since(q.sentAt), 0))
		}
	case !q.known, number == q.next() && !q.waiting:
		q.echoFirst, q.echo = true, number // the ping may be captured later
	case number != q.number && !c.hasLink:
		e.report(ruleLagPing, headerSize, 2, "an echo of %d, the ping was %d", number, q.number)
	}
}

// isCounting reports whether pings of the client count. The client must play, and its messages must be captured.
func (t *linkTracker) isCounting(e *event) bool {
	return t.values.enabled() && e.conn.stage == playing && e.conn.clientSeen
}

// recordEcho records that the client answered the last ping.
func (t *linkTracker) recordEcho(e *event) {
	if e.conn.echoes.Echo() && t.isCounting(e) {
		t.values.recorder(e).Count(nameOf(e, e.conn.playerID), bzflag.Pings)
	}
}

// recordSilence reports a lag for a client that never answered a lag ping.
func recordSilence(r bzflag.Recorder, n *identity, c *connection) {
	if waited := c.echoes.Silence(); waited > 0 && c.clientSeen && !c.isObserver() {
		r.Silence(n.Who, waited)
	}
}

// close reports a lag for all clients that are still present and never answered a lag ping.
func (t *linkTracker) close(now int64) {
	if !t.values.enabled() {
		return
	}
	t.connections.byRoute.Each(func(r bzflag.Route, c *connection) {
		e := event{message: message{place: &wire.Place{Time: now}}, route: r, conn: c}
		t.values.games.find(&e)
		if e.game == nil || c.stage != playing || c.departed {
			return
		}
		if n := e.game.player(c.playerID); n != nil && n.serial == c.serial && !n.Gone {
			place := e.game.place
			place.Time = now
			recordSilence(bzflag.Recorder{Reporter: t.values.reporter, Place: &place, Server: e.server}, n, c)
		}
	})
}

// checkTTL checks a server's MsgSetTTL.
func (t *linkTracker) checkTTL(e *event, b *SetTTL) {
	c := e.conn
	if c.ttl != 0 && b.TTL <= c.ttl {
		e.report(ruleTTL, headerSize, 2, "a TTL of %d, it was %d before", b.TTL, c.ttl)
	}
	c.ttl = b.TTL
}
