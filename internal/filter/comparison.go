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

// mirrored returns the comparison with its sides exchanged.
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

// parseRelation parses the right side of a comparison.
func (p *parser) parseRelation(r *relation, left operand, first token) (node, error) {
	switch r.op {
	case in, notIn:
		return p.parseSet(r, left, first)
	case matches:
		return p.parsePattern(r, left, first)
	}
	sign := p.taken()
	at := p.peek()
	right, err := p.parseOperand(left)
	if err != nil {
		return nil, err
	}
	if l, ok := left.(*literal); ok { // 10 < field
		if _, ok := right.(*literal); ok {
			return nil, p.noField(l.token)
		}
		left, right, r.op = right, left, mirrored(r.op)
		first, at = at, first
		if r.op == contains {
			return nil, p.fail(sign, "the field has to stand in front of contains")
		}
	}
	r.left = left
	if l, ok := right.(*literal); ok {
		r.literal = l
		return r, p.checkLiteral(r.op, sign, left, first, l)
	}
	r.right = right
	if err := p.checkKinds(r.op, sign, left, first); err != nil {
		return nil, err
	}
	if !haveComparableKinds(left.field(), right.field()) {
		return nil, p.fail(at, "%s is %s, this is %s",
			p.source(first), article(left.field().Type()), article(right.field().Type()))
	}
	return r, nil
}

// parseSet reads { 1, 2, 5 .. 9 }.
func (p *parser) parseSet(r *relation, left operand, first token) (node, error) {
	sign := p.taken()
	if _, ok := left.(*literal); ok {
		return nil, p.noField(first)
	}
	if !p.takes("{") {
		return nil, p.propose(p.fail(p.peek(), "a set has to follow: {1, 2, 5..9}"), p.mended(p.left, p.sign))
	}
	r.left = left
	for {
		low, high, err := p.parseMember()
		if err != nil {
			return nil, err
		}
		op := equal
		if high != nil {
			op = less // a range wants an order
			if err := p.checkLiteral(op, sign, left, first, high); err != nil {
				return nil, err
			}
			if c, ok := compareValues(&low.number, &high.number); ok && low.isNumber && high.isNumber && c > 0 {
				return nil, p.fail(low.token, "the range ends before it begins")
			}
		}
		if err := p.checkLiteral(op, sign, left, first, low); err != nil {
			return nil, err
		}
		r.set = append(r.set, interval{low, high})
		switch {
		case p.takes("}"):
			return r, nil
		case p.peek().kind == endOfFilter || p.peek().kind == operator:
			return nil, p.fail(p.peek(), "a comma or a closing brace is missing")
		}
		p.takes(",") // as in Wireshark, a space will do
	}
}

// parsePattern reads the regular expression behind matches.
func (p *parser) parsePattern(r *relation, left operand, first token) (node, error) {
	sign := p.taken()
	t := p.take()
	if t.kind != quoted {
		return nil, p.propose(p.fail(t, "a regular expression in quotes has to follow"), p.mended(p.left, p.sign))
	}
	if _, ok := left.(*literal); ok {
		return nil, p.noField(first)
	}
	if err := p.checkKinds(matches, sign, left, first); err != nil {
		return nil, err
	}
	re, err := regexp.Compile("(?i)" + t.text)
	if err != nil {
		return nil, p.fail(t, "%s", strings.Replace(err.Error(), "(?i)", "", 1))
	}
	r.left, r.pattern = left, re
	return r, nil
}

// parseMember parses a value of a set, or the two ends of a range.
func (p *parser) parseMember() (low, high *literal, err error) {
	t := p.take()
	if t.kind != word && t.kind != quoted {
		return nil, nil, p.fail(t, "a value is missing here")
	}
	if from, to, ok := strings.Cut(t.text, ".."); ok && t.kind == word {
		low = newLiteral(token{word, from, t.off, len(from)})
		switch {
		case from == "":
			return nil, nil, p.fail(t, "the range has no beginning")
		case to != "":
			return low, newLiteral(token{word, to, t.off + len(from) + 2, len(to)}), nil
		}
		t = p.take()
		if t.kind != word {
			return nil, nil, p.fail(t, "the range has no end")
		}
		return low, newLiteral(t), nil
	}
	low = newLiteral(t)
	if n := p.peek(); n.kind == word && strings.HasPrefix(n.text, "..") {
		p.take()
		if to := n.text[2:]; to != "" {
			return low, newLiteral(token{word, to, n.off + 2, len(to)}), nil
		}
		if n = p.take(); n.kind != word && n.kind != quoted {
			return nil, nil, p.fail(n, "the range has no end")
		}
		return low, newLiteral(n), nil
	}
	return low, nil, nil
}
