package tribes

import "net/netip"

// endpoint is an address and a port. It is smaller than a netip.AddrPort, and faster as a key, since it is plain bytes.
type endpoint struct {
	ip      [16]byte
	port    uint16
	version uint16 // of IP
}

func endpointOf(a netip.AddrPort) endpoint {
	e := endpoint{ip: a.Addr().As16(), port: a.Port(), version: 6}
	if a.Addr().Is4() {
		e.version = 4
	}
	return e
}

// hostOf returns the endpoint without its port.
func hostOf(a netip.AddrPort) endpoint { return endpointOf(netip.AddrPortFrom(a.Addr(), 0)) }

func (e *endpoint) addrPort() netip.AddrPort {
	ip := netip.AddrFrom16(e.ip)
	if e.version == 4 {
		ip = ip.Unmap()
	}
	return netip.AddrPortFrom(ip, e.port)
}

// pair is the two endpoints of a query, the asking one first; for heartbeats, the server and the master.
type pair struct{ client, server endpoint }

func pairOf(client, server netip.AddrPort) pair { return pair{endpointOf(client), endpointOf(server)} }
