package decode

import (
	"encoding/binary"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A PacketInfo describes the contents of an IP packet, for programs that change captures. Two engines with the same
// options and frames produce the same numbers.
type PacketInfo struct {
	Transport    wire.Transport
	Conversation int   // NoConversation for fragments, and for transports other than UDP and TCP
	Second       bool  // sent by the end with the higher address
	At           int64 // TCP: position of the payload in its stream, as in Message.At; 0: none

	// Damaged means that the checksum of a TCP segment is wrong although other checksums of its sender are right. The
	// engine uses the segment's bytes only if they are not sent again.
	Damaged bool

	// Protocol is the conversation's protocol, or nil until it is recognised.
	Protocol *wire.Protocol

	// Datagram is the number, from 1, of the datagram that a fragment belongs to. It is 0 if the packet is not a
	// fragment, or the fragment is invalid. If this frame completes the datagram, Joined is the datagram's payload,
	// which is valid during the call, and Before is the number of bytes of extension headers before the payload.
	Datagram int64
	Joined   []byte
	Missing  int // number of bytes at the end of Joined that were not captured
	Before   int

	// Tunnels is the number of tunnels around the packet. All other fields describe the innermost packet.
	Tunnels int

	// Packet is the innermost packet. If this frame completes a fragmented packet, Packet is the joined packet. It is
	// valid during the call.
	Packet *ip.Packet
}

const udpHeader = 8

// udpPayload returns the payload of a UDP packet, and the number of bytes at its end that were not captured. b begins
// at the UDP header, and missing is the number of bytes that b lacks at the end of the packet. The length field
// includes the header. If it is zero (a jumbogram, or checksum offload) or exceeds the IP packet, the size of the IP
// packet determines the length.
func udpPayload(b []byte, missing int) (payload []byte, notCaptured int) {
	have := len(b) + missing
	if n := int(binary.BigEndian.Uint16(b[4:])); n >= udpHeader && n < have {
		return b[udpHeader:min(n, len(b))], max(0, n-len(b))
	}
	return b[udpHeader:], missing
}

// ReadDatagram reads a UDP packet as an Engine does. p must not be a fragment. ReadDatagram returns false if p is not a
// UDP packet or its UDP header is incomplete.
func ReadDatagram(p *ip.Packet, d *wire.Datagram) bool {
	if p.Protocol != ip.ProtocolUDP || len(p.Payload) < udpHeader {
		return false
	}
	*d = wire.Datagram{
		Src: netip.AddrPortFrom(p.Src, binary.BigEndian.Uint16(p.Payload)),
		Dst: netip.AddrPortFrom(p.Dst, binary.BigEndian.Uint16(p.Payload[2:])),
	}
	d.Payload, d.Missing = udpPayload(p.Payload, p.Missing)
	return true
}

// SplitTransport returns the sizes in bytes of the header and the payload of a UDP or TCP packet, as an Engine reads
// them. The packet must not be a fragment. b begins at the transport header, and missing is the number of bytes that b
// lacks at the end of the packet. ok is false if the header is incomplete.
func SplitTransport(protocol uint8, b []byte, missing int) (header, size int, ok bool) {
	switch protocol {
	case ip.ProtocolUDP:
		if len(b) < udpHeader {
			return 0, 0, false
		}
		payload, _ := udpPayload(b, missing)
		return udpHeader, len(payload), true
	case ip.ProtocolTCP:
		var s tcp.Segment
		if !s.Parse(b, missing) {
			return 0, 0, false
		}
		return len(b) - len(s.Payload), len(s.Payload), true
	}
	return 0, 0, false
}
