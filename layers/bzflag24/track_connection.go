package bzflag24

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// conn is a connection, and the UDP link beside it.
type connection struct {
	bzflag.Route
	since  int64
	stream int
	tcp    bool // stream is that of a TCP connection

	begun     bool // its beginning was seen, and nothing lost since
	header    bool
	hello     bool
	player    PlayerID // NoPlayer: not known
	full      bool     // the hello had no number to give
	enterSeen     bool     // to enter, by a MsgEnter that was seen
	entered   bool
	entering  int64
	accepted  bool
	joined    bool // the server has told everybody
	kindKnown     bool // its MsgEnter told the kind of player
	kind      PlayerType
	reject    *doubt // a MsgReject that no MsgSuperKill followed yet
	accepting int64
	killed    bool // by MsgSuperKill
	killTime  int64
	callSign      string // that it asked for
	reason     string // of the server to this client, the last ones
	reasonTime int64

	// What the client said of itself, which it knows before the server passes it on.
	died     bool
	resuming  bool // its last MsgPause ended a pause
	pausing   bool // its last MsgPause began one
	dropping      bool // it asked to drop its flag
	dropTime int64

	orders   orders // of the client's updates
	pings    pings
	download transfer
	gameTime clock
	left     int32 // seconds of the match; 0: not known, or none
	view     *view
}

// connAt gives a connection that is known, or nil.
func (t *tracker) connectionAt(r bzflag.Route) *connection {
	if c := t.connections.Get(r); c != nil {
		return *c
	}
	return nil
}

// conn gives the connection that a message belongs to, a new one if it begins one.
func (t *tracker) connectionOf(e *event, r bzflag.Route) *connection {
	c := t.connectionAt(r)
	if c == nil && !e.tcp() {
		if other := t.links.Get(r); other != nil {
			c = t.connectionAt(*other)
		}
		if link, ok := e.layer.Body.(*LinkRequest); ok && c == nil && e.layer.Fault() == nil {
			c = t.findLinked(e, r, link.Player.ID)
		}
	}
	if c == nil || e.tcp() && c.replacedBy(e) {
		if c != nil {
			e.game.forget(c)
		}
		c = &connection{Route: r, since: e.place.Time, player: NoPlayer}
		*t.connections.Make(r) = c
	}
	if e.tcp() {
		c.tcp, c.stream = true, e.place.Conversation
	}
	return c
}

// over reports whether a message belongs to another connection through the same ports.
func (c *connection) replacedBy(e *event) bool {
	if c.tcp && c.stream != e.place.Conversation && e.place.Conversation >= 0 {
		return true
	}
	switch e.layer.Body.(type) {
	case *ServerHello:
		return c.hello
	case *ConnectHeader:
		return c.header || elapsed(c.since, e.place.Time) > lagLife
	}
	return false
}

// link finds the connection of a client that asks for a UDP link from another port. Servers want the
// address to be the same.
func (t *tracker) findLinked(e *event, r bzflag.Route, id PlayerID) *connection {
	owner := e.game.owners[id]
	if !owner.IsValid() || owner.Addr() != r.Client.Addr() {
		return nil
	}
	route := bzflag.Route{Client: owner, Server: r.Server}
	c := t.connectionAt(route)
	if c != nil {
		*t.links.Make(r) = route
	}
	return c
}

// forget takes a client that leaves from the lists of its game.
func (e *event) forget() { e.game.forget(e.connection) }

func (g *game) forget(c *connection) {
	if g.owners[c.player] == c.Client {
		g.owners[c.player] = netip.AddrPort{}
	}
	if g.witness == c.Client {
		g.witness = netip.AddrPort{}
	}
}

// lostRequests takes note that some of what the client said is missing.
func (c *connection) lostRequests(now int64) {
	c.begun, c.since = false, now
	c.died, c.resuming, c.pausing = false, false, false
	c.download.forget()
	c.orders.tcp = false
}

// lostAnswers takes note that some of what the server said is missing.
func (c *connection) lostAnswers(now int64) {
	c.lostRequests(now)
	if c.reject != nil {
		c.reject.settled = true
	}
	c.left, c.gameTime.known = 0, false
	c.forgetGame()
}

// blind forgets the game: what it has become is not known until the server tells.
func (c *connection) forgetGame() { c.view, c.joined = nil, false }

// early are the messages that a client may send before it enters.
var allowedBeforeEnter = map[Code]bool{
	CodeEnter: true, CodeQueryGame: true, CodeQueryPlayers: true, CodeWantWHash: true, CodeNegotiateFlags: true,
	CodeGetWorld: true, CodeUDPLinkRequest: true, CodeUDPLinkEstablished: true, CodeWantSettings: true,
}

