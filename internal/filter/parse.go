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
	for i, n := range list.nodes {
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
		reason := fmt.Sprintf("a filter of %d bytes; at most %d may be", len(text), longest)
		return nil, &Error{Text: text[:40] + " ...", Size: 40, Reason: reason}
	}
	p := &parser{schema: s, scope: scope}
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

// tooMany is the error of what follows a condition and cannot.
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
		p.propose(e, p.mended(p.left, p.sign))
	}
	if len(p.text) <= longestName && len(e.Nearest) == 0 {
		p.propose(e, p.text[:t.off]+"&& "+p.text[t.off:])
	}
	return e
}

// Resolve finds the field that a name stands for in a scope. The error is an *UnknownError.
func (s *Schema) Resolve(name string, scope *Scope) (*Field, error) {
	if scope != nil && scope.Prefix != "" {
		if f := s.Field(scope.Prefix + name); f != nil {
			return f, nil
		}
	}
	if f := s.Field(name); f != nil {
		s.asked[f.Name] = true
		return f, nil
	}
	return nil, s.unknown(name, scope)
}

// unknown is the error of a name that no field has. Those of the message at hand are the nearest.
func (s *Schema) unknown(name string, scope *Scope) *UnknownError {
	e := &UnknownError{What: "field", Name: name}
	if scope != nil && scope.Prefix != "" {
		for _, n := range Nearest(scope.Prefix+name, s.Names()) {
			if short, ok := strings.CutPrefix(n, scope.Prefix); ok {
				e.Nearest = append(e.Nearest, short)
			}
		}
	}
	if len(e.Nearest) == 0 {
		e.Nearest = Nearest(name, s.Names())
	}
	for in, _ := cutName(name); in != ""; in, _ = cutName(in) {
		if s.lookup(in) != nil {
			e.Of = in
			break
		}
	}
	e.Known = s.below(e.Of)
	return e
}

// below lists what stands behind a name and its dot: the fields of a message. Behind none these are the names before
// the first dot.
func (s *Schema) below(name string) []string {
	var list []string
	for _, n := range s.Names() {
		rest, ok := n, true
		if name != "" {
			rest, ok = strings.CutPrefix(n, name+".")
		}
		first, _, more := strings.Cut(rest, ".")
		if ok && (more || name != "") && !slices.Contains(list, first) {
			list = append(list, first)
		}
	}
	return list
}

// A parser reads one filter.
type parser struct {
	schema *Schema
	scope  *Scope
	text   string
	tokens []token
	at     int
	depth  int

	checking bool   // what is read is a proposal
	left     string // of the last comparison
	sign     int    // of that
}

// peek shows the next token; the last one says that the filter ends.
func (p *parser) peek() token { return p.tokens[p.at] }

// take goes past the next token.
func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != endOfFilter {
		p.at++
	}
	return t
}

// taken is the token that was taken last.
func (p *parser) taken() token { return p.tokens[p.at-1] }

// source is a token as it stands in the filter.
func (p *parser) source(t token) string { return p.text[t.off : t.off+t.size] }

// fail is the error of a token.
func (p *parser) fail(t token, format string, args ...any) *Error {
	return &Error{Text: p.text, Off: t.off, Size: max(t.size, 1), Reason: fmt.Sprintf(format, args...)}
}

// takes goes past the next token if it is one of some signs or words, and reports whether it did.
func (p *parser) takes(texts ...string) bool {
	t := p.peek()
	if t.kind == quoted || t.kind == endOfFilter || !slices.Contains(texts, t.text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) parseOr() (node, error)  { return p.parseJunction(or, p.parseXor, "||", "or") }
func (p *parser) parseXor() (node, error) { return p.parseJunction(xor, p.parseAnd, "^^", "xor") }
func (p *parser) parseAnd() (node, error) { return p.parseJunction(and, p.parseNot, "&&", "and") }

// parseJunction reads parts that stand between signs of one kind.
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

// parseTest reads a comparison, what stands in parentheses, or a field alone.
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
		return nil, p.proposing(p.fail(t, "%q is no comparison", t.text), p.mended(field, p.at))
	}
	return &presenceTest{operand: left}, nil
}

// noField is the error of a condition without a field.
func (p *parser) noField(t token) error {
	if l := newLiteral(t); t.kind == word && !l.isNumber && !l.isDuration && !l.prefix.IsValid() {
		_, err := p.schema.Resolve(t.text, p.scope)
		if why, ok := errors.AsType[*UnknownError](err); ok {
			return p.unknown(t, why)
		}
	}
	e := p.fail(t, "a condition needs a field")
	value := p.source(t)
	switch {
	case p.sign > 0:
		return p.proposing(e, p.left+" == "+value)
	case t.kind == quoted:
		return p.proposing(e, "info contains "+value)
	case newLiteral(t).prefix.Addr().Is4():
		return p.proposing(e, "ip.addr == "+value)
	case newLiteral(t).prefix.IsValid():
		return p.proposing(e, "ipv6.addr == "+value)
	}
	return p.proposing(e, "udp.port == "+value, "tcp.port == "+value)
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
