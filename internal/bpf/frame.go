package bpf

import (
	"math/bits"

	"github.com/gamedissect/gamedissect/capture"
)

// Supported link types, by their numbers in capture files.
const (
	linkNull     capture.LinkType = 0
	linkEthernet capture.LinkType = 1
	linkPPP      capture.LinkType = 9
	linkPPPHDLC  capture.LinkType = 50
	linkPPPoE    capture.LinkType = 51
	linkRaw      capture.LinkType = 101
	linkHDLC     capture.LinkType = 104
	linkLoop     capture.LinkType = 108
	linkENC      capture.LinkType = 109
	linkPFLOG    capture.LinkType = 117
	linkCooked   capture.LinkType = 113
	linkIPv4     capture.LinkType = 228
	linkIPv6     capture.LinkType = 229
	linkCooked2  capture.LinkType = 276
)

const (
	etherIP4    = 0x0800
	etherARP    = 0x0806
	etherRARP   = 0x8035
	etherIP6    = 0x86dd
	etherMPLS   = 0x8847
	etherPPPoED = 0x8863
	etherPPPoES = 0x8864

	protocolFragment = 44 // IPv6's fragment header
)

// These values are from linux/filter.h and linux/if_packet.h. Data that only the kernel has, such as the direction of a
// packet, are read at offsets beyond the end of any packet.
const (
	extensions     = 0xfffff000     // SKF_AD_OFF
	packetType     = extensions + 4 // SKF_AD_PKTTYPE
	packetOutgoing = 4              // PACKET_OUTGOING
)

// A frame has the offsets of a packet's headers for one position in the filter, because each of the words vlan, mpls
// and pppoes increases the offsets.
type frame struct {
	link    capture.LinkType
	header  uint32 // offset of the link-layer header
	typeAt  uint32 // offset of the field with the payload's type
	payload uint32 // offset of the payload; in PFLOG, from the end of the header
	labels  int    // number of MPLS labels
	depth   int    // number of labels, tags and sessions
	swapped bool   // the address family is big-endian
}

var frames = map[capture.LinkType]frame{
	linkNull:     {link: linkNull, payload: 4},
	linkEthernet: {link: linkEthernet, typeAt: 12, payload: 14},
	linkPPP:      {link: linkPPP, typeAt: 2, payload: 4},
	linkPPPHDLC:  {link: linkPPPHDLC, typeAt: 2, payload: 4},
	linkPPPoE:    {link: linkPPPoE, typeAt: 6, payload: 8},
	linkRaw:      {link: linkRaw},
	12:           {link: linkRaw}, // as written by old BSD systems
	14:           {link: linkRaw}, // as written by OpenBSD
	linkHDLC:     {link: linkHDLC, typeAt: 2, payload: 4},
	linkLoop:     {link: linkLoop, payload: 4},
	linkENC:      {link: linkENC, payload: 12},
	linkPFLOG:    {link: linkPFLOG},
	linkCooked:   {link: linkCooked, typeAt: 14, payload: 16},
	linkIPv4:     {link: linkIPv4},
	linkIPv6:     {link: linkIPv6},
	linkCooked2:  {link: linkCooked2, payload: 20},
}

func (f frame) isPPP() bool { return f.link == linkPPP || f.link == linkPPPHDLC || f.link == linkPPPoE }

// directed tests whether this machine received or sent the packet. The headers of Linux cooked frames and of PFLOG
// contain the direction. For other frames, the program asks the kernel.
func (f frame) directed(inbound bool) *node {
	const direction, in, out = 60, 1, 2
	switch {
	case f.link == linkPFLOG && inbound:
		return compare(at(sizeByte, direction), equal, in)
	case f.link == linkPFLOG:
		return compare(at(sizeByte, direction), equal, out)
	case inbound:
		return not(f.outgoing())
	}
	return f.outgoing()
}

// asksKernel reports whether only the kernel knows the direction of packets.
func (f frame) asksKernel() bool {
	return f.link != linkCooked && f.link != linkCooked2 && f.link != linkPFLOG
}

func (f frame) outgoing() *node {
	switch f.link {
	case linkCooked:
		return compare(at(sizeHalf, 0), equal, packetOutgoing)
	case linkCooked2:
		return compare(at(sizeByte, 10), equal, packetOutgoing)
	}
	return compare(at(sizeHalf, packetType), equal, packetOutgoing)
}

// pppTypes maps EtherTypes to the PPP protocol numbers that differ from them.
var pppTypes = map[uint32]uint32{etherIP4: 0x21, etherIP6: 0x57, etherMPLS: 0x281}

