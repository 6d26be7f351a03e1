package decode

import (
	"encoding/binary"
	"math/bits"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// endpoints are the two ends of a conversation, in the order of address and port. The struct has no padding, so it is
// hashed and compared as one block of memory.
type endpoints struct {
	hosts        hostPair
	portA, portB uint16
}

type conversationKey struct {
	endpoints
	transport uint16 // not a uint8, which would need padding
}

// keySlots is the size of conversations.found, with which conversations are found without hashing their keys. Usually
// fewer conversations are active at the same time.
const keySlots = 1 << 10

// slot returns the key's index in conversations.found. Senders can predict it, unlike a hash with a secret seed.
func (k *conversationKey) slot() uint32 {
	a, b := binary.NativeEndian.Uint32(k.hosts.a[12:]), binary.NativeEndian.Uint32(k.hosts.b[12:])
	mixed := (a ^ bits.RotateLeft32(b, 11) ^ uint32(k.portA)<<16 ^ uint32(k.portB)) * 0x9e3779b1
	return (mixed >> 16) % keySlots
}

// hostPair is a pair of hosts, the lower address first.
type hostPair struct{ a, b [16]byte }

// makeKey makes the key of a packet and reports whether the packet's source is endB.
func makeKey(t wire.Transport, src, dst netip.AddrPort) (k conversationKey, fromB bool) {
	fromB = k.fill(t, src, dst)
	return k, fromB
}

// fill makes the key of a packet and reports whether the packet's source is endB.
func (k *conversationKey) fill(t wire.Transport, src, dst netip.AddrPort) (fromB bool) {
	high, low := halves(src.Addr())
	highB, lowB := halves(dst.Addr())
	port, portB := src.Port(), dst.Port()
	if highB < high || highB == high && (lowB < low || lowB == low && portB < port) {
		high, low, port, highB, lowB, portB = highB, lowB, portB, high, low, port
		fromB = true
	}
	binary.BigEndian.PutUint64(k.hosts.a[:], high)
	binary.BigEndian.PutUint64(k.hosts.a[8:], low)
	binary.BigEndian.PutUint64(k.hosts.b[:], highB)
	binary.BigEndian.PutUint64(k.hosts.b[8:], lowB)
	k.portA, k.portB, k.transport = port, portB, uint16(t)
	return fromB
}

// halves returns an address like netip.Addr.As16, but as two numbers.
func halves(a netip.Addr) (high, low uint64) {
	if a.Is4() {
		b := a.As4()
		return 0, 0xffff<<32 | uint64(binary.BigEndian.Uint32(b[:]))
	}
	b := a.As16()
	return binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[8:])
}

func makePair(src, dst netip.Addr) hostPair {
	k, _ := makeKey(wire.UDP, netip.AddrPortFrom(src, 0), netip.AddrPortFrom(dst, 0))
	return k.hosts
}

func (e *endpoints) endA() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(e.hosts.a).Unmap(), e.portA)
}

func (e *endpoints) endB() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(e.hosts.b).Unmap(), e.portB)
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

// ends caches the endpoints of the last conversation as netip.AddrPorts. Successive messages often belong to the same
// conversation, and storing AddrPorts in each conversation would take too much memory.
type ends struct {
	endpoints
	a, b netip.AddrPort
}

// of returns the source and destination of a packet that one end of a conversation sends.
func (x *ends) of(e *endpoints, from end) (src, dst netip.AddrPort) {
	if x.endpoints != *e || !x.a.IsValid() {
		*x = ends{endpoints: *e, a: e.endA(), b: e.endB()}
	}
	if from == endB {
		return x.b, x.a
	}
	return x.a, x.b
}
