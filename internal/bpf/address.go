package bpf

// A direction says whether a condition must be true of the source, of the destination, of either or of both.
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

// andMasked adds a condition on a masked word of the packet. Like libpcap's optimizer, it does not read the word if the
// mask is zero.
func (f frame) andMasked(before *node, off, word, mask uint32) *node {
	if mask == 0 {
		return before
	}
	return all(before, masked(f.in(sizeWord, int(off)), mask, word))
}

// host4 compares addresses in IPv4, ARP and RARP packets, or only in those of the given protocol.
func (f frame) host4(protocol string, d direction, address, mask uint32) *node {
	in := func(ether, src, dst uint32) *node {
		one := func(off uint32) *node {
			return f.andMasked(f.carries(ether), off, address, mask)
		}
		return d.of(one(src), one(dst))
	}
	switch protocol {
	case "ip":
		return in(etherIP4, 12, 16)
	case "arp", "rarp":
		return in(etherTypes[protocol], 14, 24)
	}
	return some(in(etherIP4, 12, 16), in(etherARP, 14, 24), in(etherRARP, 14, 24))
}

// host6 compares addresses in IPv6 packets, word by word.
func (f frame) host6(d direction, address, mask [4]uint32) *node {
	one := func(off uint32) *node {
		n := f.ip6()
		for i := range address {
			n = f.andMasked(n, off+4*uint32(i), address[i], mask[i])
		}
		return n
	}
	return d.of(one(8), one(24))
}

// hostMAC compares addresses in Ethernet frames.
func (f frame) hostMAC(d direction, address uint64) *node {
	one := func(off uint32) *node {
		return all(compare(at(sizeWord, f.header+off+2), equal, uint32(address)),
			compare(at(sizeHalf, f.header+off), equal, uint32(address>>32)))
	}
	return d.of(one(6), one(0))
}

// ports matches ports from low to high. In IPv6 it finds ports only directly after the fixed header.
func (f frame) ports(protocols []uint32, d direction, low, high uint32) *node {
	within := func(l load) *node {
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
		all(f.ip6(), some(in6...), d.of(within(f.in(sizeHalf, 40)), within(f.in(sizeHalf, 42)))),
		all(f.ip4(), some(in4...), f.whole(), d.of(within(f.afterIP4(sizeHalf, 0)), within(f.afterIP4(sizeHalf, 2)))))
}
