package ip

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// Link types, as registered by tcpdump.org.
const (
	LinkNull     = 0 // BSD loopback, address family in the byte order of the host
	LinkEthernet = 1
	LinkPPP      = 9
	LinkPPPHDLC  = 50
	LinkPPPoE    = 51
	LinkRaw      = 101 // IPv4 or IPv6 without a link header
	LinkHDLC     = 104 // Cisco HDLC
	LinkWiFi     = 105 // IEEE 802.11
	LinkLoop     = 108 // OpenBSD loopback, address family in network byte order
	LinkENC      = 109 // packets that the IPsec of a BSD system has decrypted
	LinkSLL      = 113 // Linux cooked capture, from the device "any"
	LinkPFLOG    = 117 // the packet filter of the BSDs
	LinkRadiotap = 127 // IEEE 802.11 after a radiotap header
	LinkPPI      = 192 // IEEE 802.11 after a Per-Packet Information header
	LinkMPLS     = 219
	LinkIPv4     = 228
	LinkIPv6     = 229
	LinkNFLOG    = 239 // the packet filter of Linux
	LinkPKTAP    = 258 // a header of macOS, then a frame of any link type
	LinkSLL2     = 276 // Linux cooked capture, version 2

	// Ethernet frames with the tag of a switch chip.
	LinkBroadcom       = 281
	LinkBroadcomBefore = 282 // the tag is before the addresses
	LinkDSA            = 284 // Marvell's tag
	LinkEDSA           = 285 // Marvell's tag, after an EtherType

	// Old systems wrote their own numbers for raw IP.
	linkRawBSD     = 12
	linkRawOpenBSD = 14
)

// EtherTypes. GRE uses the same numbers.
const (
	etherTypeIPv4   = 0x0800
	etherTypeBridge = 0x6558 // an Ethernet frame: transparent Ethernet bridging
	etherTypeCVLAN  = 0x8100 // IEEE 802.1Q
	etherTypeIPv6   = 0x86dd
	etherTypePPP    = 0x880b
	etherTypeMPLS   = 0x8847
	etherTypeMPLS2  = 0x8848 // labels assigned upstream
	etherTypeNSH    = 0x894f // service function chaining
	etherTypePPPoE  = 0x8864 // session stage
	etherTypeSVLAN  = 0x88a8 // IEEE 802.1ad
	etherTypeSpan2  = 0x88be // ERSPAN, type II
	etherTypeSpan3  = 0x22eb // ERSPAN, type III
	etherTypeQinQ   = 0x9100 // used before 802.1ad
	etherTypeWCCP   = 0x883e // packets that Cisco routers redirect; only in GRE

	etherTypeMACsec   = 0x88e5 // IEEE 802.1AE
	etherTypeMetadata = 0x8909 // Cisco metadata: a security group
	etherTypeHSR      = 0x892f // for redundant rings, IEC 62439-3
	etherTypeEDSA     = 0xdada // Marvell's tag, which contains the switch port

	// Smaller values are the length of a frame with an LLC header.
	leastEtherType = 0x0600
)

// maxShims is the maximum number of VLAN tags and SNAP headers in a frame, and of MPLS labels. Real frames have two or
// three.
const maxShims = 8

// An Outcome is the result of Find.
type Outcome uint8

// The outcomes of Find.
const (
	Found        Outcome = iota // an IP packet, possibly a fragment
	OtherTraffic                // no readable IP packet: ARP, LLC, ESP ...
	UnknownLink                 // this package does not support the link type
	Malformed                   // a header contradicts itself or the frame
	Truncated                   // the snap length cut off part of the headers
	TooDeep                     // too many nested tunnels
)

// Find finds the IP packet in a frame. link is the link type as registered by tcpdump.org, data contains the captured
// bytes, and length is the frame's size on the wire. If the outcome is Found, Find sets p, and the payload is a slice
// of data. Otherwise it sets only p.Kind, the kind of the frame. The packet may be a tunnel with another packet inside:
// see Open.
func Find(link uint16, data []byte, length int, p *Packet) Outcome {
	p.Tunnels, p.rest.data = 0, nil
	length = max(length, len(data)) // some writers store a wire length of 0
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
		return findInRareLink(link, data, length, p)
	}
	if len(data) < header {
		return p.tooShort(InLink, data, length)
	}
	etherType := binary.BigEndian.Uint16(data[typeAt:])
	return findByEtherType(etherType, data[header:], length-header, p)
}

