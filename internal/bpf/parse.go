package bpf

import (
	"math"

	"github.com/gamedissect/gamedissect/capture"
)

// A parser parses tokens. After the first error, it behaves as if the filter ended there.
type parser struct {
	filter string
	tokens []token
	at     int
	err    error
	frame  frame
	values *qualifiers // keywords of the previous value, for a value without keywords; nil: no keywords

	readsVLAN, readsKernel bool
}

type qualifiers struct {
	protocol  string // "": any
	direction direction
	kind      string // host, net, port, portrange or proto
}

// parse parses a filter into a tree. "and" and "or" have the same precedence and associate to the left. "not" has a
// higher precedence.
func parse(filter string, tokens []token, link capture.LinkType, swapped bool) (*node, *parser, error) {
	layout, ok := frames[link]
	if !ok {
		return nil, nil, &Error{Filter: filter, Off: -1,
			Reason: "capture filters do not work with frames of " + link.String() + "; use -Y to select messages"}
	}
	layout.swapped = swapped
	p := &parser{filter: filter, tokens: tokens, frame: layout}
	if p.peek().kind == endOfFilter {
		return yes, p, nil
	}
	n := p.expression()
	if t := p.peek(); t.kind != endOfFilter {
		p.unexpected(t, `"and" or "or"`)
	}
	return n, p, p.err
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != endOfFilter {
		p.at++
	}
	return t
}