// greet takes the client's first bytes.
func (e *event) recordHeader() { e.connection.begun, e.connection.header = true, true }

// welcome takes the hello.
func (e *event) recordHello(h *ServerHello) {
	c := e.connection
	if string(h.Version) != Version {
		e.forget()
		e.connections.Delete(c.Route)
		return
	}
	c.begun, c.hello, c.player = true, true, h.Player.ID
	c.full = h.Player.ID == NoPlayer
	if !c.full {
		e.game.owners[c.player] = c.Client
	}
}

// checkBegin judges a client's message by how far the client has come.
func (e *event) checkEntered() {
	c, l := e.connection, e.layer
	if c.full && e.tcp() {
		c.full = false // once is enough
		l.Report(ruleFull, 0, bzflag.HeaderSize, "%s from a client that has no number", l.Message.Name)
	}
	switch known := l.Message != unknown.MessageType; {
	case l.Code == CodeEnter && known:
		if c.accepted && (c.enterSeen || elapsed(c.accepting, e.place.Time) > lagUDP) {
			l.Report(ruleSecondEnter, 0, bzflag.HeaderSize, "player %d has entered already", c.player)
		}
		c.enterSeen = true
		e.recordEntering()
	case !known || c.entered || !c.begun || allowedBeforeEnter[l.Code]:
	case !e.tcp() && elapsed(c.since, e.place.Time) <= lagUDP: // it may be of who had the port before
	case e.tcp():
		l.Report(ruleBeforeEnter, 2, 2, "%s before MsgEnter", l.Message.Name)
	default:
		now := e.place.Time
		e.doubt(&doubt{rule: ruleBeforeEnter, text: l.Message.Name + " before MsgEnter", excuse: func() bool {
			return !c.begun || c.entered && elapsed(c.entering, now) >= -disorder
		}}, overdue)
	}
}

// enter takes note that the client wants to join.
func (e *event) recordEntering() {
	if !e.connection.entered {
		e.connection.entered, e.connection.entering = true, e.place.Time
	}
}

// checkEnd judges a server's message by whether the client is still there.
func (e *event) checkDismissed() {
	c, l := e.connection, e.layer
	if c.full && e.tcp() {
		c.full = false
		l.Report(ruleFull, 0, bzflag.HeaderSize, "%s to a client that was given no number", l.Message.Name)
	}
	if c.killed && (e.tcp() || elapsed(c.killTime, e.place.Time) > lagUDP) {
		l.Report(ruleSuperKill, 0, min(bzflag.HeaderSize, len(l.Contents)), "%s, %.3f s after MsgSuperKill", l.Message.Name, seconds(elapsed(c.killTime, e.place.Time)))
	}
}

// accept takes MsgAccept.
func (e *event) checkAccept(p *Player) {
	c := e.connection
	if c.player != NoPlayer && c.hello && p.ID != c.player {
		e.layer.Report(ruleAcceptID, bzflag.HeaderSize, 1, "the number is %d, the hello said %d", p.ID, c.player)
	} else {
		c.player = p.ID
	}
	e.recordEntering()
	c.accepted, c.accepting = true, e.place.Time
	c.view = newView(!c.watchesReplay(), e.place.Time)
}

// watches reports whether the client watches a replay: those who play there may have come long before,
// whenever the server tells of them.
func (c *connection) watchesReplay() bool { return c.player >= replayWatchers && int(c.player) < maxTanks }

// rejected takes MsgReject. A MsgSuperKill has to follow at once.
func (e *event) recordReject(b *Reject) {
	e.recordReason(b.Reason.String() + ": " + string(wire.Trim(b.Text)))
	e.measureRefusal(b)
	e.connection.reject = e.doubt(&doubt{rule: ruleReject, text: "no MsgSuperKill followed", enough: lagUDP / 5}, overdue)
}

// superKill takes MsgSuperKill.
func (e *event) recordSuperKill() {
	c := e.connection
	if c.reject != nil && elapsed(c.reject.place.Time, e.place.Time) <= lagUDP {
		c.reject.settled = true
	}
	c.killed, c.killTime = true, e.place.Time
	e.measureRemoval()
	e.forget()
}

// speaks checks that a client acts in its own name, and reports whether it may do so.
func (e *event) checkSender(as *Player, off int) bool {
	if e.connection.player == NoPlayer || as.ID == e.connection.player {
		return true
	}
	e.layer.Report(ruleForeign, off, 1, "player %d speaks as %s", e.connection.player, as)
	return false
}

// linkRequest takes the claim to a player by UDP.
func (e *event) checkLinkRequest(r *LinkRequest) {
	if e.checkSender(&r.Player, bzflag.HeaderSize) {
		e.connection.player = r.Player.ID
	}
}
