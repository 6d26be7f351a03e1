package bzflag17

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const maxWorld = 1 << 16 // offsets have 16 bits

// In 1.07c, each announced port serves one client. In 1.07e, one announced port serves all clients.
var keptPorts = bounded.Kind{Name: "ports that BZFlag 1.07 servers announced",
	Silent: "recognition of connections by their port"}

var keptClients = bounded.Kind{Name: "players of BZFlag 1.07 clients", Silent: "name of the sender"}

var keptWorlds = bounded.Kind{Name: "worlds on their way to BZFlag 1.07 clients", Silent: "world"}

var keptRosters = bounded.Kind{Name: "rosters of BZFlag 1.07 servers", Silent: "call sign"}

// session handles the updates between players, which go to a multicast group or a broadcast address instead of a
// server. It also remembers players' names and the ports that hellos announce, and joins the parts of worlds.
type session struct {
	announced *bounded.LRU[netip.AddrPort, uint16] // port of the hello's sender; the key is the announced address
	servers   *bounded.LRU[netip.AddrPort, server] // keys are the addresses that send hellos
	scratch   World                                // reused to check whether a world can be read

	bzflag.Clients[PlayerID] // the player of a connection, under the id that other clients use
}

func newSession(b *bounded.Budget) wire.Session {
	return &session{
		announced: bounded.NewLRU(b, keptPorts, bounded.Values[netip.AddrPort, uint16]{}),
		servers: bounded.NewLRU(b, keptRosters, bounded.Values[netip.AddrPort, server]{
			Held: func(s *server) int { return s.names.Held() },
		}),
		Clients: bzflag.Clients[PlayerID]{
			ByRoute:   bounded.NewLRU(b, keptClients, bounded.Values[bzflag.Route, PlayerID]{}),
			Downloads: bzflag.NewDownloads(b, keptWorlds, maxWorld),
		},
	}
}

type server struct{ names *bzflag.Roster }

func (s *session) Before(l wire.Layer, d *wire.Datagram) {
	c := &l.Core().Context
	l.(*Layer).Sender = Player{}
	if isGroup(d.Dst.Addr()) {
		c.Direction = wire.PeerToPeer
	}
	if r, ok := bzflag.RouteOf(c.Direction, d.Src, d.Dst); ok {
		if here := s.servers.GetAt(d.Lane, s.greeter(d.Lane, r.Server)); here != nil {
			c.Roster = here.names
		}
		s.nameSender(l.(*Layer), r, d.Lane)
	}
}

func (s *session) nameSender(l *Layer, r bzflag.Route, lane uint32) {
	if l.Context.Direction != wire.ToServer {
		return
	}
	if id := s.ByRoute.GetAt(lane, r); id != nil {
		l.Sender.ID = *id
		if l.Context.Roster != nil {
			l.Sender.CallSign = l.Context.Roster.Name(id.order())
		}
	}
}

// greeter returns the address that sent the hello for a connection to a server. Players of the same game connect to
// different announced ports, but their hellos come from the same port. lane is the lane of a message to or from the
// server.
func (s *session) greeter(lane uint32, server netip.AddrPort) netip.AddrPort {
	if port := s.announced.GetAt(lane, server); port != nil {
		return netip.AddrPortFrom(server.Addr(), *port)
	}
	return server
}

func isGroup(a netip.Addr) bool {
	return a.IsMulticast() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

func (s *session) After(l wire.Layer, d *wire.Datagram) {
	switch b := l.Core().Body.(type) {
	case *ServerHello:
		s.Downloads.Forget(bzflag.Route{Client: d.Dst, Server: d.Src})
		if b.ReconnectPort != 0 { // zero means that the client is refused
			*s.announced.Make(netip.AddrPortFrom(d.Src.Addr(), b.ReconnectPort)) = d.Src.Port()
			s.free(d.Src, b.ReconnectPort)
		}
	case *AddPlayer:
		id := b.Player.ID
		if b.HasNewID {
			id = b.NewID // the player's own client uses b.Player.ID, all other clients use the new id
			*s.ByRoute.MakeAt(d.Lane, bzflag.Route{Client: d.Dst, Server: d.Src}) = id
		}
		s.recordName(l.(*Layer), d, id, callSign(b.CallSign))
	case *RemovePlayer:
		s.recordName(l.(*Layer), d, b.Player.ID, "")
	case *WorldRequest:
		s.Downloads.Request(bzflag.Route{Client: d.Src, Server: d.Dst}, int(b.Offset))
	case *WorldPart:
		l.(*Layer).World = s.joinWorld(bzflag.Route{Client: d.Dst, Server: d.Src}, b)
	case *Enter:
		*s.ByRoute.MakeAt(d.Lane, bzflag.Route{Client: d.Src, Server: d.Dst}) = b.Player
		s.Downloads.Finish(bzflag.Route{Client: d.Src, Server: d.Dst}) // a client that enters has the whole world
	}
}

// free removes the name of the id that the next client at an announced port will have. The previous client at this port
// had the same id.
func (s *session) free(greeter netip.AddrPort, port uint16) {
	here := s.servers.Get(greeter)
	if host := greeter.Addr().Unmap(); here != nil && host.Is4() {
		here.names = here.names.With(PlayerID{Host: host.As4(), Port: port}.order(), "")
	}
}

// recordName records a player's name from a server's message. The name is "" if the player is gone.
func (s *session) recordName(l *Layer, d *wire.Datagram, id PlayerID, name string) {
	if l.Direction != wire.FromServer || l.Fault() != nil {
		return
	}
	here := s.servers.MakeAt(d.Lane, s.greeter(d.Lane, d.Src))
	here.names = here.names.With(id.order(), name)
	if name != "" { // the message that removes a player still shows the player's name
		l.Context.Roster = here.names
	}
}

// joinWorld joins a part of a world, and returns the world if the part completes it. In real servers, `remaining`
// includes the part itself; in the protocol document, it does not. joinWorld accepts both.
func (s *session) joinWorld(r bzflag.Route, p *WorldPart) []byte {
	data, n := s.Downloads.Receive(r, p.Data), len(p.Data)
	if data == nil || n == 0 || int(p.Remaining) != n && p.Remaining != 0 || !wire.Fits(&s.scratch, data) {
		return nil
	}
	if w := &s.scratch; len(w.Blocks) > 0 && w.Blocks[len(w.Blocks)-1].Code == BlockEnd {
		s.Downloads.Finish(r)
	}
	return data
}

func (s *session) Expects(server netip.AddrPort) bool {
	return s.announced.Get(server) != nil
}
