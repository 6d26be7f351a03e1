package tribes

import (
	"math/bits"
	"net/netip"
)

// An address whose lowest broadcastBits bits are ones may be a network's broadcast address. A capture does not tell the
// size of networks.
const broadcastBits = 5

func mayBroadcast(a netip.Addr) bool { return a.IsMulticast() || lowOnes(a) >= broadcastBits }

// lowOnes is the number of low bits that are all ones, 0 for IPv6, which has no broadcast.
func lowOnes(a netip.Addr) int {
	if a = a.Unmap(); !a.Is4() {
		return 0
	}
	return bits.TrailingZeros32(^ipv4Number(a))
}

func ipv4Number(a netip.Addr) uint32 {
	b := a.As4()
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}

// reaches reports whether a packet to an address may have reached another: a broadcast address reaches all hosts of its
// network. An address that answers is no broadcast address.
func reaches(to, who netip.AddrPort) bool {
	if to.Port() != who.Port() || to == who {
		return false
	}
	if to.Addr().IsMulticast() {
		return true
	}
	ones, a := lowOnes(to.Addr()), who.Addr().Unmap()
	if ones < broadcastBits || !a.Is4() {
		return false
	}
	return uint64(ipv4Number(a))>>ones == uint64(ipv4Number(to.Addr().Unmap()))>>ones
}