func findInRareLink(link uint16, data []byte, length int, p *Packet) Outcome {
	switch link {
	case LinkPPP, LinkPPPHDLC:
		return findInPPP(data, length, p)
	case LinkPPPoE:
		return findInPPPoE(data, length, p)
	case LinkHDLC:
		return findInHDLC(data, length, p)
	case LinkMPLS:
		return findInMPLS(data, length, p)
	case LinkWiFi:
		return findInWiFi(data, length, 0, p)
	case LinkRadiotap:
		return findInRadiotap(data, length, p)
	case LinkPPI:
		return findInPPI(data, length, p)
	case LinkENC:
		return findInENC(data, length, p)
	case LinkPFLOG:
		return findInPFLOG(data, length, p)
	case LinkNFLOG:
		return findInNFLOG(data, length, p)
	case LinkPKTAP:
		return findInPKTAP(data, length, p)
	case LinkBroadcom, LinkBroadcomBefore, LinkDSA:
		return findAfterTag(data, length, p)
	case LinkEDSA:
		return findFrame(data, length, p)
	}
	return p.other(UnknownLink, InLink, link)
}

// findByEtherType reads the content of a frame with this EtherType. It skips VLAN tags and other shims: short headers
// that end with the EtherType of their content. etherType may also be the length of a frame with an LLC header.
func findByEtherType(etherType uint16, data []byte, length int, p *Packet) Outcome {
	for shims := 0; ; shims++ {
		size, typeAt := 4, 2
		switch etherType {
		case etherTypeIPv4, etherTypeIPv6:
			return findIP(data, length, p)
		case etherTypePPPoE:
			return findInPPPoE(data, length, p)
		case etherTypeMPLS, etherTypeMPLS2:
			return findInMPLS(data, length, p)
		case etherTypeBridge:
			return findInnerFrame(data, length, p)
		case etherTypeNSH:
			return findInNSH(data, length, p)
		case etherTypeCVLAN, etherTypeSVLAN, etherTypeQinQ:
		case etherTypeHSR:
			size, typeAt = 6, 4 // the HSR header: path and size, sequence number, EtherType
		case etherTypeMetadata, etherTypeEDSA:
			size, typeAt = 8, 6
		case etherTypeMACsec:
			if size = macsecHeader(data); size == 0 {
				return p.other(OtherTraffic, InEtherType, etherType)
			}
			typeAt, length = size-2, max(0, length-integrityCheck)
			data = data[:min(len(data), length)]
		default:
			if etherType >= leastEtherType {
				return p.other(OtherTraffic, InEtherType, etherType)
			}
			if size, typeAt = snapHeader, snapHeader-2; len(data) > 0 && !maySNAP(data) {
				return p.other(OtherTraffic, InLLC, uint16(data[0]))
			}
		}
		if len(data) < size {
			return p.tooShort(InEtherType, data, length)
		}
		if shims == maxShims {
			return p.broken(InEtherType)
		}
		etherType = binary.BigEndian.Uint16(data[typeAt:])
		data, length = data[size:], length-size
	}
}

// snapHeader is the size of an LLC header with a SNAP header, which ends with an EtherType.
const snapHeader = 8

// maySNAP reports whether data may begin with a SNAP header whose content has an EtherType.
func maySNAP(b []byte) bool {
	const ethernet, bridged = "\xaa\xaa\x03\x00\x00\x00", "\xaa\xaa\x03\x00\x00\xf8" // IEEE 802.1H
	begin := string(b[:min(len(b), len(ethernet))])
	return strings.HasPrefix(ethernet, begin) || strings.HasPrefix(bridged, begin)
}

// findFrame reads an Ethernet frame that another protocol contains.
func findFrame(data []byte, length int, p *Packet) Outcome {
	const header, typeAt = 14, 12
	if len(data) < header {
		return p.tooShort(InLink, data, length)
	}
	return findByEtherType(binary.BigEndian.Uint16(data[typeAt:]), data[header:], length-header, p)
}

func findInnerFrame(data []byte, length int, p *Packet) Outcome {
	if !p.enter() {
		return TooDeep
	}
	return findFrame(data, length, p)
}

