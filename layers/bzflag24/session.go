package bzflag24

import (
	"bytes"
	"net/netip"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// session keeps the servers of a capture and their players.
type session struct {
	servers *bounded.LRU[netip.AddrPort, server]
	last    lastWorld
	bzflag.Clients[client]
}

// lastWorld is the world that was read last. All clients of a server download the same world, so the next download is
// usually this world, and need not be read again. The memory budget may drop the world.
type lastWorld struct {
	*world.Database // nil: none
	memory          *bounded.Budget
	turn            uint64 // turn of its last use
}

func (w *lastWorld) take(d *world.Database) {
	if w.Database != nil {
		w.memory.Spend(-w.Held())
	}
	if w.Database = d; d != nil {
		w.memory.Spend(d.Held())
	}
}

func (w *lastWorld) Oldest() (turn uint64, ok bool) { return w.turn, w.Database != nil }

func (w *lastWorld) Forget() (loss bool) {
	w.take(nil)
	return false
}

// Names of the session's state in memory reports.
var (
	serverKind = bounded.Kind{Name: "rosters of BZFlag 2.4 servers", Silent: "call sign"}
	clientKind = bounded.Kind{Name: "numbers of BZFlag 2.4 clients", Silent: "sender"}
	worldKind  = bounded.Kind{
		Name: "worlds on their way to BZFlag 2.4 clients", Silent: "world, bzflag24.world-hash or bzflag24.world-structure",
	}
)

func newSession(memory *bounded.Budget) *session {
	if memory == nil {
		memory = bounded.NewBudget(bounded.DefaultMemory)
	}
	s := &session{
		servers: bounded.NewLRU(memory, serverKind, bounded.Values[netip.AddrPort, server]{
			Held: (*server).size,
		}),
		Clients: bzflag.Clients[client]{
			ByRoute: bounded.NewLRU(memory, clientKind, bounded.Values[bzflag.Route, client]{
				Held: func(c *client) int { return len(c.callSign) },
			}),
			Downloads: bzflag.NewDownloads(memory, worldKind, world.MaxSize),
		},
	}
	s.last.memory = memory.Part(memory.Limit() / 4)
	s.last.memory.Join(&s.last, worldKind)
	return s
}

type server struct {
	older   bool
	names   *bzflag.Roster
	holders []holder
}

// holder is the host of the client to which a hello assigned a player number.
type holder struct {
	host netip.Addr
	id   PlayerID
}

func (s *server) size() int { return s.names.Held() + cap(s.holders)*int(unsafe.Sizeof(holder{})) }

// holder returns the holder of a number, or nil.
func (s *server) holder(id PlayerID) *holder {
	if i := slices.IndexFunc(s.holders, func(h holder) bool { return h.id == id }); i >= 0 {
		return &s.holders[i]
	}
	return nil
}

// hold records that the server assigned a number to a client on a host.
func (s *server) hold(id PlayerID, host netip.Addr) {
	if h := s.holder(id); h != nil {
		h.host = host
		return
	}
	s.holders = append(s.holders, holder{host, id})
}

// release forgets the holder of a number.
func (s *server) release(id PlayerID) {
	s.holders = slices.DeleteFunc(s.holders, func(h holder) bool { return h.id == id })
}

// mayLink reports whether a host may request the UDP link of a player. Only the host of the player's connection may.
func (s *server) mayLink(id PlayerID, host netip.Addr) bool {
	h := s.holder(id)
	return h == nil || h.host == host
}

// client is the client at one address and port, with its connection and the UDP link from the same port.
type client struct {
	id       PlayerID
	known    bool                 // the server assigned id
	callSign string               // requested name, valid once the server has accepted the player
	hash     [world.HashSize]byte // hash of the world that the server announced
	rules    world.Rules
}

func (s *session) Expects(server netip.AddrPort) bool { return s.servers.Get(server) != nil }

func (s *session) Before(layer wire.Layer, d *wire.Datagram) {
	l := layer.(*Layer)
	l.Sender, l.HasSender, l.older, l.named = Player{}, false, false, nil
	var here *server
	switch l.Context.Direction {
	case wire.ToServer:
		here = s.servers.GetAt(d.Lane, d.Dst)
	case wire.FromServer:
		here = s.servers.GetAt(d.Lane, d.Src)
	}
	if here == nil {
		return
	}
	l.Context.Roster, l.older, l.named = here.names, here.older, here.names
	if l.Context.Direction != wire.ToServer {
		return
	}
	if c := s.ByRoute.GetAt(d.Lane, bzflag.Route{Client: d.Src, Server: d.Dst}); c != nil && c.known {
		l.Sender, l.HasSender = Player{c.id, here.names.Name(uint64(c.id))}, true
	}
}

func (s *session) After(layer wire.Layer, d *wire.Datagram) {
	l := layer.(*Layer)
	if l.Fault() != nil || l.isHTTP() {
		return
	}
	switch l.Direction {
	case wire.ToServer:
		s.fromClient(l, d)
	case wire.FromServer:
		s.fromServer(l, d)
	}
}

func (s *session) fromClient(l *Layer, d *wire.Datagram) {
	if l.Context.Transport != wire.TCP {
		l.checkDatagram(d)
	}
	r := bzflag.Route{Client: d.Src, Server: d.Dst}
	switch b := l.Body.(type) {
	case *ConnectHeader:
		s.ByRoute.Delete(r)
		s.Downloads.Forget(r)
	case *LinkRequest:
		if here := s.servers.Get(r.Server); here != nil && here.mayLink(b.Player.ID, r.Client.Addr()) {
			c := s.ByRoute.Make(r)
			c.id, c.known = b.Player.ID, b.Player.ID != NoPlayer
		}
	case *Enter:
		if c := s.ByRoute.Get(r); c != nil {
			c.callSign = callSign(b.CallSign)
		}
	case *WorldRequest:
		if !l.older {
			s.Downloads.Request(r, int(b.Offset))
		}
	}
}

func (s *session) fromServer(l *Layer, d *wire.Datagram) {
	here := s.servers.MakeAt(d.Lane, d.Src)
	r := bzflag.Route{Client: d.Dst, Server: d.Src}
	if l.Context.Roster != nil {
		defer func() { l.Context.Roster = here.names }() // the message may change here.names
	}
	switch b := l.Body.(type) {
	case *ServerHello:
		here.older = string(b.Version) != Version
		here.names = here.names.With(uint64(b.Player.ID), "") // removes the name of the previous player with this number
		here.hold(b.Player.ID, r.Client.Addr())
		s.Downloads.Forget(r)
		*s.ByRoute.Make(r) = client{id: b.Player.ID, known: b.Player.ID != NoPlayer}
	case *OnePlayer:
		s.recordName(l.Code, here, s.ByRoute.Make(r), b.Player.ID)
	case *AddPlayer:
		here.names = here.names.With(uint64(b.Player.ID), callSign(b.CallSign))
	case *ReplayReset:
		for id := range b.LastPlayer { // players from b.LastPlayer on are observers and stay
			here.names = here.names.With(uint64(id), "")
		}
	case *Settings:
		s.ByRoute.Make(r).rules = world.Rules{
			Jumping: b.Options&Jumping != 0, Ricochet: b.Options&Ricochet != 0, CaptureTheFlag: b.GameType == ClassicCTF,
		}
	case *WorldHash:
		copy(s.ByRoute.Make(r).hash[:], b.Hash)
	case *WorldPart:
		s.recordPart(l, b, r)
	}
}

// recordName handles a message that contains only a player's number.
func (s *session) recordName(code Code, here *server, c *client, id PlayerID) {
	switch code {
	case CodeAccept:
		c.id, c.known = id, true
		if c.callSign != "" {
			here.names = here.names.With(uint64(id), c.callSign)
		}
	case CodeRemovePlayer:
		here.names = here.names.With(uint64(id), "")
		here.release(id)
	}
}

func callSign(field []byte) string { return string(wire.Trim(field)) }

// maxDatagram is the number of bytes of a client's datagram that a server reads.
const maxDatagram = 68

// checkDatagram reports the part of a client's datagram that a server does not read. l is the first message of the
// datagram.
func (l *Layer) checkDatagram(d *wire.Datagram) {
	size := len(d.Payload) + d.Missing
	rest := size - l.Size()
	switch {
	case rest > 0:
		l.Report(ruleUDPBundle, 0, l.Size(), "%s after the message", wire.Counted(rest, "byte"))
	case size > maxDatagram:
		l.Report(ruleUDPBundle, 0, l.Size(), "%d bytes, but a server reads only %d", size, maxDatagram)
	}
}

// recordPart adds a part to a download of a world. When the world is complete, recordPart reads and checks it.
func (s *session) recordPart(l *Layer, p *WorldPart, r bzflag.Route) {
	if l.older || l.Truncated() {
		s.Downloads.Forget(r)
		return
	}
	data := s.Downloads.Receive(r, p.Data)
	if data == nil || p.BytesLeft != 0 {
		return
	}
	c := s.ByRoute.Make(r)
	w := &s.last
	if w.Database == nil || !bytes.Equal(w.Raw, data) || w.Announced != c.hash || w.Rules != c.rules {
		w.take(nil) // so that two worlds are never in memory at once
		d := world.Read(data)
		d.Announced, d.Rules = c.hash, c.rules
		w.take(d)
	}
	w.turn = w.memory.Now()
	s.Downloads.Forget(r)
	l.World = w.Database // must not change later, because other layers may refer to it
	report := func(rule *wire.Rule, err error) {
		l.Report(rule, bzflag.HeaderSize, len(l.Contents)-bzflag.HeaderSize, "%v", err)
	}
	if err := l.World.CheckHash(); err != nil {
		report(ruleHash, err)
	}
	if err := l.World.Err; err != nil {
		report(world.RuleStructure, err)
	}
}
