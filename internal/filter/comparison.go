package filter

import (
	"regexp"
	"strings"
)

// takeComparison consumes the sign of a comparison, if one follows.
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

func (p *parser) parseRelation(r *relation, left operand, first token) {
	switch r.op {
	case in, notIn:
		p.parseSet(r, left, first)
		return
	case matches:
		p.parsePattern(r, left, first)
		return
	}
	sign := p.taken()
	at := p.peek()
	right := p.parseOperand(left)
	if l, ok := left.(*literal); ok { // 10 < field
		if _, ok := right.(*literal); ok {
			panic(p.noField(l.token))
		}
		left, right, r.op = right, left, mirrored(r.op)
		first, at = at, first
		if r.op == contains {
			panic(p.errorAt(sign, "the field has to stand in front of contains"))
		}
	}
	r.left = left
	if l, ok := right.(*literal); ok {
		r.literal = l
		p.checkLiteral(r.op, sign, left, first, l)
		return
	}
	r.right = right
	p.checkKinds(r.op, sign, left, first)
	if !haveComparableKinds(left.field(), right.field()) {
		panic(p.errorAt(at, "%s is %s, this is %s",
			p.source(first), article(left.field().Type()), article(right.field().Type())))
	}
}

// parseSet reads { 1, 2, 5 .. 9 }.
func (p *parser) parseSet(r *relation, left operand, first token) {
	sign := p.taken()
	if _, ok := left.(*literal); ok {
		panic(p.noField(first))
	}
	if !p.takes("{") {
		panic(p.propose(p.errorAt(p.peek(), "a set has to follow: {1, 2, 5..9}"), p.mended(p.left, p.sign)))
	}
	r.left = left
	for more := true; more; more = !p.takes("}") {
		if len(r.set) > 0 {
			if t := p.peek(); t.kind == endOfFilter || t.kind == operator {
				panic(p.errorAt(t, "a comma or a closing brace is missing"))
			}
			p.takes(",") // as in Wireshark, a space will do
		}
		low, high := p.parseMember()
		op := equal
		if high != nil {
			op = less // a range wants an order
			p.checkLiteral(op, sign, left, first, high)
			if c, ok := compareValues(&low.number, &high.number); ok && low.isNumber && high.isNumber && c > 0 {
				panic(p.errorAt(low.token, "the range ends before it begins"))
			}
		}
		p.checkLiteral(op, sign, left, first, low)
		r.set = append(r.set, interval{low, high})
	}
}

// parsePattern reads the regular expression after matches.
func (p *parser) parsePattern(r *relation, left operand, first token) {
	sign := p.taken()
	t := p.take()
	if t.kind != quoted {
		panic(p.propose(p.errorAt(t, "a regular expression in quotes has to follow"), p.mended(p.left, p.sign)))
	}
	if _, ok := left.(*literal); ok {
		panic(p.noField(first))
	}
	p.checkKinds(matches, sign, left, first)
	re, err := regexp.Compile("(?i)" + t.text)
	if err != nil {
		panic(p.errorAt(t, "%s", strings.Replace(err.Error(), "(?i)", "", 1)))
	}
	r.left, r.pattern = left, re
}

// parseMember parses a value of a set, or the two ends of a range: 5..9, 5 .. 9, 5.. 9 or 5 ..9.
func (p *parser) parseMember() (low, high *literal) {
	t := p.take()
	if t.kind != word && t.kind != quoted {
		panic(p.errorAt(t, "a value is missing here"))
	}
	from, to, isRange := strings.Cut(t.text, "..")
	if t.kind == word && isRange {
		if from == "" {
			panic(p.errorAt(t, "the range has no beginning"))
		}
		return newLiteral(token{word, from, t.off, len(from)}), p.rangeEnd(to, t.off+len(from)+2)
	}
	low = newLiteral(t)
	if n := p.peek(); n.kind == word && strings.HasPrefix(n.text, "..") {
		p.take()
		high = p.rangeEnd(n.text[2:], n.off+2)
	}
	return low, high
}

// rangeEnd returns the end of a range: the text after the dots at an offset, or if there is none the next token.
func (p *parser) rangeEnd(text string, off int) *literal {
	if text != "" {
		return newLiteral(token{word, text, off, len(text)})
	}
	t := p.take()
	if t.kind != word && t.kind != quoted {
		panic(p.errorAt(t, "the range has no end"))
	}
	return newLiteral(t)
}
