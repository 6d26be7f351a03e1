package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// ping is what is known of a client's MsgLagPing.
type ping struct {
	number    uint16 // that the server sent last
	sentAt    int64
	known     bool // number is
	waiting   bool // for the echo
	echoFirst bool // an echo came that no ping is known for
	echo      uint16
}

const (
	pingModulo   = 10000       // numbers go from 0 to below it
	pingInterval = 10 * second // from one to the next
)

// pingSubject stands for a ping where a doubt names a player.
func pingSubject(number uint16) PlayerID { return PlayerID{Number: number} }

// checkPing checks a server's MsgLagPing, and waits for its echo.
func (e *event) checkPing(b *LagPing) {
	v := e.view
	q, number := &v.ping, b.Sequence
	if q.known && q.number == number && v.hasLink {
		return // the same datagram once more
	}
	if next := (q.number + 1) % pingModulo; q.known && number != next {
		// Datagrams of a link may be lost, and pings with them.
		if skipped := (number + pingModulo - next) % pingModulo; !v.hasLink || skipped >= pingModulo/2 {
			e.report(ruleLagPing, headerSize, 2, "ping %d follows %d", number, q.number)
		}
	}
	waiting := !q.echoFirst || q.echo != number
	*q = ping{number: number, sentAt: e.place.Time, known: true, waiting: waiting}
	if e.place.Transport == wire.TCP && waiting && v.clientSeen && v.hasLink == v.linkSeen {
		text := "ping " + strconv.Itoa(int(number)) + " was not echoed"
		e.doubt(doubt{rule: ruleLagPing, player: pingSubject(number), text: text}, pingInterval)
	}
}

// checkEcho checks a client's answer to a MsgLagPing.
func (e *event) checkEcho(b *LagPing) {
	v, now := e.view, e.place.Time
	q, number := &v.ping, b.Sequence
	switch {
	case q.waiting && number == q.number:
		q.waiting = false
		v.settle(ruleLagPing, pingSubject(number), now)
		if v.stage == playing {
			e.recordLag(max(clock.Elapsed(q.sentAt, now), 0))
		}
	case !q.known, number == (q.number+1)%pingModulo && !q.waiting:
		q.echoFirst, q.echo = true, number // its ping may only have been captured later
	case number != q.number && !v.hasLink:
		e.report(ruleLagPing, headerSize, 2, "an echo of %d, the ping was %d", number, q.number)
	}
}
