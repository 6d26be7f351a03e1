package bzflag

import (
	"encoding/binary"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Route is the pair of a client and its server.
type Route struct{ Client, Server netip.AddrPort }

// RouteOf gives the route of a message that goes from src to dst. ok is false if its direction does not
// tell which of the two is the client.
func RouteOf(way wire.Direction, src, dst netip.AddrPort) (r Route, ok bool) {
	switch way {
	case wire.ToServer:
		return Route{Client: src, Server: dst}, true
	case wire.FromServer:
		return Route{Client: dst, Server: src}, true
	}
	return r, false
}

// AppendServer appends a server's address as bytes.
func AppendServer(b []byte, server netip.AddrPort) []byte {
	at := server.Addr().As16()
	return binary.BigEndian.AppendUint16(append(b, at[:]...), server.Port())
}
