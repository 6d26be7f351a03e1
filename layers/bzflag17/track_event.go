package bzflag17

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// event is a message with its connection and its game.
type event struct {
	message
	route  bzflag.Route // route of the connection
	conn   *connection
	server netip.AddrPort // identifies the game
	game   *game
}

// connectionTable holds the connections.
type connectionTable struct {
	byRoute    *bounded.LRU[bzflag.Route, connection]
	links      *bounded.LRU[udpLink, bzflag.Route] // maps a client's UDP port to a connection
	lastSerial uint32                              // serial number of the newest connection
}

// udpLink identifies a UDP link by the client's port and the server's address.
type udpLink struct {
	client netip.AddrPort
	server netip.Addr
}

var (
	keptConnections = bounded.Kind{
		Name:   "connections to BZFlag 1.07 games",
		Silent: "findings about the game, values",
	}
	keptLinks = bounded.Kind{Name: "UDP links of BZFlag 1.07 clients", Silent: "finding or value of their datagrams"}
)

func newConnections(b *bounded.Budget) *bounded.LRU[bzflag.Route, connection] {
	return bounded.NewLRU(b, keptConnections, bounded.Values[bzflag.Route, connection]{
		Held:    (*connection).held,
		Dropped: func(_ bzflag.Route, c *connection) { c.outcomes.settleAll() },
	})
}

// find sets the connection of an event, and reports whether the connection is known. r is the route of the message.
func (t *connectionTable) find(e *event, r bzflag.Route) bool {
	e.route = r
	if !e.tcp() {
		route := t.links.GetAt(e.place.Lane, udpLink{r.Client, r.Server.Addr()})
		if route == nil {
			return false
		}
		e.route = *route
	}
	e.conn = t.byRoute.GetAt(e.place.Lane, e.route)
	return e.conn != nil
}

// adopt finds the connection of a client whose first datagram does not come from the port that the client announced.
// Some routers change the port. As servers do, adopt assigns the datagram to a client at the same address that has not
// sent a datagram yet.
func (t *connectionTable) adopt(e *event, r bzflag.Route) bool {
	route := t.links.Get(udpLink{netip.AddrPortFrom(r.Client.Addr(), 0), r.Server.Addr()})
	if route == nil || !e.fromClient() {
		return false
	}
	e.route = *route
	if e.conn = t.byRoute.GetAt(e.place.Lane, e.route); e.conn == nil || e.conn.linkUsed {
		return false
	}
	*t.links.Make(udpLink{r.Client, r.Server.Addr()}) = e.route
	return true
}

// make is like find, but for a message of a stream. Such a message may begin a connection.
func (t *connectionTable) make(e *event, r bzflag.Route) (begins bool) {
	e.route, e.conn = r, t.byRoute.MakeAt(e.place.Lane, r)
	if e.conn.serial != 0 && e.conn.conversation == e.place.Conversation {
		return false
	}
	t.lastSerial++
	e.conn.outcomes.settleAll()
	*e.conn = connection{conversation: e.place.Conversation, serial: t.lastSerial, whole: e.place.Time}
	return true
}

// link records a client's port for a UDP link.
func (t *connectionTable) link(e *event, port uint16) {
	const most = 16 // ports per connection; real clients have one
	c := e.conn
	c.hasLink = true
	link := udpLink{netip.AddrPortFrom(e.route.Client.Addr(), port), e.route.Server.Addr()}
	if t.links.Get(link) == nil {
		if c.links >= most {
			return
		}
		c.links++
	}
	*t.links.Make(link) = e.route
	link.client = netip.AddrPortFrom(link.client.Addr(), 0) // any port, until the first datagram comes
	*t.links.Make(link) = e.route
}

