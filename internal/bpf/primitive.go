package bpf

import (
	"encoding/binary"
	"math"
	"net/netip"
)

// bytes reads bytes of a protocol's header that are compared with a number.
func (p *parser) bytes() (*node, error) {
	t := p.next()
	p.at++ // the bracket
	off, err := p.number("an offset", math.MaxUint16)
	if err != nil {
		return nil, err
	}
	size := uint16(sizeByte)
	if p.takes(sign, ":") {
		switch n := p.next(); {
		case n.kind == number && n.number == 1:
		case n.kind == number && n.number == 2:
			size = sizeHalf
		case n.kind == number && n.number == 4:
			size = sizeWord
		default:
			return nil, p.unexpected(n, "1, 2 or 4")
		}
	}
	if !p.takes(sign, "]") {
		return nil, p.unexpected(p.peek(), `"]"`)
	}
	f := p.frame
	var before *node
	var l loaded
	switch t.text {
	case "ether", "link":
		before, l = yes, at(size, off)
	case "ip":
		before, l = f.ip4(), at(size, f.payload(off))
	case "ip6":
		before, l = f.ip6(), at(size, f.payload(off))
	case "tcp", "udp", "sctp", "icmp":
		before, l = all(f.protocol4(ipProtocols[t.text]), f.whole()), f.behindIP4(size, off)
	default:
		return nil, p.unexpected(t, "a protocol whose bytes can be had")
	}
	n, err := p.comparison(l)
	if err != nil {
		return nil, err
	}
	return all(before, n), nil
}

// ipProtocols are those that conditions may name.
var ipProtocols = map[string]uint32{
	"tcp": protocolTCP, "udp": protocolUDP, "sctp": protocolSCTP, "icmp": 1, "icmp6": 58,
}

// qualified reads words and the value that they are about, or a protocol alone.
func (p *parser) qualified() (*node, error) {
	start := p.peek()
	q := qualifiers{kind: "host"}
	switch start.text {
	case "ip", "ip6", "arp", "rarp", "tcp", "udp", "sctp", "icmp", "icmp6":
		q.protocol = p.next().text
	}
	directed, err := p.direction(&q)
	if err != nil {
		return nil, err
	}
	switch t := p.peek(); {
	case t.is(word, "host"), t.is(word, "net"), t.is(word, "port"), t.is(word, "portrange"),
		t.is(word, "proto") && !directed:
		q.kind = p.next().text
	case q.protocol != "" && !directed:
		return p.protocol(start)
	case !directed:
		return nil, p.unexpected(t, "a condition")
	}
	p.last = &q
	return p.value(q)
}

// protocol is a protocol alone.
func (p *parser) protocol(t token) (*node, error) {
	p.last = nil
	switch next := p.peek(); next.kind {
	case number, dotted, ipv6:
		return nil, p.unexpected(next, `a word such as "host" or "port"`)
	}
	f := p.frame
	switch t.text {
	case "ip":
		return f.ip4(), nil
	case "ip6":
		return f.ip6(), nil
	case "arp":
		return f.carries(etherARP), nil
	case "rarp":
		return f.carries(etherRARP), nil
	case "icmp":
		return f.protocol4(ipProtocols[t.text]), nil
	case "icmp6":
		return f.protocol6(ipProtocols[t.text]), nil
	}
	return f.protocol(ipProtocols[t.text]), nil
}

// direction reads src, dst, or both with a word between.
func (p *parser) direction(q *qualifiers) (bool, error) {
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
		return false, nil
	}
	p.at++
	joint := p.peek()
	if !joint.is(sign, "&&") && !joint.is(sign, "||") {
		return true, nil
	}
	p.at++
	switch t := p.next(); {
	case name(t) == either || name(t) == q.direction:
		return false, p.unexpected(t, "the other direction")
	case joint.text == "&&":
		q.direction = both
	default:
		q.direction = either
	}
	return true, nil
}

// value reads what words were about. A later bare value has the same words.
func (p *parser) value(q qualifiers) (*node, error) {
	switch q.kind {
	case "port", "portrange":
		return p.ports(q)
	case "proto":
		return p.protocolNumber(q)
	}
	t := p.peek()
	if (t.kind == dotted || t.kind == number && q.kind == "net") && q.protocol != "ip6" {
		return p.host4(q)
	}
	if t.kind == ipv6 && q.protocol != "ip" && q.protocol != "arp" && q.protocol != "rarp" {
		return p.host6(q)
	}
	wanted := "an address"
	if q.protocol != "" {
		wanted = "an address of " + q.protocol
	}
	return nil, p.unexpected(t, wanted)
}

