package filter

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Filter is true or not of a subject. It is not for several goroutines at once.
type Filter struct {
	text string
	root node
}

// Match reports whether the filter is true of a subject.
func (f *Filter) Match(x *Subject) bool { return f.root.test(x) }

func (f *Filter) String() string { return f.text }

// Conditions splits the filter at its outermost "and" into filters that all have to be true.
func (f *Filter) Conditions() []*Filter {
	list, ok := f.root.(*junction)
	if !ok || list.kind != and {
		return []*Filter{f}
	}
	var parts []*Filter
	for i, n := range list.nodes {
		parts = append(parts, &Filter{text: strings.TrimSpace(f.text[list.from[i]:list.to[i]]), root: n})
	}
	return parts
}

// maxFilter bounds a filter, in bytes.
const maxFilter = 64 << 10

// Compile compiles a filter. The error is an *Error.
func (s *Schema) Compile(text string, scope *Scope) (*Filter, error) {
	if scope == nil {
		scope = &Scope{}
	}
	if len(text) > maxFilter {
		reason := fmt.Sprintf("a filter of %d bytes; at most %d may be", len(text), maxFilter)
		return nil, &Error{Text: text[:40] + " ...", Size: 40, Reason: reason}
	}
	p := &parser{schema: s, scope: scope, compiles: func(text string) bool {
		_, err := (&parser{schema: s, scope: scope}).parse(text)
		return err == nil
	}}
	root, err := p.parse(text)
	if bad, ok := errors.AsType[*Error](err); ok {
		return nil, p.inCaptureWords(bad)
	}
	return &Filter{text: text, root: root}, nil
}

// parse reads a whole filter. The error is an *Error.
func (p *parser) parse(text string) (node, error) {
	tokens, err := lex(text)
	if err != nil {
		return nil, err
	}
	p.text, p.tokens = text, tokens
	root, err := p.parseOr()
	if err == nil && p.peek().kind != endOfFilter {
		err = p.tooMany(p.peek())
	}
	return root, err
}

// tooMany returns the error of a token that cannot follow a condition.
func (p *parser) tooMany(t token) error {
	_, again := comparisons[t.text]
	switch {
	case t.kind == quoted:
	case again:
		return p.fail(t, "a second comparison; write a < b && b < c")
	case slices.Contains(connectives, slips[t.text]):
		return p.fail(t, "it is written %s", slips[t.text])
	}
	e := p.fail(t, "this is one too many; && or || between two conditions?")
	if p.sign > 0 && p.endOfValue(p.sign+1) > p.at {
		_ = p.propose(e, p.mended(p.left, p.sign))
	}
	if len(p.text) <= maxName && len(e.Nearest) == 0 {
		_ = p.propose(e, p.text[:t.off]+"&& "+p.text[t.off:])
	}
	return e
}

func (p *parser) parseOr() (node, error)  { return p.parseJunction(or, p.parseXor, "||", "or") }
func (p *parser) parseXor() (node, error) { return p.parseJunction(xor, p.parseAnd, "^^", "xor") }
func (p *parser) parseAnd() (node, error) { return p.parseJunction(and, p.parseNot, "&&", "and") }

// parseJunction parses parts joined by signs of one kind.
func (p *parser) parseJunction(kind connective, part func() (node, error), signs ...string) (node, error) {
	list := &junction{kind: kind}
	for {
		list.from = append(list.from, p.peek().off)
		n, err := part()
		if err != nil {
			return nil, err
		}
		last := p.taken()
		list.nodes, list.to = append(list.nodes, n), append(list.to, last.off+last.size)
		if !p.takes(signs...) {
			break
		}
	}
	if len(list.nodes) == 1 {
		return list.nodes[0], nil
	}
	return list, nil
}

func (p *parser) parseNot() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(p.peek(), "parentheses stand deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	if p.takes("!", "not") {
		n, err := p.parseNot()
		return &negation{n}, err
	}
	return p.parseTest()
}

// parseTest parses a comparison, a filter in parentheses, or a field alone.
func (p *parser) parseTest() (node, error) {
	if p.takes("(") {
		n, err := p.parseOr()
		if err == nil && !p.takes(")") {
			err = p.fail(p.peek(), "a closing parenthesis is missing")
		}
		return n, err
	}
	every, quantified := false, false
	if t := p.peek(); t.kind == word && (t.text == "any" || t.text == "all") {
		p.take()
		every, quantified = t.text == "all", true
	}
	first := p.peek()
	left, err := p.parseOperand(nil)
	if err != nil {
		return nil, err
	}
	if c, ok := p.takeComparison(); ok {
		last := p.tokens[p.at-2]
		p.left, p.sign = p.text[first.off:last.off+last.size], p.at-1
		r := &relation{op: c.op, every: c.every}
		if quantified {
			r.every = every
		}
		return p.parseRelation(r, left, first)
	}
	if quantified {
		return nil, p.fail(p.peek(), "a comparison has to follow any and all")
	}
	if l, ok := left.(*literal); ok {
		return nil, p.noField(l.token)
	}
	if t := p.peek(); t.kind != quoted && slips[t.text] != "" && !slices.Contains(connectives, slips[t.text]) {
		last := p.taken()
		field := p.text[first.off : last.off+last.size]
		return nil, p.propose(p.fail(t, "%q is no comparison", t.text), p.mended(field, p.at))
	}
	return &presenceTest{operand: left}, nil
}
