package decode

import (
	"encoding/binary"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// conversationKey names a conversation: both ends, the lower one first. It is made of plain bytes and
// numbers without gaps, so that a map hashes it in one go.
type conversationKey struct {
	a, b         [16]byte
	portA, portB uint16
	transport    uint16
}

// makeKey makes the key of a packet and reports whether its source is the key's end b.
func makeKey(t wire.Transport, src, dst netip.AddrPort) (k conversationKey, fromB bool) {
	s, d := src.Addr().As16(), dst.Addr().As16()
	if less(d, dst.Port(), s, src.Port()) {
		return conversationKey{d, s, dst.Port(), src.Port(), uint16(t)}, true
	}
	return conversationKey{s, d, src.Port(), dst.Port(), uint16(t)}, false
}

func (k *conversationKey) endA() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(k.a).Unmap(), k.portA)
}

func (k *conversationKey) endB() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(k.b).Unmap(), k.portB)
}

func less(a [16]byte, portA uint16, b [16]byte, portB uint16) bool {
	for i := 0; i < len(a); i += 8 {
		if x, y := binary.BigEndian.Uint64(a[i:]), binary.BigEndian.Uint64(b[i:]); x != y {
			return x < y
		}
	}
	return portA < portB
}

// end is one of the two ends of a conversation.
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

// ends are the endpoints of a conversation in the form that places have. They are those of the
// conversation met last: messages come in trains, and in every conversation they would take much room.
type ends struct {
	key  conversationKey
	a, b netip.AddrPort
}

// of gives source and destination of what one end of a conversation sends.
func (x *ends) of(key *conversationKey, from end) (src, dst netip.AddrPort) {
	if x.key != *key {
		*x = ends{key: *key, a: key.endA(), b: key.endB()}
	}
	if from == endB {
		return x.b, x.a
	}
	return x.a, x.b
}
