package decode

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

// A verdict tells what findPacket made of a frame.
type verdict uint8

const (
	found        verdict = iota // an IP packet, possibly a fragment
	otherTraffic                // nothing that carries TCP or UDP in the clear: ARP, LLC, ESP ...
	unknownLink                 // a link type not read here
	malformed                   // a header contradicts itself or the frame
	truncated                   // the snap length cut off a part of the headers
)

// findPacket finds the IP packet in a frame, of which data is what was captured and length
// the size on the wire. p has a meaning only when the verdict is found; its payload is a part
// of data.
func findPacket(link uint16, data []byte, length int, p *packet) verdict {
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
		return unknownLink
	}
	if len(data) < header {
		return tooShort(data, length)
	}
	etherType := binary.BigEndian.Uint16(data[typeAt:])
	return findByEtherType(etherType, data[header:], length-header, p)
}

// tooShort is the verdict on data that ends inside a header: was that the snap length,
// or is there no more?
func tooShort(data []byte, length int) verdict {
	if length > len(data) {
		return truncated
	}
	return malformed
}

// findByEtherType reads what follows an EtherType, beginning with any VLAN tags.
func findByEtherType(etherType uint16, data []byte, length int, p *packet) verdict {
	for tags := 0; ; tags++ {
		switch etherType {
		case etherTypeIPv4, etherTypeIPv6:
			return findIP(data, length, p)
		case etherTypePPPoE:
			return findInPPPoE(data, length, p)
		case etherTypeCVLAN, etherTypeSVLAN, etherTypeQinQ:
		default:
			return otherTraffic
		}
		if tags == maxTags {
			return malformed
		}
		if len(data) < 4 {
			return tooShort(data, length)
		}
		etherType = binary.BigEndian.Uint16(data[2:])
		data, length = data[4:], length-4
	}
}

// findInPPPoE reads a PPPoE session header and the number of the PPP protocol behind it.
func findInPPPoE(data []byte, length int, p *packet) verdict {
	const header, ipv4, ipv6 = 8, 0x0021, 0x0057
	if len(data) < header {
		return tooShort(data, length)
	}
	switch binary.BigEndian.Uint16(data[6:]) {
	case ipv4, ipv6:
		return findIP(data[header:], length-header, p)
	}
	return otherTraffic
}

// findInLoopback reads the address family before the packets of a BSD loopback device.
// No family needs more than one byte, so either byte order can be told from the other;
// that also serves LinkLoop, whose order is fixed.
func findInLoopback(data []byte, length int, p *packet) verdict {
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
	return otherTraffic
}
