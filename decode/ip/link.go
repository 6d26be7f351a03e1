package ip

import (
	"encoding/binary"
	"math/bits"
)

// Link types, as registered by tcpdump.org.
const (
	LinkNull     = 0 // BSD loopback, family in the byte order of the host
	LinkEthernet = 1
	LinkRaw      = 101 // IPv4 or IPv6 without any frame
	LinkLoop     = 108 // OpenBSD loopback, family in network byte order
	LinkSLL      = 113 // Linux cooked capture, as of the device "any"
	LinkIPv4     = 228
	LinkIPv6     = 229
	LinkSLL2     = 276 // Linux cooked capture, version 2

	// Old systems wrote their own number for raw IP to the file.
	linkRawBSD     = 12
	linkRawOpenBSD = 14
)

// EtherTypes.
const (
	etherTypeIPv4  = 0x0800
	etherTypeCVLAN = 0x8100 // IEEE 802.1Q
	etherTypeIPv6  = 0x86dd
	etherTypePPPoE = 0x8864 // session stage
	etherTypeSVLAN = 0x88a8 // IEEE 802.1ad
	etherTypeQinQ  = 0x9100 // before 802.1ad
)

// maxTags is how many VLAN tags a frame may have. Honest ones have two or three.
const maxTags = 8

// An Outcome tells what Find made of a frame.
type Outcome uint8

// The outcomes.
const (
	Found        Outcome = iota // an IP packet, possibly a fragment
	OtherTraffic                // nothing that carries TCP or UDP in the clear: ARP, LLC, ESP ...
	UnknownLink                 // a link type not read here
	Malformed                   // a header contradicts itself or the frame
	Truncated                   // the snap length cut off a part of the headers
)

// Find finds the IP packet in a frame of a link type as registered by tcpdump.org. data is what was captured,
// length the size on the wire. p has a meaning only when the outcome is Found; its payload is a part of data.
func Find(link uint16, data []byte, length int, p *Packet) Outcome {
	length = max(length, len(data)) // some writers leave the wire length 0
	var header, typeAt int
	switch link {
	case LinkEthernet:
		header, typeAt = 14, 12
	case LinkSLL:
		header, typeAt = 16, 14
	case LinkSLL2:
		header, typeAt = 20, 0
	case LinkNull, LinkLoop:
		return findInLoopback(data, length, p)
	case LinkRaw, LinkIPv4, LinkIPv6, linkRawBSD, linkRawOpenBSD:
		return findIP(data, length, p)
	default:
		return UnknownLink
	}
	if len(data) < header {
		return tooShort(data, length)
	}
	etherType := binary.BigEndian.Uint16(data[typeAt:])
	return findByEtherType(etherType, data[header:], length-header, p)
}

// tooShort is the outcome for data that ends inside a header: was that the snap length, or is there no more?
func tooShort(data []byte, length int) Outcome {
	if length > len(data) {
		return Truncated
	}
	return Malformed
}

// findByEtherType reads what follows an EtherType, beginning with any VLAN tags.
func findByEtherType(etherType uint16, data []byte, length int, p *Packet) Outcome {
	for tags := 0; ; tags++ {
		switch etherType {
		case etherTypeIPv4, etherTypeIPv6:
			return findIP(data, length, p)
		case etherTypePPPoE:
			return findInPPPoE(data, length, p)
		case etherTypeCVLAN, etherTypeSVLAN, etherTypeQinQ:
		default:
			return OtherTraffic
		}
		if tags == maxTags {
			return Malformed
		}
		if len(data) < 4 {
			return tooShort(data, length)
		}
		etherType = binary.BigEndian.Uint16(data[2:])
		data, length = data[4:], length-4
	}
}

// findInPPPoE reads a PPPoE session header and the number of the PPP protocol behind it.
func findInPPPoE(data []byte, length int, p *Packet) Outcome {
	const header, ipv4, ipv6 = 8, 0x0021, 0x0057
	if len(data) < header {
		return tooShort(data, length)
	}
	switch binary.BigEndian.Uint16(data[6:]) {
	case ipv4, ipv6:
		return findIP(data[header:], length-header, p)
	}
	return OtherTraffic
}

// findInLoopback reads the address family before the packets of a BSD loopback device.
// No family needs more than one byte, so either byte order can be told from the other;
// that also serves LinkLoop, whose order is fixed.
func findInLoopback(data []byte, length int, p *Packet) Outcome {
	if len(data) < 4 {
		return tooShort(data, length)
	}
	family := binary.BigEndian.Uint32(data)
	if family > 0xffff {
		family = bits.ReverseBytes32(family)
	}
	switch family {
	case 2, // IPv4 everywhere; IPv6 is
		10, // on Linux
		23, // on Windows
		24, // on NetBSD and OpenBSD
		28, // on FreeBSD
		30: // on macOS
		return findIP(data[4:], length-4, p)
	}
	return OtherTraffic
}
