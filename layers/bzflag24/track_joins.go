package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// joinTracker follows how connections begin and end.
type joinTracker struct {
	values      *valueTracker
	pending     *bzflag.PendingFindings
	connections *connectionTable
	seats       *seatTracker
	attempts    *attemptTracker
}

// allowedBeforeEnter are the messages that a client may send before MsgEnter.
var allowedBeforeEnter = map[Code]bool{
	CodeEnter: true, CodeQueryGame: true, CodeQueryPlayers: true, CodeWantWHash: true, CodeNegotiateFlags: true,
	CodeGetWorld: true, CodeUDPLinkRequest: true, CodeUDPLinkEstablished: true, CodeWantSettings: true,
}

// takeHello handles the server's hello. It drops the connection if the server's version is not 2.4.
func (t *joinTracker) takeHello(e event, b *ServerHello) {
	c, g := e.connection, e.game
	t.attempts.takeHello(e)
	if string(b.Version) != Version {
		t.attempts.takeOther(e.message, c.Route)
		t.connections.remove(c)
		return
	}
	c.takeHello(e.message, b)
	if t.values.wanted() {
		t.values.recorder(e).State(bzflag.Servers, "", "version", string(b.Version))
	}
	if c.full {
		t.attempts.refuse(e, "there is no room")
		return
	}
	t.seats.vacate(e, g.seats.find(c.player))
	g.setClient(c.player, c.Client)
}

// checkEntered reports a message that a client must not send before MsgEnter, and a second MsgEnter.
func (t *joinTracker) checkEntered(e event) {
	c, l, now := e.connection, e.layer, e.place.Time
	c.checkFull(e.message, "from a client that has no number")
	switch known := l.Message != unknown.MessageType; {
	case l.Code == CodeEnter && known:
		if c.begun && c.accepted.Known() && (c.enterSeen || e.since(c.accepted.When()) > lagUDP) {
			l.Report(ruleSecondEnter, 0, bzflag.HeaderSize, "player %d has entered already", c.player)
		}
		c.enterSeen = true
		c.enter(now)
	case !known || c.entered.Known() || !c.begun || allowedBeforeEnter[l.Code]:
	case !e.tcp() && e.since(c.since) <= lagUDP: // may be from the previous client at that port
	case e.tcp():
		l.Report(ruleBeforeEnter, 2, 2, "%s before MsgEnter", l.Message.Name)
	default:
		text := l.Message.Name + " before MsgEnter"
		t.pending.Add(&c.outcomes, e.place, bzflag.PendingFinding{
			Rule: ruleBeforeEnter, Text: text, Wait: overdue, Excuse: func() bool {
				return !c.begun || c.entered.Known() && clock.Elapsed(c.entered.When(), now) >= -disorder
			},
		})
	}
}

// takeReject handles MsgReject. A MsgSuperKill must follow at once. If the stream ends first, the capture may lack the
// MsgSuperKill.
func (t *joinTracker) takeReject(e event, b *Reject) {
	reason := b.Reason.String() + ": " + string(wire.Trim(b.Text))
	c, at := e.connection, e.place.Time
	c.removal = removal{reason: reason, when: at}
	t.attempts.refuse(e, reason)
	c.reject = t.pending.Add(&c.outcomes, e.place, bzflag.PendingFinding{
		Rule: ruleReject, Text: "no MsgSuperKill followed", Wait: overdue, Enough: lagUDP / 5,
		Excuse: func() bool { return c.streamed <= at },
	})
}

// takeSuperKill handles MsgSuperKill.
func (t *joinTracker) takeSuperKill(e event) {
	c := e.connection
	if c.reject != nil && e.since(c.reject.When) <= lagUDP {
		c.reject.Settle()
	}
	t.seats.recordDismissal(e, t.attempts.dismiss(e))
	c.killed = clock.At(e.place.Time)
	e.game.remove(c)
}
