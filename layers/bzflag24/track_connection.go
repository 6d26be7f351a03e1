package bzflag24

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// connection is one of a client, with the UDP link beside it.
type connection struct {
	bzflag.Route
	serial       uint32 // never 0
	since        int64
	seen         int64 // when either side was heard last
	streamed     int64 // when the server's stream was: a message, or its end
	conversation int
	closed       bool // it has ended, or the client is leaving
	tcp          bool // conversation is that of a TCP connection

	begun     bool // its beginning was seen, and nothing lost since
	header    bool
	hello     bool
	player    PlayerID     // NoPlayer: not known
	speaker   PlayerID     // in whose name the client acts, where player is not known; NoPlayer: nor is that
	full      bool         // the hello had no number to give
	enterSeen bool         // a MsgEnter was
	entered   clock.Moment // when it asked to join
	accepted  clock.Moment
	joined    bool // the server has told everybody
	kindKnown bool // its MsgEnter told the kind of player
	kind      PlayerType
	reject    *bzflag.Outcome // a MsgReject that no MsgSuperKill followed yet
	killed    clock.Moment    // when MsgSuperKill came
	callSign  string          // that it asked for
	version   string          // of the client, as it says
	removal   removal         // what the server said of the client's removal
	departed  bool            // its end was measured
	heard     bool            // the server said something, see Told

	// What the client said of itself, which it knows before the server passes it on.
	died     clock.Moment // its last death, until it lives again
	resuming bool         // its last MsgPause ended a pause
	pausing  bool         // its last MsgPause began one
	dropping clock.Moment
	missed   clock.Moment // when something that it said was lost last

	orders   orders // of the client's updates
	pings    pings
	download download
	gameTime gameTime
	left     int32 // seconds of the match; 0: not known, or none
	view     *view
	outcomes bzflag.Outcomes
}

// held is how many bytes a connection takes.
func (c *connection) held() int {
	return int(unsafe.Sizeof(*c)) + len(c.callSign) + len(c.version) + len(c.removal.reason) + c.view.held() +
		c.pings.recent.Held() + c.outcomes.Held()
}

// connectionAt gives a connection that is known, or nil. Lane is that of a message on it.
func (t *tracker) connectionAt(lane uint32, r bzflag.Route) *connection {
	if c := t.connections.GetAt(lane, r); c != nil {
		return *c
	}
	return nil
}

// connectionOf is the same where there is no message that its game is used by.
func (t *tracker) connectionOf(lane uint32, r bzflag.Route) *connection {
	c := t.connectionAt(lane, r)
	if c != nil {
		t.games.Get(r.Server)
	}
	return c
}

// findConnection gives the connection that a message belongs to, a new one if it begins one.
func (e *event) findConnection(r bzflag.Route) *connection {
	c := e.knownConnection(e.place, r)
	if c == nil && !e.tcp() {
		if link, ok := e.layer.Body.(*LinkRequest); ok && e.layer.Fault() == nil {
			c = e.findLinked(r, link.Player.ID)
		}
	}
	if c == nil || e.tcp() && e.replaces(c) {
		c = e.newConnection(r, c)
	}
	if e.tcp() {
		c.tcp, c.conversation = true, e.place.Conversation
	}
	return c
}

// knownConnection gives the connection of a message at a place, by its route or that of its UDP link, nil if there
// is none.
func (t *tracker) knownConnection(p *wire.Place, r bzflag.Route) *connection {
	c := t.connectionAt(p.Lane, r)
	if c == nil && p.Transport == wire.UDP {
		if other := t.links.GetAt(p.Lane, r); other != nil {
			c = t.connectionAt(p.Lane, *other)
		}
	}
	return c
}

// newConnection makes the connection of a route, in place of another one; nil: of none.
func (e *event) newConnection(r bzflag.Route, old *connection) *connection {
	e.lastSerial++
	c := &connection{Route: r, serial: e.lastSerial, since: e.place.Time, player: NoPlayer, speaker: NoPlayer}
	if old != nil {
		old.leave(e.game)
		c.outcomes = old.outcomes
	}
	e.game.open(e.place.Time)
	*e.connections.MakeAt(e.place.Lane, r) = c
	return c
}

