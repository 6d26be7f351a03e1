package tribes

import (
	"math/bits"
	"net/netip"
)

// broadcastBits is the number of low bits, all ones, that an address has at least for us to think
// that it may be that of a whole network. How large networks are a capture does not tell.
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

// reaches reports whether what was sent to an address may have reached another: that of a network
// reaches all in it. What answers itself is none of a network.
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
