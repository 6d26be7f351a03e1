package decode

import (
	"bytes"
	"encoding/binary"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/tcp"
)

// A PacketInfo tells what an IP packet carried, for those who change captures. Two engines with the
// same options that are given the same frames number alike.
type PacketInfo struct {
	Transport    wire.Transport
	Conversation int   // number of the conversation; NoConversation for what is neither UDP nor TCP, or a part of it
	Second       bool  // it comes from the end with the higher address
	At           int64 // of a TCP segment: the position of its payload's first byte; 0: none

	// Protocol is that of the conversation, nil as long as it is not recognised.
	Protocol *wire.Protocol

	// Datagram counts the datagrams that come in fragments, from 1; 0 for a packet that is no
	// fragment, or one that no datagram can have. Joined is the payload of the datagram that is
	// whole with this frame, valid during the call, and Before how much of the datagram, extension
	// headers, is in front.
	Datagram int64
	Joined   []byte
	Missing  int // bytes at the end of Joined that were not captured
	Before   int

	// Tunnels is how many tunnels the packet came through. All else is about the innermost packet.
	Tunnels int
}

// FromSecondEnd reports whether what goes from one end to the other comes from the one with the higher address, see
// PacketInfo.Second.
func FromSecondEnd(src, dst netip.AddrPort) bool {
	s, d := src.Addr().As16(), dst.Addr().As16()
	if c := bytes.Compare(d[:], s[:]); c != 0 {
		return c < 0
	}
	return dst.Port() < src.Port()
}

const udpHeader = 8

// udpPayload gives what a UDP packet carries, and how much of its end was not captured. b is the packet from its
// header on, which is whole, and missing what was not captured of it. The length field counts the header. Zero
// stands for a jumbogram or an unfinished checksum offload; a length beyond the IP packet is not believed.
func udpPayload(b []byte, missing int) (payload []byte, notCaptured int) {
	have := len(b) + missing
	if n := int(binary.BigEndian.Uint16(b[4:])); n >= udpHeader && n < have {
		return b[udpHeader:min(n, len(b))], max(0, n-len(b))
	}
	return b[udpHeader:], missing
}

// ReadDatagram reads a whole UDP packet as an Engine does, and reports whether it is one.
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

// SplitTransport gives the sizes of the header and of the payload of a whole UDP or TCP packet,
// given the packet from its transport header on, as an Engine reads it. They are 0 and false if there
// is no such header.
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