func (f frame) carries(ether uint32) *node {
	version := map[uint32]uint32{etherIP4: 0x40, etherIP6: 0x60}[ether]
	switch {
	case f.labels > 0 && version != 0: // the previous label must be the last one
		return all(masked(f.in(sizeByte, -2), 1, 1), masked(f.in(sizeByte, 0), 0xf0, version))
	case f.labels > 0:
		return no
	case f.isPPP() && pppTypes[ether] != 0:
		return compare(at(sizeHalf, f.typeAt), equal, pppTypes[ether])
	}
	switch f.link {
	case linkRaw:
		if version == 0 {
			return no
		}
		return masked(f.in(sizeByte, 0), 0xf0, version)
	case linkNull, linkLoop, linkENC, linkPFLOG:
		return f.family(families[ether])
	case linkIPv4, linkIPv6:
		if ether == etherIP4 && f.link == linkIPv4 || ether == etherIP6 && f.link == linkIPv6 {
			return yes
		}
		return no
	}
	return compare(at(sizeHalf, f.typeAt), equal, ether)
}

// families are the values of AF_INET and AF_INET6. The value of AF_INET6 depends on the system that wrote the file:
// macOS, NetBSD and OpenBSD, FreeBSD, Linux, and Windows, in this order.
var families = map[uint32][]uint32{etherIP4: {2}, etherIP6: {30, 24, 28, 10, 23}}

// family tests whether the address family is in list.
func (f frame) family(list []uint32) *node {
	var nodes []*node
	for _, family := range list {
		l := at(sizeWord, 0)
		switch {
		case f.link == linkPFLOG:
			l = at(sizeByte, 1)
		case f.link != linkLoop && !f.swapped:
			family = bits.ReverseBytes32(family) // see Compile
		}
		nodes = append(nodes, compare(l, equal, family))
	}
	if len(nodes) == 0 {
		return no
	}
	return some(nodes...)
}

// label tests for an MPLS label. If another label precedes it, that one must not be the last label.
func (f frame) label() *node {
	if f.labels > 0 {
		return masked(f.in(sizeByte, -2), 1, 0)
	}
	return f.carries(etherMPLS)
}

// tagged compares the ID of a VLAN tag, an MPLS label or a PPPoE session.
func (f frame) tagged(what string, id uint32) *node {
	switch what {
	case "vlan":
		return masked(f.in(sizeHalf, 0), 0xfff, id)
	case "mpls":
		return masked(f.in(sizeWord, 0), 0xfffff000, id<<12)
	}
	return masked(f.in(sizeWord, 0), 0xffff, id)
}

// enter moves the offsets past a tag, a label, or the headers of PPPoE and PPP.
func (f *frame) enter(what string) {
	f.depth++
	switch what {
	case "vlan":
		f.typeAt, f.payload = f.typeAt+4, f.payload+4
	case "mpls":
		f.labels, f.payload = f.labels+1, f.payload+4
	default:
		f.link, f.header, f.typeAt, f.payload = linkPPP, f.payload+6, f.payload+6, f.payload+8
	}
}

func (f frame) ip4() *node { return f.carries(etherIP4) }
func (f frame) ip6() *node { return f.carries(etherIP6) }

func (f frame) ip4Carries(protocol uint32) *node {
	return compare(f.in(sizeByte, 9), equal, protocol)
}

func (f frame) ip6Carries(protocol uint32) *node {
	return compare(f.in(sizeByte, 6), equal, protocol)
}

// protocol4 tests for an IPv4 packet that carries a protocol.
func (f frame) protocol4(protocol uint32) *node { return all(f.ip4(), f.ip4Carries(protocol)) }

// protocol6 tests for an IPv6 packet that names a protocol in the fixed header, or in a fragment header directly after
// it.
func (f frame) protocol6(protocol uint32) *node {
	fragment := all(f.ip6Carries(protocolFragment), compare(f.in(sizeByte, 40), equal, protocol))
	return all(f.ip6(), some(f.ip6Carries(protocol), fragment))
}

// protocol tests for an IPv4 or IPv6 packet that carries a protocol.
func (f frame) protocol(protocol uint32) *node {
	return some(f.protocol4(protocol), f.protocol6(protocol))
}

// whole is false for an IPv4 fragment other than the first, because such a fragment has no ports.
func (f frame) whole() *node { return not(compare(f.in(sizeHalf, 6), bitsSet, 0x1fff)) }

// afterIP4 returns a load at an offset from the end of the IPv4 header, which may have options.
func (f frame) afterIP4(size uint16, off uint32) load {
	return load{
		kind: afterHeader, size: size, off: f.payload + off, header: f.payload, varied: f.link == linkPFLOG,
	}
}

// in returns a load at an offset in the frame's payload.
func (f frame) in(size uint16, off int) load {
	return load{size: size, off: f.payload + uint32(off), varied: f.link == linkPFLOG}
}