func (p *parser) host4(q qualifiers) (*node, error) {
	if _, transport := ipProtocols[q.protocol]; transport {
		return nil, p.fail(p.peek(), "addresses are IP's, not those of %s", q.protocol)
	}
	t := p.next()
	address, mask := t.number, uint32(math.MaxUint32)
	switch {
	case q.kind == "host" && t.parts() != 4:
		return nil, p.fail(t, "a host's address has four numbers, this is a net's")
	case t.kind == number && (address == 0 || address > 255):
		return nil, p.unexpected(t, "an address")
	case t.kind == number:
		address <<= 24
	}
	if q.kind == "net" {
		mask <<= 8 * (4 - t.parts())
		switch {
		case t.kind != number && p.takes(sign, "/"):
			n, err := p.number("the length of a net's address", 32)
			if err != nil {
				return nil, err
			}
			mask = uint32(math.MaxUint32 << (32 - n))
		case t.kind != number && p.takes(word, "mask"):
			m := p.next()
			if m.kind != dotted || m.parts() != 4 {
				return nil, p.unexpected(m, "a mask of four numbers")
			}
			mask = m.number
		}
	}
	if address&^mask != 0 {
		return nil, p.fail(t, "the address has bits beyond those of the net")
	}
	return p.frame.host4(q.protocol, q.direction, address, mask), nil
}

func (p *parser) host6(q qualifiers) (*node, error) {
	if _, transport := ipProtocols[q.protocol]; transport {
		return nil, p.fail(p.peek(), "addresses are IP's, not those of %s", q.protocol)
	}
	t := p.next()
	length := uint32(128)
	if q.kind == "net" && p.takes(sign, "/") {
		var err error
		if length, err = p.number("the length of a net's address", 128); err != nil {
			return nil, err
		}
	}
	if netip.PrefixFrom(t.addr, int(length)).Masked().Addr() != t.addr {
		return nil, p.fail(t, "the address has bits beyond those of the net")
	}
	var address, mask [4]uint32
	bytes := t.addr.As16()
	for i := range address {
		address[i] = binary.BigEndian.Uint32(bytes[4*i:])
		mask[i] = ^uint32(math.MaxUint32 >> min(length-min(length, uint32(32*i)), 32))
	}
	return p.frame.host6(q.direction, address, mask), nil
}

// ports reads a port, or two with "-" between.
func (p *parser) ports(q qualifiers) (*node, error) {
	protocols := []uint32{protocolSCTP, protocolTCP, protocolUDP}
	switch q.protocol {
	case "":
	case "tcp", "udp", "sctp":
		protocols = []uint32{ipProtocols[q.protocol]}
	default:
		return nil, p.unexpected(p.peek(), "a port of tcp, udp or sctp")
	}
	low, err := p.port()
	if err != nil {
		return nil, err
	}
	high := low
	if q.kind == "portrange" {
		if !p.takes(sign, "-") {
			return nil, p.unexpected(p.peek(), `"-" and the last port`)
		}
		if high, err = p.port(); err != nil {
			return nil, err
		}
	}
	return p.frame.ports(protocols, q.direction, min(low, high), max(low, high)), nil
}

func (p *parser) port() (uint32, error) {
	t := p.peek()
	if t.kind != word {
		return p.number("a port", math.MaxUint16)
	}
	if n, ok := portNumbers[t.text]; ok {
		p.at++
		return n, nil
	}
	return 0, unknownWord(p.filter, t, afterPort)
}

func (p *parser) protocolNumber(q qualifiers) (*node, error) {
	var n uint32
	if t := p.peek(); t.kind == escaped && protocolNumbers[t.text] != 0 {
		p.at++
		n = protocolNumbers[t.text]
	} else {
		var err error
		if n, err = p.number("a protocol's number", math.MaxUint8); err != nil {
			return nil, err
		}
	}
	switch q.protocol {
	case "":
		return p.frame.protocol(n), nil
	case "ip":
		return p.frame.protocol4(n), nil
	case "ip6":
		return p.frame.protocol6(n), nil
	}
	return nil, p.fail(p.peek(), "proto is understood of ip and ip6")
}
