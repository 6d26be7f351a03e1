package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// ping is what is known of a client's MsgLagPing.
type ping struct {
	sentAt    int64
	number    uint16 // that the server sent last
	echo      uint16
	known     bool // number is
	waiting   bool // for the echo
	echoFirst bool // an echo came that no ping is known for
}

const pingInterval = 10 * second // from one ping to the next

// next is the number of the ping behind this one.
func (p *ping) next() uint16 { return (p.number + 1) % bzflag.PingModulo }

// pingSubject stands for a ping where a pending finding names a player.
func pingSubject(number uint16) PlayerID { return PlayerID{Number: number} }

// checkPing checks a server's MsgLagPing, and waits for its echo.
func (e *event) checkPing(b *LagPing) {
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
	if e.place.Transport == wire.TCP && waiting && c.clientSeen && c.hasLink == c.linkSeen && !e.place.Lossy {
		text := "ping " + strconv.Itoa(int(number)) + " was not echoed"
		e.postpone(pendingFinding{rule: ruleLagPing, player: pingSubject(number), text: text}, pingInterval)
	}
}

// checkEcho checks a client's answer to a MsgLagPing.
func (e *event) checkEcho(b *LagPing) {
	c := e.conn
	q, number := &c.ping, b.Sequence
	switch {
	case q.waiting && number == q.number:
		q.waiting = false
		c.settle(ruleLagPing, pingSubject(number), e.place.Time)
		if c.stage == playing {
			e.measureLag(max(e.since(q.sentAt), 0))
		}
	case !q.known, number == q.next() && !q.waiting:
		q.echoFirst, q.echo = true, number // its ping may only have been captured later
	case number != q.number && !c.hasLink:
		e.report(ruleLagPing, headerSize, 2, "an echo of %d, the ping was %d", number, q.number)
	}
}