// leave takes a connection that has ended from the lists of its game; nil is none. What is pending about the
// connection is decided.
func (c *connection) leave(g *game) {
	c.outcomes.Conclude()
	if g != nil {
		g.forget(c)
	}
}

// replaces reports whether a message belongs to another connection through the same ports.
func (e *event) replaces(c *connection) bool {
	if c.tcp && c.conversation != e.place.Conversation && e.place.Conversation >= 0 {
		return true
	}
	switch e.layer.Body.(type) {
	case *ServerHello:
		return c.hello
	case *ConnectHeader:
		return c.header || e.since(c.since) > lagLife
	}
	return false
}

// findLinked finds the connection of a client that asks for a UDP link from another port. Servers want
// the address to be the same.
func (e *event) findLinked(r bzflag.Route, id PlayerID) *connection {
	owner, ok := e.game.owner(id)
	if !ok || owner.Addr() != r.Client.Addr() {
		return nil
	}
	route := bzflag.Route{Client: owner, Server: r.Server}
	c := e.connectionAt(e.place.Lane, route)
	if c != nil {
		*e.links.MakeAt(e.place.Lane, r) = route
	}
	return c
}

// lostRequests takes note that some of what the client said is missing.
func (c *connection) lostRequests(now int64) {
	c.begun, c.since, c.missed = false, now, clock.At(now)
	if c.view != nil && c.view.known(c.player) != nil {
		c.view.known(c.player).setLife(lifeUnknown, false, now)
	}
	c.forgetActs()
	c.download.forget()
	c.orders.tcp, c.orders.numbers = false, numbers{}
}

// mayHaveSaid reports whether the client may have said of its own tank, since some moment, what the capture lacks.
func (c *connection) mayHaveSaid(since int64) bool {
	return c.missed.Known() && clock.Elapsed(since, c.missed.When()) >= 0
}

// forgetActs forgets what the client said of its own tank.
func (c *connection) forgetActs() { c.died, c.resuming, c.pausing = clock.Moment{}, false, false }

// jump takes note that anything may have been said, and that times are not those of before.
func (c *connection) jump(now int64) {
	c.outcomes, c.killed, c.orders, c.pings = bzflag.Outcomes{}, clock.Moment{}, orders{}, pings{}
	c.lostAnswers(now)
}

// lostAnswers takes note that some of what the server said is missing.
func (c *connection) lostAnswers(now int64) {
	c.lostRequests(now)
	c.reject.Settle()
	c.left, c.gameTime.known = 0, false
	c.forgetGame()
}

// forgetGame forgets the game: what it has become is not known until the server tells.
func (c *connection) forgetGame() {
	c.setView(nil)
	c.joined = false
}

// allowedBeforeEnter are the messages that a client may send before it enters.
var allowedBeforeEnter = map[Code]bool{
	CodeEnter: true, CodeQueryGame: true, CodeQueryPlayers: true, CodeWantWHash: true, CodeNegotiateFlags: true,
	CodeGetWorld: true, CodeUDPLinkRequest: true, CodeUDPLinkEstablished: true, CodeWantSettings: true,
}

// recordHello takes the hello. Of a server that is not 2.4 nothing is remembered.
func (e *event) recordHello(h *ServerHello) {
	c := e.connection
	if string(h.Version) != Version {
		c.leave(e.game)
		e.connections.Delete(c.Route)
		return
	}
	c.begun, c.hello, c.player = !e.place.Lossy, true, h.Player.ID
	c.full = h.Player.ID == NoPlayer
	if e.measures() {
		e.measureState(bzflag.Servers, "", "version", string(h.Version))
	}
	if !c.full {
		e.vacate(e.game.seat(c.player))
		e.game.own(c.player, c.Client)
	} else {
		e.measureRefusal("there is no room")
	}
}

// checkFull reports the first message on a connection that has no number.
func (e *event) checkFull(what string) {
	if e.connection.full && e.tcp() {
		e.connection.full = false // once is enough
		e.layer.Report(ruleFull, 0, bzflag.HeaderSize, "%s %s", e.layer.Message.Name, what)
	}
}

