package decode

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// endpoints are the two ends of a conversation, ordered by address and port.
type endpoints struct{ a, b bounded.Endpoint }

// A conversationKey has no padding, so it is hashed and compared as one block of memory.
type conversationKey struct {
	endpoints
	transport uint64
}

// keySlots is the size of conversations.found, which finds conversations without hashing their keys. Usually, fewer
// than keySlots conversations are active at the same time.
const keySlots = 1 << 10

// slot returns the key's index in conversations.found. Senders can predict it, unlike a hash with a secret seed.
func (k *conversationKey) slot() uint32 {
	mixed := (uint64(k.a) ^ bits.RotateLeft64(uint64(k.b), 27)) * 0x9e3779b97f4a7c15
	return uint32(mixed>>40) % keySlots
}

// A hostPair contains the hosts of two endpoints.
type hostPair [2]bounded.Endpoint

func (e *endpoints) hosts() hostPair { return hostPair{e.a.Host(), e.b.Host()} }

// A keyMaker makes the keys of conversations. The conversations' budget counts the memory of the keys.
type keyMaker struct{ *bounded.Endpoints }

// key makes the key of a packet and reports whether its source is endB.
func (m keyMaker) key(t wire.Transport, src, dst netip.AddrPort) (k conversationKey, fromB bool) {
	a, b := m.of(src), m.of(dst)
	if fromB = b < a; !src.Addr().Is4() || !dst.Addr().Is4() {
		fromB = FromSecondEnd(src, dst)
	}
	if fromB {
		a, b = b, a
	}
	return conversationKey{endpoints{a, b}, uint64(t)}, fromB
}

// of returns the same endpoint for an IPv4 address and its IPv6 form.
func (m keyMaker) of(a netip.AddrPort) bounded.Endpoint {
	if a.Addr().Is4In6() {
		a = netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
	}
	return m.Of(a)
}

// pair returns the hosts of a packet.
func (m keyMaker) pair(src, dst netip.Addr) hostPair {
	k, _ := m.key(wire.UDP, netip.AddrPortFrom(src, 0), netip.AddrPortFrom(dst, 0))
	return k.hosts()
}

// path returns the source and the destination of a packet that one end of a conversation sends.
func (m keyMaker) path(e *endpoints, from end) (src, dst netip.AddrPort) {
	a, b := m.AddrPort(e.a), m.AddrPort(e.b)
	if from == endB {
		return b, a
	}
	return a, b
}

// FromSecondEnd reports whether src is the end with the higher address, see PacketInfo.Second. It compares IPv4
// addresses in their IPv6 form.
func FromSecondEnd(src, dst netip.AddrPort) bool {
	high, low := halves(src.Addr())
	highB, lowB := halves(dst.Addr())
	return cmp.Or(cmp.Compare(high, highB), cmp.Compare(low, lowB), cmp.Compare(src.Port(), dst.Port())) > 0
}

// halves returns an address like netip.Addr.As16, but as two numbers.
func halves(a netip.Addr) (high, low uint64) {
	b := a.As16()
	return binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[8:])
}

type end uint8

const (
	noEnd end = iota
	endA
	endB
)

func endIf(b bool) end {
	if b {
		return endB
	}
	return endA
}
