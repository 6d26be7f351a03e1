package filter

import (
	"regexp"
	"strings"
)

// takeComparison consumes a comparison operator if one is next.
func (p *parser) takeComparison() (c comparison, ok bool) {
	t := p.peek()
	if t.kind == word && t.text == "not" && p.tokens[p.at+1].text == "in" {
		p.at += 2
		return comparison{notIn, true}, true
	}
	if t.kind == word || t.kind == operator {
		c, ok = comparisons[t.text]
	}
	if ok {
		p.take()
	}
	return c, ok
}

func mirrored(c comparator) comparator {
	switch c {
	case less:
		return greater
	case lessEqual:
		return greaterEqual
	case greater:
		return less
	case greaterEqual:
		return lessEqual
	}
	return c
}

// parseComparisons parses the rest of a comparison after its left side and operator: b in a < b, or b <= c in a < b <=
// c.
func (p *parser) parseComparisons(left operand, first token, c comparison, quantified, every bool) node {
	var list chain
	last := p.tokens[p.at-2]
	for ok := true; ok; c, ok = p.takeComparison() {
		p.left, p.sign = p.text[first.off:last.off+last.size], p.at-1
		r := &relation{op: c.op, every: c.every}
		if quantified {
			r.every = every
		}
		list = append(list, r)
		second := p.peek()
		right := p.parseRelation(r, left, first)
		if next := comparisons[p.peek().text]; c.op > greaterEqual || next.op > greaterEqual {
			break // only ordered comparisons can be chained
		}
		left, first, last = right, second, p.taken()
		if l, ok := right.(*literal); ok {
			left = newLiteral(l.token) // a copy, because checkLiteral changes the literal
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return list
}

// parseRelation parses the right side of a comparison. It returns that side, or nil for a set or a pattern.
func (p *parser) parseRelation(r *relation, left operand, first token) operand {
	switch r.op {
	case in, notIn:
		p.parseSet(r, left, first)
		return nil
	case matches:
		p.parsePattern(r, left, first)
		return nil
	}
	sign := p.taken()
	at := p.peek()
	parsed := p.parseArithmetic(left)
	right := parsed
	if l, ok := left.(*literal); ok { // 10 < field
		if _, ok := right.(*literal); ok {
			panic(p.noField(l.token))
		}
		left, right, r.op = right, left, mirrored(r.op)
		first, at = at, first
		if r.op == contains {
			panic(p.errorAt(sign, "the field must come before contains"))
		}
	}
	left, right = p.inBytes(r.op, left, right), p.inBytes(r.op, right, left)
	r.left = left
	if l, ok := right.(*literal); ok {
		r.literal = l
		p.checkLiteral(r.op, sign, left, first, l)
		return parsed
	}
	r.right = right
	p.checkKinds(r.op, sign, left, first)
	f, of := left.field(), right.field()
	if !haveComparableKinds(f, of) && !(r.op == contains && haveContents(f, of)) {
		panic(p.errorAt(at, "%s is %s, this is %s",
			p.source(first), article(f.Type()), article(of.Type())))
	}
	return parsed
}

// inBytes replaces a protocol with its bytes if the comparison searches the protocol or compares it with bytes.
func (p *parser) inBytes(op comparator, o, other operand) operand {
	l, ok := other.(*literal)
	bytes := op == contains || ok && (l.token.kind == quoted || strings.ContainsAny(l.token.text, ":-")) ||
		!ok && hasFamily(other.field(), byteStrings)
	if !bytes || ok && op != contains && l.prefix.IsValid() {
		return o
	}
	return p.withContent(o, op == contains)
}

// parsePattern parses the regular expression after "matches".
func (p *parser) parsePattern(r *relation, left operand, first token) {
	sign := p.taken()
	t := p.take()
	if t.kind != quoted {
		panic(p.propose(p.errorAt(t, "a regular expression in quotes must follow"), p.mended(p.left, p.sign)))
	}
	if _, ok := left.(*literal); ok {
		panic(p.noField(first))
	}
	left = p.withContent(left, true)
	p.checkKinds(matches, sign, left, first)
	re, err := regexp.Compile("(?i)" + t.text)
	if err != nil {
		panic(p.errorAt(t, "%s", strings.Replace(err.Error(), "(?i)", "", 1)))
	}
	r.left, r.pattern = left, re
}
