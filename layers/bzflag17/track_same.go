package bzflag17

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// In 1.07c each client of a game has a port of its own at the server, which a hello announces. A capture that begins
// later lacks the hello, but the ids of players have these ports: two ports that one connection names are one game.

var keptGamePorts = bounded.Kind{
	Name: "ports of BZFlag 1.07 games that were met in the middle", Silent: "knowledge that two ports are one game",
}

// gamePort is the port by which a game is known that has a port at a host.
func (t *tracker) gamePort(host netip.Addr, port uint16) uint16 {
	const longest = 64 // way from port to port
	for range longest {
		next := t.ports.Get(netip.AddrPortFrom(host, port))
		if next == nil {
			break
		}
		port = *next
	}
	return port
}

// recognizeGame finds by the players whom the message at hand names which game its connection belongs to. Messages
// about players begin with their ids: the victim's and the killer's, the sender's and the receiver's.
func (e *event) recognizeGame() {
	c, host := e.conn, e.route.Server.Addr()
	if !c.unannounced && e.layer.Code != CodeAddPlayer || e.layer.Fault() != nil || !host.Unmap().Is4() {
		return
	}
	body := e.layer.Contents[min(headerSize, len(e.layer.Contents)):]
	for range 2 {
		if len(body) < playerIDSize {
			return
		}
		id := playerIDFrom([playerIDSize]byte(body))
		if id.Host == host.Unmap().As4() && id.Port != 0 {
			e.recognizePort(netip.AddrPortFrom(host, id.Port))
		}
		body = body[playerIDSize:]
	}
}

// recognizePort takes note that the port of a player belongs to the game of the connection at hand. Of two games that
// are one, that is kept of which something was told; a hello that announced a port came later.
func (e *event) recognizePort(port netip.AddrPort) {
	other := port.Port()
	announced := e.announcers.Get(port)
	if announced != nil {
		other = *announced
	}
	here, there := e.server(), netip.AddrPortFrom(port.Addr(), e.gamePort(port.Addr(), other))
	known := e.hasReported(there) || there.Port() != other && !e.hasReported(here)
	switch {
	case here == there, !e.conn.unannounced && (announced != nil || !known):
	case known:
		e.joinGames(here, there)
	default:
		e.joinGames(there, here)
	}
}

// hasReported reports whether something was told of the game that is known by a port.
func (t *tracker) hasReported(server netip.AddrPort) bool {
	g := t.games.Peek(server)
	return g != nil && g.reported
}

// joinGames takes note that one game is another one, and adds to that what is known of it.
func (t *tracker) joinGames(from, to netip.AddrPort) {
	*t.ports.Make(from) = to.Port()
	met := t.games.Peek(from)
	if met == nil {
		return
	}
	old := *met
	t.games.Delete(from)
	g := t.games.Make(to)
	g.reported = g.reported || old.reported
	for _, p := range old.players.sorted() {
		if g.players.get(p.id) == nil {
			g.players.add(p.id, p.identity)
		}
	}
	if g.style == nil {
		g.style, g.faces, g.links, g.worldSize = old.style, old.faces, old.links, old.worldSize
	}
}
