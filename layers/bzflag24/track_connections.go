package bzflag24

import (
	"bytes"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// connectionTable holds the connections and their games. Each connection has its own view of the game. A server sends
// most messages to all clients: with separate views, the copies do not look like repetitions, and one connection can be
// checked even if the capture lacks parts of the others.
type connectionTable struct {
	byRoute    *bounded.LRU[bzflag.Route, *connection]
	games      *bounded.LRU[netip.AddrPort, game]       // a message on a connection also marks the game as used
	links      *bounded.LRU[bzflag.Route, bzflag.Route] // routes of connections by the routes of their UDP links
	lastSerial uint32
}

var (
	connectionKind = bounded.Kind{
		Name: "connections of BZFlag 2.4 clients", Silent: "finding that needs an earlier message",
	}
	gameKind = bounded.Kind{
		Name: "BZFlag 2.4 servers", Silent: "bzflag24.shot-limit, bzflag24.flag-number or bzflag24.teleport-face",
	}
	linkKind = bounded.Kind{Name: "UDP links of BZFlag 2.4 clients", Silent: "bzflag24.foreign-player"}
)

func newConnectionTable(b *bounded.Budget) *connectionTable {
	t := new(connectionTable)
	t.byRoute = bounded.NewLRU(b, connectionKind, bounded.Values[bzflag.Route, *connection]{
		Held:    func(c **connection) int { return (*c).size() },
		Dropped: func(_ bzflag.Route, c **connection) { t.end(*c) },
	})
	t.games = bounded.NewLRU(b, gameKind, bounded.Values[netip.AddrPort, game]{Held: (*game).size})
	t.links = bounded.NewLRU(b, linkKind, bounded.Values[bzflag.Route, bzflag.Route]{})
	return t
}

// at returns a known connection, or nil. lane is the wire.Place.Lane of a message on the connection.
func (t *connectionTable) at(lane uint32, r *bzflag.Route) *connection {
	if c := t.byRoute.GetAt(lane, *r); c != nil {
		return *c
	}
	return nil
}

// use is for callers without a message. It returns a known connection, or nil, and marks its game as used, as a message
// would.
func (t *connectionTable) use(lane uint32, r *bzflag.Route) *connection {
	c := t.at(lane, r)
	if c != nil {
		t.games.Get(r.Server)
	}
	return c
}

// known returns the connection of a message, or nil. It looks up the route of the connection, then the route of its UDP
// link.
func (t *connectionTable) known(p *wire.Place, r *bzflag.Route) *connection {
	c := t.at(p.Lane, r)
	if c == nil && p.Transport == wire.UDP {
		if other := t.links.GetAt(p.Lane, *r); other != nil {
			c = t.at(p.Lane, other)
		}
	}
	return c
}

// find returns the connection of a message, or a new connection if the message begins one. c is the connection that
// known returned.
func (t *connectionTable) find(m message, g *game, r bzflag.Route, c *connection) *connection {
	if c == nil && !m.tcp() && m.layer.Direction == wire.ToServer {
		c = t.findLinked(m, g, r)
	}
	if c == nil || m.tcp() && c.replacedBy(m) {
		c = t.add(m, g, r, c)
	}
	if m.tcp() {
		c.tcp, c.conversation = true, m.place.Conversation
	}
	return c
}

// findLinked finds the connection of a client whose UDP link uses another port. Servers require the same IP address for
// both.
func (t *connectionTable) findLinked(m message, g *game, r bzflag.Route) *connection {
	id, ok := claimed(m.layer)
	if !ok {
		return nil
	}
	c := t.ofNumber(m, g, r, id)
	if c == nil || !c.mayLink(m, r) {
		return nil
	}
	if c.link.in {
		c.link.from = r.Client // the capture lacks the request for a link
	}
	*t.links.MakeAt(m.place.Lane, r) = c.Route
	return c
}

// ofNumber returns the connection of the client to which the server assigned a player number, or nil if it is not
// known.
func (t *connectionTable) ofNumber(m message, g *game, r bzflag.Route, id PlayerID) *connection {
	if client, ok := g.client(id); ok {
		return t.at(m.place.Lane, &bzflag.Route{Client: client, Server: r.Server})
	}
	return nil
}

// add adds a connection. If old is not nil, the new connection replaces it.
func (t *connectionTable) add(m message, g *game, r bzflag.Route, old *connection) *connection {
	t.lastSerial++
	c := &connection{Route: r, serial: t.lastSerial, since: m.place.Time}
	c.player, c.speaker = NoPlayer, NoPlayer
	if old != nil {
		t.end(old)
		c.outcomes = old.outcomes
	}
	if g.begin(m.place.Time); !g.place.Src.IsValid() {
		g.place = *m.place
	}
	*t.byRoute.MakeAt(m.place.Lane, r) = c
	return c
}

// end decides the pending findings of a connection that leaves the table, and removes the connection from its game.
func (t *connectionTable) end(c *connection) {
	c.removed = true
	c.outcomes.Conclude()
	if g := t.games.Peek(c.Server); g != nil {
		g.remove(c)
	}
}

// remove drops a connection.
func (t *connectionTable) remove(c *connection) {
	t.end(c)
	t.byRoute.Delete(c.Route)
}

// game returns the game of a server. lane is the wire.Place.Lane of a message to or from the server.
func (t *connectionTable) game(lane uint32, server netip.AddrPort) *game {
	g := t.games.MakeAt(lane, server)
	if !g.initialized {
		g.initialized, g.players = true, -1
	}
	return g
}

// ofPlayer returns the connection of a player in the event's game, or nil if it is not known.
func (t *connectionTable) ofPlayer(e event, id PlayerID) *connection {
	g := e.game
	i := bytes.IndexByte(g.assigned, byte(id))
	if i < 0 {
		return nil
	}
	if c := g.found[i]; c != nil && !c.removed {
		return c
	}
	if c := t.byRoute.Peek(bzflag.Route{Client: g.clients[i], Server: e.server()}); c != nil {
		g.found[i] = *c
		return *c
	}
	return nil
}

// jump handles a gap in the capture: any message on any connection may be missing.
func (t *connectionTable) jump(now int64) {
	t.byRoute.Each(func(_ bzflag.Route, c **connection) { (*c).jump(now) })
	t.games.Each(func(_ netip.AddrPort, g *game) { g.jump() })
}
