package bzflag24

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bzflag"
)

// Bounds of what is remembered. When there are more, all are forgotten and learned anew.
const (
	maxServers = 1024
	maxClients = 1024
)

// session remembers the servers of a capture.
type session struct {
	servers   map[netip.AddrPort]*server
	downloads bzflag.Downloads
}

func newSession() *session {
	return &session{servers: make(map[netip.AddrPort]*server), downloads: bzflag.Downloads{Max: maxDatabase}}
}

// server is one of them, with those who play there.
type server struct {
	older   bool
	names   [256]string // call signs by number
	clients map[netip.AddrPort]*client
}

// client is a connection, and the UDP link from the same address and port.
type client struct {
	player Player
	hash   [worldHashSize]byte // of the world that the server announced
	rules  Settings
}

// Name implements wire.Roster.
func (s *server) Name(number uint64) string {
	if number >= uint64(len(s.names)) {
		return ""
	}
	return s.names[number]
}

// Expects implements wire.Expecter.
func (s *session) Expects(server netip.AddrPort) bool { return s.servers[server] != nil }

// ends tells which end of a datagram is the server, as far as that is known.
func (s *session) ends(way wire.Direction, d *wire.Datagram) (server, client netip.AddrPort, ok bool) {
	switch way {
	case wire.FromServer:
		return d.Src, d.Dst, true
	case wire.ToServer:
		return d.Dst, d.Src, true
	}
	return netip.AddrPort{}, netip.AddrPort{}, false
}

// Before implements wire.Session.
func (s *session) Before(layer wire.Layer, d *wire.Datagram) {
	l := layer.(*Layer)
	l.Sender, l.older = nil, false
	at, from, ok := s.ends(l.Context.Direction, d)
	known := s.servers[at]
	if !ok || known == nil {
		return
	}
	l.Context.Roster, l.older = known, known.older
	if c := known.clients[from]; c != nil && l.Context.Direction == wire.ToServer && c.player.ID != NoPlayer {
		c.player.CallSign = known.names[c.player.ID]
		l.Sender = &c.player
	}
}

// After implements wire.Session.
func (s *session) After(layer wire.Layer, d *wire.Datagram) {
	l := layer.(*Layer)
	at, to, ok := s.ends(l.Direction, d)
	if !ok || l.Fault() != nil {
		return
	}
	if !l.Context.Stream && l.Direction == wire.ToServer {
		l.checkDatagram(d)
	}
	switch b := l.Body.(type) {
	case *ServerHello:
		here := s.at(at)
		here.older = string(b.Version) != Version
		here.client(to).player = b.Player
		here.client(to).player.CallSign = "" // of who had the number before
	case *LinkRequest:
		s.at(at).client(to).player = b.Player
	case *OnePlayer:
		s.named(l.Code, s.at(at), to, b.Player)
	case *Enter:
		if l.Sender != nil {
			s.at(at).names[l.Sender.ID] = callSign(b.CallSign)
		}
	case *AddPlayer:
		s.at(at).names[b.Player.ID] = callSign(b.CallSign)
	case *ReplayReset:
		names := &s.at(at).names
		clear(names[:int(b.LastPlayer)+1])
	case *Settings:
		s.at(at).client(to).rules = *b
	case *WorldHash:
		copy(s.at(at).client(to).hash[:], b.Hash)
	case *WorldRequest:
		s.downloads.Asked(bzflag.Route{Client: to, Server: at}, int(b.Offset))
	case *WorldPart:
		s.part(l, b, s.at(at).client(to), bzflag.Route{Client: to, Server: at})
	}
}

// maxDatagram is what a server takes of a client's datagram.
const maxDatagram = 68

// checkDatagram reports what a server does not read of a client's datagram, which begins with the
// message at hand.
func (l *Layer) checkDatagram(d *wire.Datagram) {
	size := len(d.Payload) + d.Missing
	behind := size - l.Size()
	switch {
	case behind > 0:
		l.Report(ruleUDPBundle, 0, l.Size(), "%s behind the message", wire.Counted(behind, "byte"))
	case size > maxDatagram:
		l.Report(ruleUDPBundle, 0, l.Size(), "%d bytes, a server takes %d", size, maxDatagram)
	}
}

// named takes a message that only names a player.
func (s *session) named(code Code, here *server, to netip.AddrPort, p Player) {
	switch code {
	case CodeAccept:
		here.client(to).player = p
	case CodeRemovePlayer:
		here.names[p.ID] = ""
	}
}

func callSign(field []byte) string { return string(wire.Trim(field)) }

// at gives the server at an address, a new one if need be.
func (s *session) at(a netip.AddrPort) *server {
	known := s.servers[a]
	if known == nil {
		if len(s.servers) >= maxServers {
			clear(s.servers)
		}
		known = &server{clients: make(map[netip.AddrPort]*client)}
		s.servers[a] = known
	}
	return known
}

// client gives the client at an address, a new one if need be.
func (s *server) client(a netip.AddrPort) *client {
	c := s.clients[a]
	if c == nil {
		if len(s.clients) >= maxClients {
			clear(s.clients)
		}
		c = &client{player: Player{ID: NoPlayer}}
		s.clients[a] = c
	}
	return c
}

// part joins a part of a world, and reads and checks the world when it is whole.
func (s *session) part(l *Layer, p *WorldPart, c *client, r bzflag.Route) {
	if l.Cut() {
		s.downloads.Done(r) // it will never be whole
		return
	}
	data := s.downloads.Came(r, p.Data)
	if data == nil || p.BytesLeft != 0 || l.older {
		return
	}
	s.downloads.Done(r)
	l.World = ReadWorld(data)
	l.World.Map.Rules = c.rules
	report := func(rule *wire.Rule, text string) {
		l.Report(rule, bzflag.HeaderSize, len(l.Contents)-bzflag.HeaderSize, "%s", text)
	}
	if text := l.World.checkHash(c.hash[:]); text != "" {
		report(ruleHash, text)
	}
	if l.World.Err != nil {
		report(ruleWorld, l.World.Err.Error())
	}
}
