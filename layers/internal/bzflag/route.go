package bzflag

import (
	"encoding/binary"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// Route is the pair of a client and its server.
type Route struct{ Client, Server netip.AddrPort }

// RouteOf returns the route of a message from src to dst. ok is false if the direction does not show which of them is
// the client.
func RouteOf(way wire.Direction, src, dst netip.AddrPort) (r Route, ok bool) {
	switch way {
	case wire.ToServer:
		return Route{Client: src, Server: dst}, true
	case wire.FromServer:
		return Route{Client: dst, Server: src}, true
	}
	return r, false
}

// Clients is the part of a session that is about clients: the state of their connections, and the worlds that they
// download.
type Clients[C any] struct {
	ByRoute *bounded.LRU[Route, C]
	*Downloads
}

// Closed drops the client of a connection that has ended, because a different client may use the same port next.
func (c Clients[C]) Closed(t wire.Transport, a, b netip.AddrPort) {
	if t != wire.TCP {
		return
	}
	for _, r := range [...]Route{{Client: a, Server: b}, {Client: b, Server: a}} {
		c.ByRoute.Delete(r)
		c.Forget(r)
	}
}

// AppendServer appends a server's address in binary form.
func AppendServer(b []byte, server netip.AddrPort) []byte {
	at := server.Addr().As16()
	return binary.BigEndian.AppendUint16(append(b, at[:]...), server.Port())
}
