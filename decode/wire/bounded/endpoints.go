package bounded

import (
	"encoding/binary"
	"net/netip"
)

// An Endpoint represents an address and a port in keys. It is small. Two Endpoints are equal if their addresses and
// ports are equal.
type Endpoint uint64

// Endpoints makes Endpoints on a budget. Keys that contain Endpoints must belong to keepers that join the same budget
// later. Code that uses such a key must call Of for its addresses in the same turn. Then an IPv6 address is dropped
// only after all keys that contain it.
type Endpoints struct {
	ipv6 *LRU[[16]byte, struct{}] // IPv6 addresses; an Endpoint contains the slot of its address
}

// The upper bits of an Endpoint are an IPv4 address. If ipv6Bit is set, they are the slot of an IPv6 address.
const (
	portBits = 16
	ipv6Bit  = 1 << 48
)

// NewEndpoints makes Endpoints on a budget. The kind describes IPv6 hosts. If it has no name, the loss of hosts is not
// reported. That is enough if the loss of the keys is reported, since they are dropped before their hosts.
func NewEndpoints(b *Budget, kind Kind) *Endpoints {
	return &Endpoints{NewLRU(b, kind, Values[[16]byte, struct{}]{})}
}

// Of returns the Endpoint of an address and a port.
func (e *Endpoints) Of(a netip.AddrPort) Endpoint {
	if ip := a.Addr(); ip.Is4() {
		b := ip.As4()
		return Endpoint(binary.BigEndian.Uint32(b[:]))<<portBits | Endpoint(a.Port())
	}
	e.ipv6.Make(a.Addr().As16())
	return ipv6Bit | Endpoint(e.ipv6.Slot())<<portBits | Endpoint(a.Port())
}

// Host returns the Endpoint of the same address with port 0.
func (x Endpoint) Host() Endpoint { return x &^ (1<<portBits - 1) }

// Port returns the port.
func (x Endpoint) Port() uint16 { return uint16(x) }

// AddrPort returns the address and port that an Endpoint in a key represents.
func (e *Endpoints) AddrPort(x Endpoint) netip.AddrPort {
	n := uint32(x >> portBits)
	if x&ipv6Bit != 0 {
		ip, _ := e.ipv6.At(n)
		return netip.AddrPortFrom(netip.AddrFrom16(ip), x.Port())
	}
	var ip [4]byte
	binary.BigEndian.PutUint32(ip[:], n)
	return netip.AddrPortFrom(netip.AddrFrom4(ip), x.Port())
}
