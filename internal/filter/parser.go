package filter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// maxDepth limits the nesting of a filter.
const maxDepth = 200

type parser struct {
	schema *Schema
	scope  *Scope
	text   string
	tokens []token
	at     int
	depth  int

	compiles func(text string) bool // reports whether text is a valid filter; nil while parsing a proposal
	left     string                 // left side of the latest comparison
	sign     int                    // index of the token with that comparison's operator
}

// peek returns the next token. The last one is endOfFilter.
func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != endOfFilter {
		p.at++
	}
	return t
}

func (p *parser) taken() token { return p.tokens[p.at-1] }

func (p *parser) source(t token) string { return p.text[t.off : t.off+t.size] }

func (p *parser) errorAt(t token, format string, args ...any) *Error {
	return &Error{Text: p.text, Off: t.off, Size: max(t.size, 1), Reason: fmt.Sprintf(format, args...)}
}

// takes consumes the next token if that token is one of the texts, and reports whether it did.
func (p *parser) takes(texts ...string) bool {
	t := p.peek()
	if t.kind == quoted || t.kind == endOfFilter || !slices.Contains(texts, t.text) {
		return false
	}
	p.at++
	return true
}

// require consumes the next token, which must have the given text. Otherwise, require panics with the error text.
func (p *parser) require(text, otherwise string) {
	if !p.takes(text) {
		panic(p.errorAt(p.peek(), "%s", otherwise))
	}
}

// nest counts a level of nesting. It panics if there are too many levels.
func (p *parser) nest(t token) {
	if p.depth++; p.depth > maxDepth {
		panic(p.errorAt(t, "the filter is nested deeper than %d levels", maxDepth))
	}
}

// article puts "a" or "an" before the name of a kind of values.
func article(kinds string) string {
	switch {
	case kinds == wire.Bytes.String():
		return kinds
	case strings.HasPrefix(kinds, "a"):
		return "an " + kinds
	}
	return "a " + kinds
}

// A comparison is the meaning of an operator. If every is set, all values of a field must match. "any" or "all" before
// the comparison overrides every.
type comparison struct {
	op    comparator
	every bool
}

// comparisons are the operators, and the words used as operators, between the two sides of a comparison.
var comparisons = map[string]comparison{
	"==": {equal, false}, "eq": {equal, false}, "any_eq": {equal, false},
	"===": {equal, true}, "all_eq": {equal, true},
	"!=": {unequal, true}, "ne": {unequal, true}, "all_ne": {unequal, true},
	"!==": {unequal, false}, "~=": {unequal, false}, "any_ne": {unequal, false},
	"<": {less, false}, "lt": {less, false}, "<=": {lessEqual, false}, "le": {lessEqual, false},
	">": {greater, false}, "gt": {greater, false}, ">=": {greaterEqual, false}, "ge": {greaterEqual, false},
	"contains": {contains, false}, "matches": {matches, false}, "~": {matches, false}, "in": {in, false},
}

type comparator uint8

const (
	equal comparator = iota
	unequal
	less
	lessEqual
	greater
	greaterEqual
	contains
	matches
	in
	notIn
)
