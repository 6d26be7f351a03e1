package bpf

import (
	"github.com/gamedissect/gamedissect/capture"
)

// understood ends the refusals of what the own compiler does not take.
const understood = "; without libpcap, which would understand more, filters are made of host, net, port, portrange, " +
	"src, dst, ip, ip6, arp, rarp, tcp, udp, sctp, icmp, icmp6, proto, vlan, less, greater, len, " +
	"and bytes such as ip[6:2] & 0x1fff != 0"

const maxTags = 4

type parser struct {
	filter string
	tokens []token
	at     int
	frame  frame
	last   *qualifiers // what a bare value stands for; nil: it means nothing
}

// qualifiers are the words before a value.
type qualifiers struct {
	protocol  string // "" for any
	direction direction
	kind      string // host, net, port, portrange, proto
}

// parse reads a filter. "and" binds as "or" does, from left to right; "not" binds closer.
func parse(filter string, tokens []token, link capture.LinkType) (*node, error) {
	if _, ok := headerSizes[link]; !ok {
		return nil, &Error{Filter: filter, Off: -1, By: ourselves,
			Reason: "without libpcap there are no capture filters for frames of " + link.String()}
	}
	p := &parser{filter: filter, tokens: tokens, frame: frame{link: link}}
	if p.peek().kind == endOfFilter {
		return yes, nil
	}
	n, err := p.expression()
	if t := p.peek(); err == nil && t.kind != endOfFilter {
		if t.kind == word && !keywords[t.text] {
			return nil, unknownWord(filter, t, nowhere)
		}
		return nil, p.fail(t, `"and" or "or" is missing here`)
	}
	return n, err
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != endOfFilter {
		p.at++
	}
	return t
}

// takes moves on if the next token is this one.
func (p *parser) takes(kind tokenKind, text string) bool {
	if !p.peek().is(kind, text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) fail(t token, format string, args ...any) error {
	return failAt(p.filter, t, format, args...)
}

// unexpected is the error of a token that cannot stand where it does.
func (p *parser) unexpected(t token, wanted string) error {
	if t.kind == endOfFilter {
		return p.fail(t, "the filter ends where %s should be", wanted)
	}
	text := p.filter[t.off : t.off+t.size]
	if t.kind == word && !keywords[text] {
		return unknownWord(p.filter, t, nowhere)
	}
	return p.fail(t, "%q stands where %s should be%s", text, wanted, understood)
}

// expression ends at the filter's end or at a parenthesis that it did not open.
func (p *parser) expression() (*node, error) {
	n, err := p.term()
	for err == nil {
		var right *node
		switch {
		case p.takes(sign, "&&"):
			if right, err = p.term(); err == nil {
				n = all(n, right)
			}
		case p.takes(sign, "||"):
			if right, err = p.term(); err == nil {
				n = some(n, right)
			}
		default:
			return n, nil
		}
	}
	return nil, err
}

func (p *parser) term() (*node, error) {
	switch {
	case p.takes(sign, "!"):
		n, err := p.term()
		if err != nil {
			return nil, err
		}
		return not(n), nil
	case p.takes(sign, "("):
		p.last = nil
		n, err := p.expression()
		if err != nil {
			return nil, err
		}
		p.last = nil
		if !p.takes(sign, ")") {
			return nil, p.unexpected(p.peek(), `")"`)
		}
		return n, nil
	}
	return p.primitive()
}

// primitive is one condition.
func (p *parser) primitive() (*node, error) {
	t := p.peek()
	switch {
	case t.kind == number || t.kind == dotted || t.kind == ipv6:
		if p.last == nil || t.kind == number && p.isComparison(1) {
			return nil, p.unexpected(t, `a word such as "host" or "port"`)
		}
		return p.value(*p.last)
	case t.kind != word:
		return nil, p.unexpected(t, "a condition")
	case p.tokens[p.at+1].is(sign, "["):
		p.last = nil
		return p.bytes()
	}
	switch t.text {
	case "vlan", "less", "greater", "len", "length", "inbound", "outbound":
		p.last = nil
		return p.wholeFrame()
	}
	return p.qualified()
}

func (p *parser) isComparison(ahead int) bool {
	t := p.tokens[min(p.at+ahead, len(p.tokens)-1)]
	_, ok := comparisons[t.text]
	return t.kind == sign && ok
}

// wholeFrame reads the conditions about the frame itself.
func (p *parser) wholeFrame() (*node, error) {
	length := loaded{kind: wireLength}
	switch t := p.next(); t.text {
	case "len", "length":
		return p.comparison(length)
	case "less", "greater":
		n, err := p.number("a number of bytes", allBits)
		if err != nil {
			return nil, err
		}
		if t.text == "greater" {
			return compare(length, atLeast, n), nil
		}
		return not(compare(length, greater, n)), nil
	case "inbound":
		return not(p.frame.outgoing()), nil
	case "outbound":
		return p.frame.outgoing(), nil
	default:
		return p.vlan(t)
	}
}

func (p *parser) vlan(t token) (*node, error) {
	if p.frame.link != linkEthernet {
		return nil, p.fail(t, "VLAN tags are looked for in Ethernet frames only, these are %s", p.frame.link)
	}
	if p.frame.tags == maxTags {
		return nil, p.fail(t, "more than %d VLAN tags%s", maxTags, understood)
	}
	id := int64(-1)
	if p.peek().kind == number {
		n, err := p.number("a VLAN", 0xfff)
		if err != nil {
			return nil, err
		}
		id = int64(n)
	}
	n := p.frame.tagged(id)
	p.frame.tags++
	return n, nil
}

// number reads one that is at most so large.
func (p *parser) number(wanted string, most uint32) (uint32, error) {
	t := p.next()
	if t.kind != number {
		return 0, p.unexpected(t, wanted)
	}
	if t.number > most {
		return 0, p.fail(t, "%d is above %d, the highest here", t.number, most)
	}
	return t.number, nil
}

// A relation is an operation, or that it does not hold.
type relation struct {
	operation uint16
	negated   bool
}

var comparisons = map[string]relation{
	"=": {equal, false}, "==": {equal, false}, "!=": {equal, true},
	">": {greater, false}, ">=": {atLeast, false}, "<": {atLeast, true}, "<=": {greater, true},
}

// comparison reads what a number is compared with, and a mask before.
func (p *parser) comparison(l loaded) (*node, error) {
	mask := uint32(allBits)
	if p.takes(sign, "&") {
		var err error
		if mask, err = p.number("a mask", allBits); err != nil {
			return nil, err
		}
	}
	t := p.next()
	how, ok := comparisons[t.text]
	if !ok || t.kind != sign {
		return nil, p.unexpected(t, "a comparison")
	}
	k, err := p.number("a number", allBits)
	if err != nil {
		return nil, err
	}
	switch p.peek().text {
	case "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>":
		return nil, p.unexpected(p.peek(), `"and", "or" or the end`)
	}
	n := &node{test: test{l, mask, how.operation, k}}
	if how.negated {
		return not(n), nil
	}
	return n, nil
}