// takes consumes the next token if that token has the given kind and text, and reports whether it did.
func (p *parser) takes(kind tokenKind, text string) bool {
	if !p.peek().is(kind, text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) want(kind tokenKind, text string) {
	if !p.takes(kind, text) {
		p.unexpected(p.peek(), `"`+text+`"`)
	}
}

// fail records the first error and skips the rest of the filter. It returns a node for callers that must return one.
func (p *parser) fail(t token, format string, args ...any) *node {
	if p.err == nil {
		p.err = failAt(p.filter, t, format, args...)
		p.at = len(p.tokens) - 1
	}
	return no
}

// unexpected reports a token that is not allowed here.
func (p *parser) unexpected(t token, wanted string) *node {
	text := p.filter[t.off : t.off+t.size]
	switch {
	case t.kind == endOfFilter:
		return p.fail(t, "the filter ends where %s should be", wanted)
	case (t.kind == word || t.kind == escaped) && instead[t.text] != "":
		return p.fail(t, "%q is not understood; %s", text, instead[t.text])
	case t.kind == word && !isKeyword(t.text):
		return p.fail(t, "%q is no word of a capture filter, and names are not looked up: write addresses and numbers", text)
	}
	return p.fail(t, "%q stands where %s should be", text, wanted)
}

// expression parses up to the end of the filter, or up to an unmatched closing parenthesis.
func (p *parser) expression() *node {
	n := p.term()
	for {
		switch {
		case p.takes(sign, "&&"):
			n = all(n, p.term())
		case p.takes(sign, "||"):
			n = some(n, p.term())
		default:
			return n
		}
	}
}

func (p *parser) term() *node {
	switch {
	case p.takes(sign, "!"):
		return not(p.term())
	case p.peek().is(sign, "(") && !p.isNumber():
		p.at++
		before := p.values
		n := p.expression()
		p.want(sign, ")")
		if p.values != before { // keywords in parentheses are valid only there
			p.values = nil
		}
		return n
	}
	return p.primitive()
}

// isNumber reports whether a comparison of numbers begins here. If the next token is a parenthesis, this depends on the
// token after the matching parenthesis.
func (p *parser) isNumber() bool {
	t, end := p.peek(), p.at+1
	switch {
	case t.is(sign, "-"), t.is(word, "len"), t.is(word, "length"):
		return true
	case t.kind == word:
		return p.tokens[end].is(sign, "[")
	case t.is(sign, "("):
		for open := 1; open > 0 && end < len(p.tokens)-1; end++ {
			switch p.tokens[end].text {
			case "(":
				open++
			case ")":
				open--
			}
		}
	case t.kind != number:
		return false
	}
	next := p.tokens[end]
	_, compares := comparisons[next.text]
	isRange := p.values != nil && p.values.kind == "portrange" && next.is(sign, "-")
	return next.kind == sign && compares || p.isOperator(next) && !isRange
}

func (p *parser) primitive() *node {
	t := p.peek()
	switch {
	case p.isNumber():
		p.values = nil
		return p.comparison()
	case p.values != nil && (t.isValue() || t.kind == escaped || p.values.hasPort(t.text)):
		return p.value(*p.values)
	case t.isValue():
		return p.unexpected(t, `a word such as "host" or "port"`)
	case t.kind != word:
		return p.unexpected(t, "a condition")
	}
	switch t.text {
	case "vlan", "mpls", "pppoed", "pppoes":
		p.values = nil
		return p.encapsulated(p.next())
	case "less", "greater", "inbound", "outbound":
		p.values = nil
		return p.wholeFrame(p.next())
	}
	return p.qualified()
}

// hasPort reports whether a word is a port or a range of ports.
func (q *qualifiers) hasPort(text string) bool {
	_, _, isRange := namedRange(text)
	return q.kind == "port" && portNumbers[text] != 0 || q.kind == "portrange" && (isRange || portNumbers[text] != 0)
}

// wholeFrame parses conditions on the frame as a whole.
func (p *parser) wholeFrame(t token) *node {
	length := load{kind: wireLength}
	switch t.text {
	case "greater":
		return compare(length, atLeast, p.number("a number of bytes", allBits))
	case "less":
		return not(compare(length, greater, p.number("a number of bytes", allBits)))
	}
	p.readsKernel = p.readsKernel || p.frame.asksKernel()
	return p.frame.directed(t.text == "inbound")
}

// encapsulated parses a condition on a VLAN tag, an MPLS label or a PPPoE header. Later conditions look for IP after
// that header.
func (p *parser) encapsulated(t token) *node {
	const maxTags = 4 // VLAN tags, MPLS labels and PPPoE sessions together
	f := &p.frame
	var kind *node
	var maxID uint32
	switch {
	case f.depth == maxTags:
		return p.fail(t, "more than %d tags and labels", maxTags)
	case t.text == "vlan" && f.link != linkEthernet:
		return p.fail(t, "vlan works only in Ethernet frames, these are %s", f.link)
	case f.labels > 0 && t.text != "mpls":
		return p.fail(t, "after mpls there can only be IP; write %s before mpls", t.text)
	case t.text == "vlan":
		p.readsVLAN = true
		kind, maxID = some(f.carries(0x8100), f.carries(0x88a8), f.carries(0x9100)), 0xfff
	case t.text == "mpls" && f.link != linkEthernet && f.link != linkPPP && f.link != linkHDLC:
		return p.fail(t, "mpls works only in Ethernet, PPP and HDLC frames, these are %s", f.link)
	case t.text == "mpls":
		kind, maxID = f.label(), 0xfffff
	case t.text == "pppoed":
		return f.carries(etherPPPoED)
	case f.isPPP():
		return p.fail(t, "PPP frames carry no PPPoE")
	default:
		kind, maxID = f.carries(etherPPPoES), 0xffff
	}
	if p.peek().kind == number {
		kind = all(kind, f.tagged(t.text, p.number("a number", maxID)))
	}
	f.enter(t.text)
	return kind
}

// number parses a number up to a limit.
func (p *parser) number(wanted string, limit uint32) uint32 {
	t := p.next()
	switch {
	case t.kind != number:
		p.unexpected(t, wanted)
	case t.number > limit:
		p.fail(t, "%d is above %d, the maximum here", t.number, limit)
	}
	return t.number
}

func (p *parser) port() uint32 {
	t := p.peek()
	if n, ok := portNumbers[t.text]; ok && t.kind == word {
		p.at++
		return n
	}
	if t.kind == word && !isKeyword(t.text) {
		p.fail(t, "%q is not a port; service names are not looked up, so write the number", t.text)
	}
	return p.number("a port", math.MaxUint16)
}
