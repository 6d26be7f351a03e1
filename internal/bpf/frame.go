package bpf

import (
	"math/bits"
	"runtime"

	"github.com/gamedissect/gamedissect/capture"
)

// Link types that are understood without libpcap.
const (
	linkNull     capture.LinkType = 0
	linkEthernet capture.LinkType = 1
	linkRaw      capture.LinkType = 101
	linkLoop     capture.LinkType = 108
	linkCooked   capture.LinkType = 113
	linkCooked2  capture.LinkType = 276
)

const (
	etherIP4  = 0x0800
	etherARP  = 0x0806
	etherIP6  = 0x86dd
	etherRARP = 0x8035
)

const (
	protocolTCP      = 6
	protocolUDP      = 17
	protocolFragment = 44 // IPv6's fragment header
	protocolSCTP     = 132
)

// Of linux/filter.h and linux/if_packet.h: what the kernel alone knows of a packet is read at offsets that no
// packet has.
const (
	extensions     = 0xfffff000     // SKF_AD_OFF
	packetType     = extensions + 4 // SKF_AD_PKTTYPE
	packetOutgoing = 4              // PACKET_OUTGOING
)

// A frame is where things lie in frames of a link type. Behind a VLAN tag everything is four bytes further on.
type frame struct {
	link capture.LinkType
	tags uint32 // VLAN tags so far
}

// headerSizes are those of the link layers, in bytes.
var headerSizes = map[capture.LinkType]uint32{
	linkNull: 4, linkEthernet: 14, linkRaw: 0, linkLoop: 4, linkCooked: 16, linkCooked2: 20,
}

// payload is an offset behind the link layer's header.
func (f frame) payload(off uint32) uint32 { return headerSizes[f.link] + 4*f.tags + off }

// outgoing asks whether this machine sent the packet: the header of Linux cooked frames tells it, of others
// the kernel.
func (f frame) outgoing() *node {
	switch f.link {
	case linkCooked:
		return compare(at(sizeHalf, 0), equal, packetOutgoing)
	case linkCooked2:
		return compare(at(sizeByte, 10), equal, packetOutgoing)
	}
	return compare(at(sizeHalf, packetType), equal, packetOutgoing)
}

// carries tests for an EtherType.
func (f frame) carries(ether uint32) *node {
	switch f.link {
	case linkEthernet:
		return compare(at(sizeHalf, 12+4*f.tags), equal, ether)
	case linkCooked:
		return compare(at(sizeHalf, 14), equal, ether)
	case linkCooked2:
		return compare(at(sizeHalf, 0), equal, ether)
	}
	family, version := uint32(2), uint32(0x40)
	switch ether {
	case etherIP4:
	case etherIP6:
		family, version = familyIP6(), 0x60
	default:
		return no // these link types carry nothing but IP
	}
	if f.link == linkRaw {
		return masked(at(sizeByte, 0), 0xf0, version)
	}
	if f.link == linkNull && hostIsLittle() {
		family = bits.ReverseBytes32(family)
	}
	return compare(at(sizeWord, 0), equal, family)
}

// familyIP6 is AF_INET6, which differs from system to system; AF_INET is 2 everywhere. libpcap, too,
// goes by the system that it runs on.
func familyIP6() uint32 {
	switch runtime.GOOS {
	case "darwin":
		return 30
	case "windows":
		return 23
	}
	return 10
}

func (f frame) ip4() *node { return f.carries(etherIP4) }
func (f frame) ip6() *node { return f.carries(etherIP6) }

func (f frame) ip4Carries(protocol uint32) *node {
	return compare(at(sizeByte, f.payload(9)), equal, protocol)
}

func (f frame) ip6Carries(protocol uint32) *node {
	return compare(at(sizeByte, f.payload(6)), equal, protocol)
}

// protocol4 is IPv4 with a protocol.
func (f frame) protocol4(protocol uint32) *node { return all(f.ip4(), f.ip4Carries(protocol)) }

