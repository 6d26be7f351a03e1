package bzflag24

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// conn is a connection, and the UDP link beside it.
type conn struct {
	bzflag.Route
	since  int64
	stream int
	tcp    bool // stream is that of a TCP connection

	begun     bool // its beginning was seen, and nothing lost since
	header    bool
	hello     bool
	player    PlayerID // NoPlayer: not known
	full      bool     // the hello had no number to give
	asked     bool     // to enter, by a MsgEnter that was seen
	entered   bool
	entering  int64
	accepted  bool
	joined    bool // the server has told everybody
	typed     bool // its MsgEnter told the kind of player
	kind      PlayerType
	reject    *doubt // a MsgReject that no MsgSuperKill followed yet
	accepting int64
	killed    bool // by MsgSuperKill
	killTime  int64
	sign      string // that it asked for
	words     string // of the server to this client, the last ones
	wordsTime int64

	// What the client said of itself, which it knows before the server passes it on.
	died     bool
	resumed  bool // its last MsgPause ended a pause
	halted   bool // its last MsgPause began one
	let      bool // it asked to drop its flag
	dropTime int64

	orders   orders // of the client's updates
	pings    pings
	download transfer
	gameTime clock
	left     int32 // seconds of the match; 0: not known, or none
	view     *view
}

// connAt gives a connection that is known, or nil.
func (t *tracker) connAt(r bzflag.Route) *conn {
	if c := t.conns.Get(r); c != nil {
		return *c
	}
	return nil
}

// conn gives the connection that a message belongs to, a new one if it begins one.
func (t *tracker) conn(e *event, r bzflag.Route) *conn {
	c := t.connAt(r)
	if c == nil && !e.tcp() {
		if other := t.links.Get(r); other != nil {
			c = t.connAt(*other)
		}
		if link, ok := e.l.Body.(*LinkRequest); ok && c == nil && e.l.Fault() == nil {
			c = t.link(e, r, link.Player.ID)
		}
	}
	if c == nil || e.tcp() && c.over(e) {
		if c != nil {
			e.g.forget(c)
		}
		c = &conn{Route: r, since: e.p.Time, player: NoPlayer}
		*t.conns.Make(r) = c
	}
	if e.tcp() {
		c.tcp, c.stream = true, e.p.Conversation
	}
	return c
}

// over reports whether a message belongs to another connection through the same ports.
func (c *conn) over(e *event) bool {
	if c.tcp && c.stream != e.p.Conversation && e.p.Conversation >= 0 {
		return true
	}
	switch e.l.Body.(type) {
	case *ServerHello:
		return c.hello
	case *ConnectHeader:
		return c.header || elapsed(c.since, e.p.Time) > lagLife
	}
	return false
}

// link finds the connection of a client that asks for a UDP link from another port. Servers want the
// address to be the same.
func (t *tracker) link(e *event, r bzflag.Route, id PlayerID) *conn {
	owner := e.g.owners[id]
	if !owner.IsValid() || owner.Addr() != r.Client.Addr() {
		return nil
	}
	route := bzflag.Route{Client: owner, Server: r.Server}
	c := t.connAt(route)
	if c != nil {
		*t.links.Make(r) = route
	}
	return c
}

// forget takes a client that leaves from the lists of its game.
func (e *event) forget() { e.g.forget(e.c) }

func (g *game) forget(c *conn) {
	if g.owners[c.player] == c.Client {
		g.owners[c.player] = netip.AddrPort{}
	}
	if g.witness == c.Client {
		g.witness = netip.AddrPort{}
	}
}

// lostRequests takes note that some of what the client said is missing.
func (c *conn) lostRequests(now int64) {
	c.begun, c.since = false, now
	c.died, c.resumed, c.halted = false, false, false
	c.download.forget()
	c.orders.tcp = false
}

// lostAnswers takes note that some of what the server said is missing.
func (c *conn) lostAnswers(now int64) {
	c.lostRequests(now)
	if c.reject != nil {
		c.reject.settled = true
	}
	c.left, c.gameTime.known = 0, false
	c.blind()
}

// blind forgets the game: what it has become is not known until the server tells.
func (c *conn) blind() { c.view, c.joined = nil, false }

// early are the messages that a client may send before it enters.
var early = map[Code]bool{
	CodeEnter: true, CodeQueryGame: true, CodeQueryPlayers: true, CodeWantWHash: true, CodeNegotiateFlags: true,
	CodeGetWorld: true, CodeUDPLinkRequest: true, CodeUDPLinkEstablished: true, CodeWantSettings: true,
}

