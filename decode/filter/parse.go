package filter

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Filter is true or not of a subject. It is not for several goroutines at once.
type Filter struct {
	text string
	root node
}

// Match reports whether the filter is true of a subject.
func (f *Filter) Match(x *Subject) bool { return f.root.test(x) }

func (f *Filter) String() string { return f.text }

// Conditions cuts the filter at its outermost "and" into filters that all have to be true.
func (f *Filter) Conditions() []*Filter {
	list, ok := f.root.(*junction)
	if !ok || list.kind != and {
		return []*Filter{f}
	}
	var parts []*Filter
	for i, n := range list.of {
		parts = append(parts, &Filter{text: strings.TrimSpace(f.text[list.from[i]:list.to[i]]), root: n})
	}
	return parts
}

// A Scope says what a filter's text stands in. Nil is none.
type Scope struct {
	Prefix   string    // names may leave it out: "iceball.announce."
	Bindings []Binding // $name stands for one of Subject.Bindings
}

// A Binding is the name of a value that becomes known while a capture is read.
type Binding struct {
	Name  string
	Field *Field // what it is taken from
}

// longest is how long a filter may be, in bytes.
const longest = 64 << 10

// maxDepth bounds how deep a filter may nest.
const maxDepth = 200

// Compile reads a filter. The error is an *Error.
func (s *Schema) Compile(text string, scope *Scope) (*Filter, error) {
	if scope == nil {
		scope = &Scope{}
	}
	if len(text) > longest {
		return nil, &Error{Text: text[:40] + " ...", Size: 40, Reason: fmt.Sprintf("a filter of %d bytes; at most %d may be", len(text), longest)}
	}
	tokens, err := lex(text)
	if err != nil {
		return nil, err
	}
	p := &parser{schema: s, scope: scope, text: text, tokens: tokens}
	root, err := p.either()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != endOfFilter {
		if _, again := comparisons[t.text]; again && t.kind != quoted {
			return nil, p.fail(t, "a second comparison; write a < b && b < c")
		}
		return nil, p.fail(t, "this is one too many; && or || between two conditions?")
	}
	return &Filter{text: text, root: root}, nil
}

// Resolve finds the field that a name stands for in a scope. The error is an *UnknownError.
func (s *Schema) Resolve(name string, scope *Scope) (*Field, error) {
	if scope != nil && scope.Prefix != "" {
		if f := s.Field(scope.Prefix + name); f != nil {
			return f, nil
		}
	}
	if f := s.Field(name); f != nil {
		return f, nil
	}
	known := s.names
	if scope != nil && scope.Prefix != "" {
		known = slices.Clone(known)
		for _, n := range s.names {
			if short, ok := strings.CutPrefix(n, scope.Prefix); ok {
				known = append(known, short)
			}
		}
	}
	return nil, &UnknownError{What: "field", Name: name, Nearest: Nearest(name, known)}
}

type parser struct {
	schema *Schema
	scope  *Scope
	text   string
	tokens []token
	at     int
	depth  int
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != endOfFilter {
		p.at++
	}
	return t
}

func (p *parser) fail(t token, format string, args ...any) *Error {
	return &Error{Text: p.text, Off: t.off, Size: max(t.size, 1), Reason: fmt.Sprintf(format, args...)}
}

// is takes the next token if it is one of some signs or words.
func (p *parser) is(texts ...string) bool {
	t := p.peek()
	if t.kind == quoted || t.kind == endOfFilter || !slices.Contains(texts, t.text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) either() (node, error) { return p.join(or, p.one, "||", "or") }
func (p *parser) one() (node, error)    { return p.join(xor, p.both, "^^", "xor") }
func (p *parser) both() (node, error)   { return p.join(and, p.negated, "&&", "and") }

// join reads parts that stand between signs of one kind.
func (p *parser) join(kind joint, part func() (node, error), signs ...string) (node, error) {
	list := &junction{kind: kind}
	for {
		list.from = append(list.from, p.peek().off)
		n, err := part()
		if err != nil {
			return nil, err
		}
		last := p.tokens[p.at-1]
		list.of, list.to = append(list.of, n), append(list.to, last.off+last.size)
		if !p.is(signs...) {
			break
		}
	}
	if len(list.of) == 1 {
		return list.of[0], nil
	}
	return list, nil
}

func (p *parser) negated() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(p.peek(), "parentheses stand deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	if p.is("!", "not") {
		n, err := p.negated()
		return &negation{n}, err
	}
	return p.test()
}

