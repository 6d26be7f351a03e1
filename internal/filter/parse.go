package filter

import (
	"fmt"
	"slices"
	"strings"
)

// A Filter is a condition on subjects. It must be used by only one goroutine at a time.
type Filter struct {
	text string
	root node
}

// Match reports whether the filter is true for a subject.
func (f *Filter) Match(x *Subject) bool { return f.root.test(x) }

func (f *Filter) String() string { return f.text }

// Conditions splits the filter at its outermost "and"s. The filter is true if all of the resulting filters are true.
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

// maxFilter limits the length of a filter, in bytes.
const maxFilter = 64 << 10

// Compile compiles a filter. The error is an *Error.
func (s *Schema) Compile(text string, scope *Scope) (*Filter, error) {
	if scope == nil {
		scope = &Scope{}
	}
	if len(text) > maxFilter {
		reason := fmt.Sprintf("the filter has %d bytes; at most %d are allowed", len(text), maxFilter)
		return nil, &Error{Text: text[:40] + " ...", Size: 40, Reason: reason}
	}
	p := &parser{schema: s, scope: scope, compiles: func(text string) bool {
		_, err := (&parser{schema: s, scope: scope}).parse(text)
		return err == nil
	}}
	root, err := p.parse(text)
	if err != nil {
		return nil, p.inCaptureWords(err)
	}
	return &Filter{text: text, root: root}, nil
}

// parse parses a whole filter. The methods that it calls panic with an *Error, which parse returns.
func (p *parser) parse(text string) (root node, err *Error) {
	defer func() {
		switch bad := recover().(type) {
		case nil:
		case *Error:
			err = bad
		default:
			panic(bad)
		}
	}()
	p.text, p.tokens = text, lex(text)
	root = p.parseOr()
	if t := p.peek(); t.kind != endOfFilter {
		panic(p.tooMany(t))
	}
	return root, nil
}

// tooMany returns the error for a token after a complete condition.
func (p *parser) tooMany(t token) *Error {
	_, again := comparisons[t.text]
	switch {
	case t.kind == quoted:
	case again:
		return p.errorAt(t, "a second comparison; write a < b && b < c")
	case slices.Contains(connectives, slips[t.text]):
		return p.errorAt(t, "write %s instead", slips[t.text])
	}
	e := p.errorAt(t, "this cannot follow; is && or || missing before it?")
	if p.sign > 0 && p.endOfValue(p.sign+1) > p.at {
		_ = p.propose(e, p.mended(p.left, p.sign))
	}
	if len(p.text) <= maxName && len(e.Nearest) == 0 {
		_ = p.propose(e, p.text[:t.off]+"&& "+p.text[t.off:])
	}
	return e
}

func (p *parser) parseOr() node  { return p.parseJunction(or, p.parseXor, "||", "or") }
func (p *parser) parseXor() node { return p.parseJunction(xor, p.parseAnd, "^^", "xor") }
func (p *parser) parseAnd() node { return p.parseJunction(and, p.parseNot, "&&", "and") }

func (p *parser) parseJunction(kind connective, part func() node, signs ...string) node {
	list := &junction{kind: kind}
	for more := true; more; more = p.takes(signs...) {
		list.from = append(list.from, p.peek().off)
		list.nodes = append(list.nodes, part())
		last := p.taken()
		list.to = append(list.to, last.off+last.size)
	}
	if len(list.nodes) == 1 {
		return list.nodes[0]
	}
	return list
}

func (p *parser) parseNot() node {
	p.nest(p.peek())
	defer func() { p.depth-- }()
	if p.takes("!", "not") {
		return &negation{p.parseNot()}
	}
	return p.parseTest()
}

// parseTest parses a comparison, a filter in parentheses, or a field alone.
func (p *parser) parseTest() node {
	if p.takes("(") {
		n := p.parseOr()
		p.require(")", "a closing parenthesis is missing")
		return n
	}
	every, quantified := false, false
	if t := p.peek(); t.kind == word && (t.text == "any" || t.text == "all") {
		p.take()
		every, quantified = t.text == "all", true
	}
	first := p.peek()
	left := p.parseArithmetic(nil)
	last := p.taken()
	if c, ok := p.takeComparison(); ok {
		return p.parseComparisons(left, first, c, quantified, every)
	}
	if quantified {
		panic(p.errorAt(p.peek(), "a comparison must follow any or all"))
	}
	if l, ok := left.(*literal); ok {
		panic(p.noField(l.token))
	}
	if t := p.peek(); t.kind != quoted && slips[t.text] != "" && !slices.Contains(connectives, slips[t.text]) {
		field := p.text[first.off : last.off+last.size]
		panic(p.propose(p.errorAt(t, "%q is no comparison", t.text), p.mended(field, p.at)))
	}
	return &presenceTest{operand: left}
}