// checkEntered checks whether a client has come far enough for its message.
func (e *event) checkEntered() {
	c, l := e.connection, e.layer
	e.checkFull("from a client that has no number")
	switch known := l.Message != unknown.MessageType; {
	case l.Code == CodeEnter && known:
		if c.begun && c.accepted.Known() && (c.enterSeen || e.since(c.accepted.When()) > lagUDP) {
			l.Report(ruleSecondEnter, 0, bzflag.HeaderSize, "player %d has entered already", c.player)
		}
		c.enterSeen = true
		e.recordEntering()
	case !known || c.entered.Known() || !c.begun || allowedBeforeEnter[l.Code]:
	case !e.tcp() && e.since(c.since) <= lagUDP: // it may be of who had the port before
	case e.tcp():
		l.Report(ruleBeforeEnter, 2, 2, "%s before MsgEnter", l.Message.Name)
	default:
		now := e.place.Time
		text := l.Message.Name + " before MsgEnter"
		e.postpone(bzflag.PendingFinding{Rule: ruleBeforeEnter, Text: text, Excuse: func() bool {
			return !c.begun || c.entered.Known() && clock.Elapsed(c.entered.When(), now) >= -disorder
		}})
	}
}

// recordEntering takes note that the client wants to join.
func (e *event) recordEntering() {
	if !e.connection.entered.Known() {
		e.connection.entered = clock.At(e.place.Time)
	}
}

// recordEnter takes what a client says of itself.
func (e *event) recordEnter(b *Enter) {
	c := e.connection
	c.kindKnown, c.kind, c.callSign, c.version = true, b.Type, callSign(b.CallSign), string(wire.Trim(b.Version))
}

// checkDismissed checks whether the client is still there for a server's message.
func (e *event) checkDismissed() {
	c, l := e.connection, e.layer
	e.checkFull("to a client that was given no number")
	if behind := e.since(c.killed.When()); c.killed.Known() && (e.tcp() || behind > lagUDP) {
		l.Report(ruleSuperKill, 0, min(bzflag.HeaderSize, len(l.Contents)),
			"%s, %.3f s after MsgSuperKill", l.Message.Name, seconds(behind))
	}
}

// checkAccept takes MsgAccept.
func (e *event) checkAccept(p *Player) {
	c := e.connection
	if c.player != NoPlayer && c.hello && p.ID != c.player {
		e.layer.Report(ruleAcceptID, bzflag.HeaderSize, 1, "the number is %d, the hello said %d", p.ID, c.player)
	} else {
		c.player = p.ID
	}
	e.recordEntering()
	c.accepted = clock.At(e.place.Time)
	c.setView(newView(!c.watchesReplay(), e.place.Time))
}

// watchesReplay reports whether the client watches a replay: those who play there may have come long
// before, whenever the server tells of them.
func (c *connection) watchesReplay() bool {
	return c.player >= replayWatchers && int(c.player) < maxTanks
}

// recordReject takes MsgReject. A MsgSuperKill has to follow at once; where the capture has nothing further of the
// stream, it may lack that.
func (e *event) recordReject(b *Reject) {
	reason := b.Reason.String() + ": " + string(wire.Trim(b.Text))
	c, at := e.connection, e.place.Time
	e.connection.removal = removal{reason: reason, when: e.place.Time, refused: true}
	e.measureRefusal(reason)
	e.connection.reject = e.postpone(bzflag.PendingFinding{
		Rule: ruleReject, Text: "no MsgSuperKill followed", Enough: lagUDP / 5,
		Excuse: func() bool { return c.streamed <= at },
	})
}

// recordSuperKill takes MsgSuperKill.
func (e *event) recordSuperKill() {
	c := e.connection
	if c.reject != nil && e.since(c.reject.When) <= lagUDP {
		c.reject.Settle()
	}
	c.removal.dismissed = true
	e.measureRemoval()
	e.measureLeaving()
	c.killed = clock.At(e.place.Time)
	e.game.forget(c)
}

// checkSender checks that a client acts in its own name, and reports whether it may do so.
func (e *event) checkSender(as *Player, off int) bool {
	c := e.connection
	if c.player == NoPlayer {
		c.speaker = as.ID
		return true
	}
	if as.ID == c.player {
		return true
	}
	e.layer.Report(ruleForeign, off, 1, "player %d speaks as %s", c.player, as)
	return false
}

// checkLinkRequest takes the claim to a player by UDP.
func (e *event) checkLinkRequest(r *LinkRequest) {
	if e.checkSender(&r.Player, bzflag.HeaderSize) {
		e.connection.player = r.Player.ID
	}
}
