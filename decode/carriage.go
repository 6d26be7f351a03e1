package decode

import "github.com/gamedissect/gamedissect/decode/wire"

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
}

func (c *PacketInfo) join(p *packet) {
	c.Joined, c.Missing, c.Before = p.payload, p.missing, p.header
}

// A Layout tells where things are in a frame.
type Layout struct {
	Network   int   // offset of the IP header
	Transport int   // offset of what follows it and its extension headers
	End       int   // where the packet ends; padding may follow
	Protocol  uint8 // 6 TCP, 17 UDP ...
	Missing   int   // bytes at the end that were sent but not captured
	Fragment  bool
	Offset    int // of a fragment: that of its payload in the datagram
}

// Locate finds the IP packet in a frame as an Engine does. It reports whether there is one.
func Locate(f *Frame) (Layout, bool) {
	var p packet
	if findPacket(f.Link, f.Data, f.Length, &p) != found {
		return Layout{}, false
	}
	network := len(f.Data) - p.left
	transport := network + p.header
	return Layout{
		Network: network, Transport: transport, End: transport + len(p.payload),
		Protocol: p.protocol, Missing: p.missing, Fragment: p.fragment, Offset: p.offset,
	}, true
}

// SplitTransport gives the sizes of the header and of the payload of a whole UDP or TCP packet,
// given the packet from its transport header on, as an Engine reads it. They are 0 and false if there
// is no such header.
func SplitTransport(protocol uint8, b []byte, missing int) (header, size int, ok bool) {
	p := packet{protocol: protocol, payload: b, missing: missing}
	switch protocol {
	case protocolUDP:
		if len(b) < udpHeader {
			return 0, 0, false
		}
		payload, _ := udpPayload(&p)
		return udpHeader, len(payload), true
	case protocolTCP:
		var s segment
		if !parseSegment(&p, &s) {
			return 0, 0, false
		}
		return len(b) - len(s.payload), len(s.payload), true
	}
	return 0, 0, false
}
