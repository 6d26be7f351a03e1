package ip

import (
	"encoding/binary"
	"net/netip"
)

// Undelivered describes a packet that was not delivered, according to an ICMP message.
type Undelivered struct {
	Protocol uint8 // ProtocolTCP or ProtocolUDP
	Src, Dst netip.AddrPort
}

const (
	icmpHeader        = 8
	icmpUnreachable   = 3
	icmpv6Unreachable = 1
	icmpFragmentation = 4 // the code for "fragmentation needed", which is not a failure
	portsOfTransport  = 4
	protocolICMP      = 1
)

// Undelivered returns the packet that an ICMP or ICMPv6 message reports as unreachable (RFC 792, RFC 4443). ok is false
// if p is not such a message.
func (p *Packet) Undelivered() (u Undelivered, ok bool) {
	b := p.Payload
	switch {
	case p.Fragment || len(b) < icmpHeader:
		return u, false
	case p.Protocol == protocolICMP && b[0] == icmpUnreachable && b[1] != icmpFragmentation:
	case p.Protocol == protocolICMPv6 && b[0] == icmpv6Unreachable:
	default:
		return u, false
	}
	var quoted Packet
	// The message quotes only the beginning of a longer packet.
	if findIP(b[icmpHeader:], maxQuoted, &quoted) != Found || quoted.Offset != 0 ||
		len(quoted.Payload) < portsOfTransport || quoted.Protocol != ProtocolTCP && quoted.Protocol != ProtocolUDP {
		return u, false
	}
	ports := quoted.Payload
	return Undelivered{quoted.Protocol,
		netip.AddrPortFrom(quoted.Src, binary.BigEndian.Uint16(ports)),
		netip.AddrPortFrom(quoted.Dst, binary.BigEndian.Uint16(ports[2:]))}, true
}

// maxQuoted is the maximum length of a quoted packet in bytes.
const maxQuoted = 1 << 16
