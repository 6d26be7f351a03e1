package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// linkTracker follows by which ways messages go, and how long they take.
type linkTracker struct {
	connections *connectionTable
	values      *valueTracker
	pending     pendingFindings
}

const pingInterval = 10 * second // from one ping to the next

// recordLink takes note of a client's port for the UDP link.
func (t *linkTracker) recordLink(e *event, b *LinkRequest) { t.connections.link(e, b.Port) }

// recordServer takes note by which way the server sends. It sends by the link of a client from the first datagram of
// the client on, and pings over the connection until then.
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
	if c.stage == playing && t.values.wanted() {
		t.values.recorder(e).State(bzflag.Players, nameOf(e, c.playerID), "udp", works)
	}
}

// recordClient takes note by which way the client sends.
func (t *linkTracker) recordClient(e *event) { e.conn.linkUsed = e.conn.linkUsed || !e.tcp() }

// recordRelay takes note that one side wants updates to go over the connection.
func (t *linkTracker) recordRelay(e *event) {
	e.conn.relay = true
	e.conn.outcomes.settle(ruleRelay, PlayerID{}, e.place.Time)
}

// checkRelay checks that updates may go over the connection at all.
func (t *linkTracker) checkRelay(e *event) {
	c := e.conn
	reported := &c.relayReported.fromServer
	if e.fromClient() {
		reported = &c.relayReported.toServer
	} else if !c.clientSeen {
		return
	}
	// A robot's client may have asked on a connection of its own.
	if !e.tcp() || c.relay || c.stage != playing || *reported || c.isRobot() {
		return
	}
	*reported = true
	text := e.layer.Message.Name + ", and neither side sent MsgNetworkRelay"
	t.pending.add(e, pendingFinding{rule: ruleRelay, otherSide: true, text: text, wait: arrivalTime})
}

// checkPing checks a server's MsgLagPing, and waits for its echo.
func (t *linkTracker) checkPing(e *event, b *LagPing) {
	c := e.conn
	q, number := &c.ping, b.Sequence
	if q.known && q.number == number && c.hasLink {
		return // the same datagram once more
	}
	// Datagrams of a link may be lost, and pings with them.
	if q.known && number != q.next() && (!c.hasLink || bzflag.PingStep(q.next(), number) >= bzflag.PingModulo/2) {
		e.report(ruleLagPing, headerSize, 2, "ping %d follows %d", number, q.number)
	}
	waiting := !q.echoFirst || q.echo != number
	*q = ping{number: number, sentAt: e.place.Time, known: true, waiting: waiting}
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
		c.outcomes.settle(ruleLagPing, pingSubject(number), e.place.Time)
		if c.stage == playing && t.values.wanted() {
			t.values.recorder(e).Lag(nameOf(e, c.playerID), max(e.since(q.sentAt), 0))
		}
	case !q.known, number == q.next() && !q.waiting:
		q.echoFirst, q.echo = true, number // its ping may only have been captured later
	case number != q.number && !c.hasLink:
		e.report(ruleLagPing, headerSize, 2, "an echo of %d, the ping was %d", number, q.number)
	}
}

// checkTTL checks a server's MsgSetTTL.
func (t *linkTracker) checkTTL(e *event, b *SetTTL) {
	c := e.conn
	if c.ttl != 0 && b.TTL <= c.ttl {
		e.report(ruleTTL, headerSize, 2, "a TTL of %d, it was %d before", b.TTL, c.ttl)
	}
	c.ttl = b.TTL
}
