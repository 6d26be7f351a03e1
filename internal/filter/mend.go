package filter

import (
	"slices"
	"strconv"
	"strings"
)

// What is wrong with a filter is said with what to write instead. Nothing is proposed that is wrong itself.

// slips are signs and words that nobody reads, and what is meant by them.
var slips = map[string]string{
	"=": "==", "=>": ">=", "=<": "<=", "<>": "!=", "=~": "matches",
	"AND": "and", "OR": "or", "NOT": "not", "XOR": "xor", "IN": "in", "EQ": "eq", "NE": "ne", "CONTAINS": "contains",
	"MATCHES": "matches", "is": "==", "like": "matches", "has": "contains", "includes": "contains",
}

// connectives are the words between conditions.
var connectives = []string{"and", "or", "xor", "not"}

// propose adds to what may have been meant: those of some filters that are right.
func (p *parser) propose(e *Error, filters ...string) {
	if p.checking {
		return // this is a proposal already
	}
	for _, text := range filters {
		if !slices.Contains(e.Nearest, text) && p.compiles(text) {
			e.Nearest = append(e.Nearest, text)
		}
	}
}

// proposing is the error with what propose adds to it.
func (p *parser) proposing(e *Error, filters ...string) *Error {
	p.propose(e, filters...)
	return e
}

// compiles reports whether a text is a filter.
func (p *parser) compiles(text string) bool {
	_, err := (&parser{schema: p.schema, scope: p.scope, checking: true}).parse(text)
	return err == nil
}

// mended writes a comparison of a field with what follows the sign, as it has to be written; "" if there is no way.
func (p *parser) mended(field string, sign int) string {
	op := p.tokens[sign].text
	if right := slips[op]; right != "" {
		op = right
	}
	c, ok := comparisons[op]
	if !ok || p.tokens[sign].kind == quoted || p.checking {
		return ""
	}
	from := sign + 1
	if t := p.tokens[from]; t.kind == bracket && t.text == "(" {
		from++
	}
	to := p.endOfValue(from)
	if from == to {
		return ""
	}
	value := p.text[p.tokens[from].off : p.tokens[to-1].off+p.tokens[to-1].size]
	ways := []string{value}
	switch {
	case c.op == in:
		ways = []string{"{" + value + "}"}
	case p.tokens[from].kind != quoted:
		ways = append(ways, strconv.Quote(value), strings.ReplaceAll(value, " ", ""))
		if f, err := p.schema.Resolve(field, p.scope); err == nil {
			ways = append(ways, p.symbolsLike(f, value)...)
		}
		if low, high, ok := strings.Cut(value, "-"); ok {
			op, ways = "in", append(ways, "{"+low+".."+high+"}")
		}
	}
	for _, way := range ways {
		if text := field + " " + op + " " + way; p.compiles(text) {
			return text
		}
	}
	return ""
}

// symbolsLike gives names of a field's values that differ from a text in nothing but case.
func (p *parser) symbolsLike(f *Field, text string) []string {
	var names []string
	for _, name := range slices.Concat(symbolNames(f.Symbols), f.known) {
		if strings.EqualFold(name, text) || strings.EqualFold(name, "Msg"+text) {
			names = append(names, name)
		}
	}
	return names
}

// endOfValue is the token behind a value that may have been written without quotes or braces.
func (p *parser) endOfValue(from int) int {
	for at := from; ; at++ {
		t := p.tokens[at]
		ends := t.kind == endOfFilter || t.kind == operator || t.kind == bracket && t.text != "," ||
			t.kind == word && slices.Contains(connectives, strings.ToLower(t.text))
		if ends || t.kind == quoted && at > from {
			return at
		}
	}
}

// comparedAs gives the comparison behind a name that does not exist for those of the names that may be meant which it
// makes sense for, or the names where nothing follows.
func (p *parser) comparedAs(names []string) []string {
	var list []string
	for _, name := range names {
		if text := p.mended(name, p.at); text != "" {
			list = append(list, text)
		}
	}
	if list == nil {
		return names
	}
	return list
}

// mendedBelow is mended for what stands behind a name: of udp == 53 the ports.
func (p *parser) mendedBelow(name string, sign int) []string {
	const most = 3
	var list []string
	for _, n := range p.schema.below(name) {
		if text := p.mended(name+"."+n, sign); text != "" && len(list) < most {
			list = append(list, text)
		}
	}
	return list
}

// unknown is the error of a name that does not exist.
func (p *parser) unknown(t token, why *UnknownError) *Error {
	e := p.fail(t, "there is no field %q", t.text)
	if _, sign := comparisons[t.text]; sign || slips[t.text] != "" || slices.Contains(connectives, t.text) {
		e.Reason = "a condition is missing in front of " + t.text
		if p.peek().kind != endOfFilter {
			return p.proposing(e, p.mended("info", p.at-1))
		}
		return e
	}
	e.Nearest = p.comparedAs(why.Nearest)
	if len(e.Nearest) > 0 {
		return e
	}
	alone := p.peek().kind == endOfFilter && p.at == 1
	if alone && len(why.Of) == 0 && !strings.Contains(t.text, ".") {
		return p.proposing(e, "info contains "+strconv.Quote(t.text))
	}
	e.Reason += why.has()
	return e
}