func findInPPPoE(data []byte, length int, p *Packet) Outcome {
	const header = 6
	if len(data) < header {
		return p.tooShort(InPPP, data, length)
	}
	return findInPPP(data[header:], length-header, p)
}

// findInHDLC reads a packet after an address field, a control field and an EtherType.
func findInHDLC(data []byte, length int, p *Packet) Outcome {
	const header, typeAt = 4, 2
	if len(data) < header {
		return p.tooShort(InLink, data, length)
	}
	return findByEtherType(binary.BigEndian.Uint16(data[typeAt:]), data[header:], length-header, p)
}

// findInPPP reads a packet after its PPP protocol number. An address and a control field may precede the number, as on
// serial lines. A small number may have only one byte.
func findInPPP(data []byte, length int, p *Packet) Outcome {
	const address, control, ipv4, ipv6, mplsUnicast, mplsMulticast = 0xff, 0x03, 0x0021, 0x0057, 0x0281, 0x0283
	if len(data) >= 2 && data[0] == address && data[1] == control {
		data, length = data[2:], length-2
	}
	if len(data) < 2 {
		return p.tooShort(InPPP, data, length)
	}
	size, protocol := 2, binary.BigEndian.Uint16(data)
	if data[0]&1 != 0 {
		size, protocol = 1, uint16(data[0])
	}
	switch data, length = data[size:], length-size; protocol {
	case ipv4, ipv6:
		return findIP(data, length, p)
	case mplsUnicast, mplsMulticast:
		return findInMPLS(data, length, p)
	}
	return p.other(OtherTraffic, InPPP, protocol)
}

// findInMPLS reads a packet after a label stack. Only the first bits of the content show whether it is IP or an
// Ethernet frame. The control word of a pseudowire (RFC 4385), which begins with four 0 bits, may precede a frame.
func findInMPLS(data []byte, length int, p *Packet) Outcome {
	const label, bottom = 4, 0x01
	for labels, last := 0, false; !last; labels++ {
		if len(data) < label {
			return p.tooShort(InMPLS, data, length)
		}
		if labels == maxShims {
			return p.broken(InMPLS)
		}
		last = data[2]&bottom != 0
		data, length = data[label:], length-label
	}
	const typeAt, control = 12, 4
	if len(data) < typeAt+2+control {
		return p.tooShort(InMPLS, data, length)
	}
	switch first := data[0] >> 4; {
	case (first == 4 || first == 6) && fits(data, length):
		return findIP(data, length, p)
	case first == 0 && isFrame(data[control+typeAt:]):
		return findInnerFrame(data[control:], length-control, p)
	case isFrame(data[typeAt:]):
		return findInnerFrame(data, length, p)
	default:
		return p.other(OtherTraffic, InMPLS, uint16(first))
	}
}

// isFrame reports whether b begins with an EtherType after which an IP packet may follow.
func isFrame(b []byte) bool {
	switch binary.BigEndian.Uint16(b) {
	case etherTypeIPv4, etherTypeIPv6, etherTypeCVLAN, etherTypeSVLAN, etherTypeQinQ, etherTypePPPoE, etherTypeMPLS:
		return true
	}
	return false
}

// findInLoopback reads a packet after the address family that BSD loopback devices write. Every family fits in one
// byte, so the value shows its byte order.
func findInLoopback(data []byte, length int, p *Packet) Outcome {
	if len(data) < 4 {
		return p.tooShort(InLink, data, length)
	}
	return findByFamily(familyOf(data), data[4:], length-4, p)
}

// familyOf returns an address family that is stored in either byte order.
func familyOf(data []byte) uint16 {
	family := binary.BigEndian.Uint32(data)
	if family > 0xffff {
		family = bits.ReverseBytes32(family)
	}
	return uint16(family)
}

func findByFamily(family uint16, data []byte, length int, p *Packet) Outcome {
	switch family {
	case 2, // IPv4 on all systems
		10, // IPv6 on Linux
		23, // IPv6 on Windows
		24, // IPv6 on NetBSD and OpenBSD
		28, // IPv6 on FreeBSD
		30: // IPv6 on macOS
		return findIP(data, length, p)
	}
	return p.other(OtherTraffic, InLoopback, family)
}
