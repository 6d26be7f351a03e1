package bpf

import (
	"encoding/binary"
	"math"
	"net/netip"
	"strconv"
)

// qualified parses keywords and the value that they qualify, or only a protocol.
func (p *parser) qualified() *node {
	start := p.peek()
	_, isIP := ipProtocols[start.text]
	_, isEther := etherTypes[start.text]
	q := &qualifiers{kind: "host"}
	if isIP || isEther || start.text == "ether" || start.text == "link" {
		q.protocol = p.next().text
	}
	if q.protocol == "link" {
		q.protocol = "ether"
	}
	directed := p.direction(q)
	switch t := p.peek(); {
	case !directed && (t.is(word, "broadcast") || t.is(word, "multicast")):
		p.values = nil
		return p.toMany(q.protocol, p.next())
	case t.is(word, "host"), t.is(word, "net"), t.is(word, "port"), t.is(word, "portrange"),
		t.is(word, "proto") && !directed:
		q.kind = p.next().text
	case !directed && (isIP || isEther):
		p.values = nil
		return p.protocol(q.protocol)
	case !directed:
		return p.unexpected(t, "a condition")
	}
	p.values = q
	return p.value(*q)
}

func (p *parser) protocol(name string) *node {
	if t := p.peek(); t.isValue() {
		return p.unexpected(t, `a word such as "host" or "port"`)
	}
	ip := ipProtocols[name]
	switch {
	case ip.number == 0:
		return p.frame.carries(etherTypes[name])
	case ip.version == 4:
		return p.frame.protocol4(ip.number)
	case ip.version == 6:
		return p.frame.protocol6(ip.number)
	}
	return p.frame.protocol(ip.number)
}

// direction parses "src", "dst", or both joined by "and" or "or". It reports whether it found any of these.
func (p *parser) direction(q *qualifiers) bool {
	name := func(t token) direction {
		switch {
		case t.is(word, "src"):
			return source
		case t.is(word, "dst"):
			return destination
		}
		return either
	}
	if q.direction = name(p.peek()); q.direction == either {
		return false
	}
	p.at++
	joint := p.peek()
	if !joint.is(sign, "&&") && !joint.is(sign, "||") {
		return true
	}
	p.at++
	switch t := p.next(); {
	case name(t) == either || name(t) == q.direction:
		p.unexpected(t, "the other direction")
	case joint.text == "&&":
		q.direction = both
	default:
		q.direction = either
	}
	return true
}

// toMany parses broadcast and multicast, for Ethernet or IP.
func (p *parser) toMany(protocol string, t token) *node {
	f := p.frame
	switch {
	case protocol == "ip" && t.text == "multicast":
		return all(f.ip4(), compare(f.in(sizeByte, 16), atLeast, 224))
	case protocol == "ip6" && t.text == "multicast":
		return all(f.ip6(), compare(f.in(sizeByte, 24), equal, 255))
	case protocol == "ip":
		return p.fail(t, "broadcast addresses depend on the network: write dst host 255.255.255.255, "+
			"or the network's last address, such as 10.0.0.255")
	case protocol != "" && protocol != "ether":
		return p.fail(t, "%s works with ether and ip, and multicast also with ip6", t.text)
	case f.link != linkEthernet:
		return p.fail(t, "only Ethernet frames have %s addresses, these are %s; write ip multicast", t.text, f.link)
	case t.text == "multicast":
		return compare(at(sizeByte, f.header), bitsSet, 1)
	}
	return f.hostMAC(destination, 0xffffffffffff)
}

// value parses the qualified value, or several values in parentheses.
func (p *parser) value(q qualifiers) *node {
	switch {
	case p.takes(sign, "!"):
		return not(p.value(q))
	case p.takes(sign, "("):
		n := p.value(q)
		for {
			switch {
			case p.takes(sign, "&&"):
				n = all(n, p.value(q))
			case p.takes(sign, "||"):
				n = some(n, p.value(q))
			default:
				p.want(sign, ")")
				return n
			}
		}
	}
	t := p.peek()
	switch q.kind {
	case "port", "portrange":
		return p.ports(q)
	case "proto":
		return p.protocolNumber(q)
	}
	if _, isIP := ipProtocols[q.protocol]; isIP && t.isValue() {
		return p.fail(t, "%s has no addresses, only IP has; write port %s for a port", q.protocol, t.text)
	}
	isIP := q.protocol != "ether" && q.protocol != "ip6"
	switch {
	case (t.kind == dotted || t.kind == number) && isIP:
		return p.host4(q)
	case t.kind == ipv6 && (q.protocol == "" || q.protocol == "ip6"):
		return p.host6(q)
	case t.kind == mac && q.protocol == "" && q.kind == "host":
		return p.fail(t, "write ether host %s", t.text)
	case t.kind == mac && q.protocol == "ether" && q.kind == "host":
		if p.frame.link != linkEthernet {
			return p.fail(t, "only Ethernet frames have MAC addresses, these are %s", p.frame.link)
		}
		return p.frame.hostMAC(q.direction, p.next().mac())
	case q.protocol == "ether":
		return p.unexpected(t, "an address such as 00:11:22:aa:bb:cc")
	case q.protocol != "":
		return p.unexpected(t, "an address of "+q.protocol)
	}
	return p.unexpected(t, "an address")
}

