package tribes

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

type endpoint = bounded.Endpoint

// pair is a pair of endpoints: client and server of a query, or game server and master of a heartbeat.
type pair struct{ client, server endpoint }

// endpoints makes the keys for endpoints and pairs of endpoints.
type endpoints struct{ *bounded.Endpoints }

func newEndpoints(b *bounded.Budget) endpoints {
	return endpoints{bounded.NewEndpoints(b, bounded.Kind{Name: "IPv6 hosts of Tribes"})}
}

// host returns the endpoint without its port.
func (e endpoints) host(a netip.AddrPort) endpoint { return e.Of(a).Host() }

func (e endpoints) pair(client, server netip.AddrPort) pair { return pair{e.Of(client), e.Of(server)} }

func withoutPort(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr(), 0) }
