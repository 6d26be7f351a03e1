package filter

import (
	"slices"
	"strings"
)

// A primitive is a condition in the language of capture filters, such as "udp src port 53", found in a display filter.
type primitive struct {
	protocol, side, kind, value string
	from, to                    int // the condition is tokens[from:to]
}

// inCaptureWords replaces an error that is caused by words of a capture filter with an error that proposes the
// equivalent display filter.
func (p *parser) inCaptureWords(e *Error) *Error {
	for i := range p.tokens {
		c, ok := p.primitive(i)
		if !ok {
			continue
		}
		first, last := p.tokens[c.from], p.tokens[c.to-1]
		if end := last.off + last.size; e.Off >= first.off && e.Off < end {
			whole := token{kind: word, text: p.text[first.off:end], off: first.off, size: end - first.off}
			return p.propose(p.errorAt(whole, "%q is for capture filters", whole.text), c.displayed()...)
		}
	}
	return e
}

// primitive parses a condition of a capture filter that begins at a token.
func (p *parser) primitive(from int) (c primitive, ok bool) {
	at := from
	takes := func(words ...string) string {
		if t := p.tokens[at]; t.kind == word && slices.Contains(words, t.text) {
			at++
			return t.text
		}
		return ""
	}
	c.protocol = takes("tcp", "udp", "ip", "ip6")
	c.side = takes("src", "dst")
	if c.kind = takes("host", "net", "port", "portrange"); c.kind == "" && c.side != "" {
		c.kind = "host"
	}
	value := p.tokens[at]
	c.value, c.from, c.to = value.text, from, at+1
	return c, c.kind != "" && value.kind == word && !slices.Contains(connectives, value.text)
}

// displayed returns the equivalent display filters.
func (c *primitive) displayed() []string {
	if c.kind == "host" || c.kind == "net" {
		family, side := "ip.", c.side
		if strings.Contains(c.value, ":") {
			family = "ipv6."
		}
		if side == "" {
			side = "addr"
		}
		return []string{family + side + " == " + c.value}
	}
	relation := " == " + c.value
	if low, high, ok := strings.Cut(c.value, "-"); ok {
		relation = " in {" + low + ".." + high + "}"
	}
	protocols := []string{"udp", "tcp"}
	if slices.Contains(protocols, c.protocol) {
		protocols = []string{c.protocol}
	}
	var list []string
	for _, name := range protocols {
		list = append(list, name+"."+c.side+"port"+relation)
	}
	return list
}