// test reads a comparison, what stands in parentheses, or a field alone.
func (p *parser) test() (node, error) {
	if p.is("(") {
		n, err := p.either()
		if err == nil && !p.is(")") {
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
	left, err := p.operand(nil)
	if err != nil {
		return nil, err
	}
	if op, ok := p.comparison(); ok {
		r := &relation{op: op.op, every: op.every}
		if quantified {
			r.every = every
		}
		return p.compare(r, left, first)
	}
	if quantified {
		return nil, p.fail(p.peek(), "a comparison has to follow any and all")
	}
	if l, ok := left.(*literal); ok {
		return nil, p.noField(l.token)
	}
	return &presenceTest{of: left}, nil
}

// compare reads the right side of a comparison.
func (p *parser) compare(r *relation, left operand, first token) (node, error) {
	switch r.op {
	case in, notIn:
		return p.set(r, left, first)
	case matches:
		return p.pattern(r, left, first)
	}
	sign := p.tokens[p.at-1]
	at := p.peek()
	right, err := p.operand(left)
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
		r.want = l
		return r, p.check(r.op, sign, left, first, l)
	}
	r.right = right
	if err := p.checkKinds(r.op, sign, left, first); err != nil {
		return nil, err
	}
	if !related(left.field(), right.field()) {
		return nil, p.fail(at, "%s is %s, this is %s", p.text[first.off:first.off+first.size], article(left.field().Type()), article(right.field().Type()))
	}
	return r, nil
}

// set reads { 1, 2, 5 .. 9 }.
func (p *parser) set(r *relation, left operand, first token) (node, error) {
	sign := p.tokens[p.at-1]
	if _, ok := left.(*literal); ok {
		return nil, p.noField(first)
	}
	if !p.is("{") {
		return nil, p.fail(p.peek(), "a set has to follow: {1, 2, 5..9}")
	}
	r.left = left
	for {
		low, high, err := p.member()
		if err != nil {
			return nil, err
		}
		op := equal
		if high != nil {
			op = less // a range wants an order
			if err := p.check(op, sign, left, first, high); err != nil {
				return nil, err
			}
			if c, ok := order(&low.number, &high.number); ok && low.isNumber && high.isNumber && c > 0 {
				return nil, p.fail(low.token, "the range ends before it begins")
			}
		}
		if err := p.check(op, sign, left, first, low); err != nil {
			return nil, err
		}
		r.set = append(r.set, span{low, high})
		switch {
		case p.is("}"):
			return r, nil
		case p.peek().kind == endOfFilter || p.peek().kind == operator:
			return nil, p.fail(p.peek(), "a comma or a closing brace is missing")
		}
		p.is(",") // as in Wireshark, a space will do
	}
}

// member reads one of a set, or the two ends of a range.
func (p *parser) member() (low, high *literal, err error) {
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

// noField is the error of a condition without a field.
func (p *parser) noField(t token) error {
	if l := newLiteral(t); t.kind == word && !l.isNumber && !l.isSpan && !l.prefix.IsValid() {
		_, err := p.schema.Resolve(t.text, p.scope)
		if unknown, ok := errors.AsType[*UnknownError](err); ok {
			e := p.fail(t, "there is no field %q", t.text)
			e.Nearest = unknown.Nearest
			return e
		}
	}
	return p.fail(t, "a condition needs a field")
}

// related reports whether two fields have values that can be compared.
func related(a, b *Field) bool {
	if a.open || b.open {
		return true
	}
	for _, x := range a.Kinds {
		for _, y := range b.Kinds {
			if family(x) == family(y) && family(x) != presence {
				return true
			}
		}
	}
	return false
}

// article puts "a" or "an" in front of what values are.
func article(kinds string) string {
	switch {
	case kinds == wire.Bytes.String():
		return kinds
	case strings.HasPrefix(kinds, "a"):
		return "an " + kinds
	}
	return "a " + kinds
}