// protocol6 is IPv6 with a protocol, in the header or in a fragment's header that comes first.
func (f frame) protocol6(protocol uint32) *node {
	fragment := all(f.ip6Carries(protocolFragment), compare(at(sizeByte, f.payload(40)), equal, protocol))
	return all(f.ip6(), some(f.ip6Carries(protocol), fragment))
}

// protocol is either of the two.
func (f frame) protocol(protocol uint32) *node {
	return some(f.protocol4(protocol), f.protocol6(protocol))
}

// whole is false for an IPv4 fragment other than the first, which has no ports.
func (f frame) whole() *node { return not(compare(at(sizeHalf, f.payload(6)), bitsSet, 0x1fff)) }

// behindIP4 is an offset behind the IPv4 header, options and all.
func (f frame) behindIP4(size uint16, off uint32) loaded {
	return loaded{kind: behindHeader, size: size, off: f.payload(off), header: f.payload(0)}
}

// tagged is a frame with a VLAN tag; id is the VLAN's number, or -1 for any.
func (f frame) tagged(id int64) *node {
	kind := at(sizeHalf, 12+4*f.tags)
	tag := some(compare(kind, equal, 0x8100), compare(kind, equal, 0x88a8), compare(kind, equal, 0x9100))
	if id < 0 {
		return tag
	}
	return all(tag, masked(at(sizeHalf, 14+4*f.tags), 0xfff, uint32(id)))
}

// direction is which of two things must hold.
type direction uint8

const (
	either direction = iota
	source
	destination
	both
)

func (d direction) of(src, dst *node) *node {
	switch d {
	case source:
		return src
	case destination:
		return dst
	case both:
		return all(src, dst)
	}
	return some(src, dst)
}

// holds adds a word to what must hold. One that is all masked out is not even read, as by libpcap's optimizer.
func (f frame) holds(before *node, off, word, mask uint32) *node {
	if mask == 0 {
		return before
	}
	return all(before, masked(at(sizeWord, f.payload(off)), mask, word))
}

// host4 compares the addresses of IPv4, ARP and RARP, or of the one that protocol names.
func (f frame) host4(protocol string, d direction, address, mask uint32) *node {
	in := func(ether, src, dst uint32) *node {
		one := func(off uint32) *node {
			return f.holds(f.carries(ether), off, address, mask)
		}
		return d.of(one(src), one(dst))
	}
	switch protocol {
	case "ip":
		return in(etherIP4, 12, 16)
	case "arp":
		return in(etherARP, 14, 24)
	case "rarp":
		return in(etherRARP, 14, 24)
	}
	return some(in(etherIP4, 12, 16), in(etherARP, 14, 24), in(etherRARP, 14, 24))
}

// host6 compares the addresses of IPv6, a word at a time.
func (f frame) host6(d direction, address, mask [4]uint32) *node {
	one := func(off uint32) *node {
		n := f.ip6()
		for i := range address {
			n = f.holds(n, off+4*uint32(i), address[i], mask[i])
		}
		return n
	}
	return d.of(one(8), one(24))
}

// ports looks for ports from low to high. In IPv6 they are seen behind the fixed header alone.
func (f frame) ports(protocols []uint32, d direction, low, high uint32) *node {
	within := func(l loaded) *node {
		if low == high {
			return compare(l, equal, low)
		}
		return all(compare(l, atLeast, low), not(compare(l, greater, high)))
	}
	var in4, in6 []*node
	for _, protocol := range protocols {
		in4 = append(in4, f.ip4Carries(protocol))
		in6 = append(in6, f.ip6Carries(protocol))
	}
	return some(
		all(f.ip6(), some(in6...), d.of(within(at(sizeHalf, f.payload(40))), within(at(sizeHalf, f.payload(42))))),
		all(f.ip4(), some(in4...), f.whole(), d.of(within(f.behindIP4(sizeHalf, 0)), within(f.behindIP4(sizeHalf, 2)))))
}