// greet takes the client's first bytes.
func (e *event) greet() { e.c.begun, e.c.header = true, true }

// welcome takes the hello.
func (e *event) welcome(h *ServerHello) {
	c := e.c
	if string(h.Version) != Version {
		e.forget()
		e.conns.Delete(c.Route)
		return
	}
	c.begun, c.hello, c.player = true, true, h.Player.ID
	c.full = h.Player.ID == NoPlayer
	if !c.full {
		e.g.owners[c.player] = c.Client
	}
}

// checkBegin judges a client's message by how far the client has come.
func (e *event) checkBegin() {
	c, l := e.c, e.l
	if c.full && e.tcp() {
		c.full = false // once is enough
		l.Report(ruleFull, 0, bzflag.HeaderSize, "%s from a client that has no number", l.Message.Name)
	}
	switch known := l.Message != unknown.MessageType; {
	case l.Code == CodeEnter && known:
		if c.accepted && (c.asked || elapsed(c.accepting, e.p.Time) > lagUDP) {
			l.Report(ruleSecondEnter, 0, bzflag.HeaderSize, "player %d has entered already", c.player)
		}
		c.asked = true
		e.enter()
	case !known || c.entered || !c.begun || early[l.Code]:
	case !e.tcp() && elapsed(c.since, e.p.Time) <= lagUDP: // it may be of who had the port before
	case e.tcp():
		l.Report(ruleBeforeEnter, 2, 2, "%s before MsgEnter", l.Message.Name)
	default:
		now := e.p.Time
		e.doubt(&doubt{rule: ruleBeforeEnter, text: l.Message.Name + " before MsgEnter", excuse: func() bool {
			return !c.begun || c.entered && elapsed(c.entering, now) >= -disorder
		}}, overdue)
	}
}

// enter takes note that the client wants to join.
func (e *event) enter() {
	if !e.c.entered {
		e.c.entered, e.c.entering = true, e.p.Time
	}
}

// checkEnd judges a server's message by whether the client is still there.
func (e *event) checkEnd() {
	c, l := e.c, e.l
	if c.full && e.tcp() {
		c.full = false
		l.Report(ruleFull, 0, bzflag.HeaderSize, "%s to a client that was given no number", l.Message.Name)
	}
	if c.killed && (e.tcp() || elapsed(c.killTime, e.p.Time) > lagUDP) {
		l.Report(ruleSuperKill, 0, min(bzflag.HeaderSize, len(l.Contents)), "%s, %.3f s after MsgSuperKill", l.Message.Name, seconds(elapsed(c.killTime, e.p.Time)))
	}
}

// accept takes MsgAccept.
func (e *event) accept(p *Player) {
	c := e.c
	if c.player != NoPlayer && c.hello && p.ID != c.player {
		e.l.Report(ruleAcceptID, bzflag.HeaderSize, 1, "the number is %d, the hello said %d", p.ID, c.player)
	} else {
		c.player = p.ID
	}
	e.enter()
	c.accepted, c.accepting = true, e.p.Time
	c.view = newView(!c.watches(), e.p.Time)
}

// watches reports whether the client watches a replay: those who play there may have come long before,
// whenever the server tells of them.
func (c *conn) watches() bool { return c.player >= replayWatchers && int(c.player) < maxTanks }

// rejected takes MsgReject. A MsgSuperKill has to follow at once.
func (e *event) rejected(b *Reject) {
	e.remember(b.Reason.String() + ": " + string(wire.Trim(b.Text)))
	e.refuse(b)
	e.c.reject = e.doubt(&doubt{rule: ruleReject, text: "no MsgSuperKill followed", enough: lagUDP / 5}, overdue)
}

// superKill takes MsgSuperKill.
func (e *event) superKill() {
	c := e.c
	if c.reject != nil && elapsed(c.reject.place.Time, e.p.Time) <= lagUDP {
		c.reject.settled = true
	}
	c.killed, c.killTime = true, e.p.Time
	e.removed()
	e.forget()
}

// speaks checks that a client acts in its own name, and reports whether it may do so.
func (e *event) speaks(as *Player, off int) bool {
	if e.c.player == NoPlayer || as.ID == e.c.player {
		return true
	}
	e.l.Report(ruleForeign, off, 1, "player %d speaks as %s", e.c.player, as)
	return false
}

// linkRequest takes the claim to a player by UDP.
func (e *event) linkRequest(r *LinkRequest) {
	if e.speaks(&r.Player, bzflag.HeaderSize) {
		e.c.player = r.Player.ID
	}
}