// gameTable holds the games. In 1.07c, each client of a game has its own port at the server, which a hello announces. A
// capture that begins later lacks the hello. However, the ids of players contain these ports, so two ports that appear
// on one connection belong to the same game.
type gameTable struct {
	byServer   *bounded.LRU[netip.AddrPort, game]   // keys are the addresses that server returns
	announcers *bounded.LRU[netip.AddrPort, uint16] // maps an announced port to the port of its hello, on the same host
	ports      *bounded.LRU[netip.AddrPort, uint16] // maps a port of a server to the port that identifies the game
}

var (
	keptGames = bounded.Kind{
		Name: "BZFlag 1.07 games",
		Silent: ruleFlagNumber.ID + ", " + ruleShotLimit.ID + ", " + ruleSticky.ID + ", " + ruleFace.ID +
			" or name of a player",
	}
	keptAnnouncers = bounded.Kind{Name: "announced ports of BZFlag 1.07", Silent: "link to the server that announced them"}
	keptGamePorts  = bounded.Kind{
		Name: "ports of BZFlag 1.07 games captured from the middle", Silent: "knowledge that two ports are one game",
	}
)

func newGameTable(b *bounded.Budget) *gameTable {
	return &gameTable{
		byServer:   bounded.NewLRU(b, keptGames, bounded.Values[netip.AddrPort, game]{Held: (*game).held}),
		announcers: bounded.NewLRU(b, keptAnnouncers, bounded.Values[netip.AddrPort, uint16]{}),
		ports:      bounded.NewLRU(b, keptGamePorts, bounded.Values[netip.AddrPort, uint16]{}),
	}
}

// find finds the game of an event's connection.
func (t *gameTable) find(e *event) {
	e.server = t.server(netip.AddrPortFrom(e.route.Server.Addr(), e.conn.helloPort))
	e.game = t.byServer.GetAt(e.place.Lane, e.server)
}

// make returns the game of an event. It adds the game if necessary.
func (t *gameTable) make(e *event) *game {
	if e.game == nil {
		e.game = t.byServer.MakeAt(e.place.Lane, e.server)
	}
	return e.game
}

// server returns the address that identifies the game at a port of a server.
func (t *gameTable) server(a netip.AddrPort) netip.AddrPort {
	const longest = 64 // maximum length of a chain of ports
	for range longest {
		next := t.ports.Get(a)
		if next == nil {
			break
		}
		a = netip.AddrPortFrom(a.Addr(), *next)
	}
	return a
}

// recognize finds the game of a connection from the players in a message. A message about players begins with their
// ids, for example the victim's and the killer's, or the sender's and the receiver's.
func (t *gameTable) recognize(e *event) {
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
			t.recognizePort(c, netip.AddrPortFrom(host, id.Port))
		}
		body = body[playerIDSize:]
	}
}

// recognizePort records that a player's port belongs to the game of a connection. If two games turn out to be the same,
// they are merged into the game that has reported values or events. If neither has reported any, the game whose hello
// was captured remains.
func (t *gameTable) recognizePort(c *connection, port netip.AddrPort) {
	other := port
	announced := t.announcers.Get(port)
	if announced != nil {
		other = netip.AddrPortFrom(port.Addr(), *announced)
	}
	here, there := t.server(netip.AddrPortFrom(port.Addr(), c.helloPort)), t.server(other)
	known := t.hasReported(there) || there != other && !t.hasReported(here)
	switch {
	case here == there, !c.unannounced && (announced != nil || !known):
	case known:
		t.join(here, there)
	default:
		t.join(there, here)
	}
}

// hasReported reports whether values or events of the game at an address were reported.
func (t *gameTable) hasReported(server netip.AddrPort) bool {
	g := t.byServer.Peek(server)
	return g != nil && g.reported
}

// join merges two games that turned out to be the same. It adds the state of the first to the second, and deletes the
// first.
func (t *gameTable) join(from, to netip.AddrPort) {
	*t.ports.Make(from) = to.Port()
	met := t.byServer.Peek(from)
	if met == nil {
		return
	}
	old := *met
	t.byServer.Delete(from)
	g := t.byServer.Make(to)
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