func (p *parser) host4(q qualifiers) *node {
	t := p.next()
	address, mask := t.number, uint32(math.MaxUint32)
	switch {
	case t.kind == number && q.kind == "net":
		for address != 0 && address>>24 == 0 {
			address, mask = address<<8, mask<<8
		}
	case t.kind == number: // whole address
	case q.kind == "host" && t.parts() != 4:
		return p.fail(t, "a host's address has four numbers; write net %s", t.text)
	case q.kind == "host" && p.peek().is(sign, "/"):
		return p.fail(t, "a host has no prefix; write net %s/...", t.text)
	}
	if q.kind == "net" && t.kind == dotted {
		mask <<= 8 * (4 - t.parts())
		switch {
		case p.takes(sign, "/"):
			mask = uint32(math.MaxUint32 << (32 - min(p.number("a prefix length", 32), 32)))
		case p.takes(word, "mask"):
			m := p.next()
			if m.kind != dotted {
				return p.unexpected(m, "a mask such as 255.255.0.0")
			}
			mask = m.number
		}
	}
	if address&^mask != 0 {
		return p.fail(t, "the address has bits outside the network's mask")
	}
	return p.frame.host4(q.protocol, q.direction, address, mask)
}

func (p *parser) host6(q qualifiers) *node {
	t := p.next()
	length := uint32(128)
	if p.takes(sign, "/") {
		length = min(p.number("a prefix length", 128), 128)
		if q.kind == "host" && length < 128 {
			return p.fail(t, "a host has no prefix; write net %s/%d", t.text, length)
		}
	}
	if netip.PrefixFrom(t.addr, int(length)).Masked().Addr() != t.addr {
		return p.fail(t, "the address has bits outside the network's mask")
	}
	var address, mask [4]uint32
	bytes := t.addr.As16()
	for i := range address {
		address[i] = binary.BigEndian.Uint32(bytes[4*i:])
		mask[i] = ^uint32(math.MaxUint32 >> min(length-min(length, uint32(32*i)), 32))
	}
	return p.frame.host6(q.direction, address, mask)
}

// ports parses a port or a range of ports.
func (p *parser) ports(q qualifiers) *node {
	protocols := []uint32{132, 6, 17} // in libpcap's order
	switch q.protocol {
	case "":
	case "tcp", "udp", "sctp":
		protocols = []uint32{ipProtocols[q.protocol].number}
	default:
		return p.unexpected(p.peek(), "a port of tcp, udp or sctp")
	}
	low, high := p.portRange(q.kind)
	return p.frame.ports(protocols, q.direction, min(low, high), max(low, high))
}

// portRange parses a port or, if allowed, a range of ports. The limits of a range may be names.
func (p *parser) portRange(kind string) (low, high uint32) {
	if low, high, ok := namedRange(p.peek().text); ok && kind == "portrange" {
		p.at++
		return low, high
	}
	low = p.port()
	if kind == "portrange" && p.takes(sign, "-") {
		return low, p.port()
	}
	return low, low
}

// namedRange parses two ports separated by a hyphen. The first port is a name, which may itself contain hyphens.
func namedRange(text string) (low, high uint32, ok bool) {
	for i := range text {
		if low, high := portNumbers[text[:i]], portNumber(text[i+1:]); text[i] == '-' && low != 0 && high != 0 {
			return low, high, true
		}
	}
	return 0, 0, false
}

// portNumber returns the number of a port, given as a name or a number. It returns 0 for anything else.
func portNumber(text string) uint32 {
	if n, ok := portNumbers[text]; ok {
		return n
	}
	n, _ := strconv.ParseUint(text, 10, 16)
	return uint32(n)
}

func (p *parser) protocolNumber(q qualifiers) *node {
	t := p.peek()
	if q.protocol == "ether" {
		if n, ok := etherTypes[t.text]; ok && t.kind == escaped {
			p.at++
			return p.frame.carries(n)
		}
		if t.kind == number && t.number <= 1500 {
			return p.fail(t, "%d is the length of an LLC frame, not an EtherType; %s", t.number, ofLLC)
		}
		return p.frame.carries(p.number("an EtherType such as 0x0800", math.MaxUint16))
	}
	if _, isWord := ipProtocols[t.text]; isWord && t.kind == word {
		return p.fail(t, `write \%s, or %s alone`, t.text, t.text)
	}
	n := ipProtocols[t.text].number
	if t.kind == escaped && n != 0 {
		p.at++
	} else {
		n = p.number("a protocol's number", math.MaxUint8)
	}
	switch q.protocol {
	case "":
		return p.frame.protocol(n)
	case "ip":
		return p.frame.protocol4(n)
	case "ip6":
		return p.frame.protocol6(n)
	}
	return p.fail(t, "proto works with ether, ip and ip6, not with %s", q.protocol)
}
