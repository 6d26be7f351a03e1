package filter

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Errors propose filters to write instead. Every proposal compiles.

// slips maps operators and words that are not in the language to those that the user probably meant.
var slips = map[string]string{
	"=": "==", "=>": ">=", "=<": "<=", "<>": "!=", "=~": "matches",
	"AND": "and", "OR": "or", "NOT": "not", "XOR": "xor", "IN": "in", "EQ": "eq", "NE": "ne", "CONTAINS": "contains",
	"MATCHES": "matches", "is": "==", "like": "matches", "has": "contains", "includes": "contains",
}

// connectives are the words between conditions.
var connectives = []string{"and", "or", "xor", "not"}

// propose adds those filters that compile to the error's proposals. It returns the error.
func (p *parser) propose(e *Error, filters ...string) *Error {
	for _, text := range filters {
		if p.compiles != nil && !slices.Contains(e.Nearest, text) && p.compiles(text) {
			e.Nearest = append(e.Nearest, text)
		}
	}
	return e
}

// mended returns a comparison of the field that compiles. It keeps the operator at index sign and the value after it if
// possible, and otherwise corrects them. If it finds no such comparison, it returns "".
func (p *parser) mended(field string, sign int) string {
	op := p.tokens[sign].text
	if right := slips[op]; right != "" {
		op = right
	}
	c, ok := comparisons[op]
	if !ok || p.tokens[sign].kind == quoted || p.compiles == nil {
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
	candidates := []string{value}
	switch {
	case c.op == in:
		candidates = []string{"{" + value + "}"}
	case p.tokens[from].kind != quoted:
		candidates = append(candidates, strconv.Quote(value), strings.ReplaceAll(value, " ", ""))
		if f := p.schema.find(field, p.scope); f != nil {
			if hasKind(f, wire.String) || f.named && !newLiteral(p.tokens[from]).isNumber {
				candidates = []string{strconv.Quote(value)}
			}
			candidates = append(p.symbolsLike(f, value), candidates...)
		}
		if low, high, ok := strings.Cut(value, "-"); ok {
			op, candidates = "in", append(candidates, "{"+low+".."+high+"}")
		}
	}
	for _, right := range candidates {
		if text := field + " " + op + " " + right; p.compiles(text) {
			return text
		}
	}
	return ""
}

// symbolsLike returns the names of those field values that differ from the text only in case.
func (p *parser) symbolsLike(f *Field, text string) []string {
	var names []string
	for _, name := range slices.Concat(symbolNames(f.Symbols), f.known) {
		if strings.EqualFold(name, text) || strings.EqualFold(name, "Msg"+text) {
			names = append(names, name)
		}
	}
	return names
}

// endOfValue returns the index of the token after a value, which may lack quotes or braces.
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

// comparedAs returns the comparison with the unknown name replaced by each of the names. If none of the results
// compiles, it returns the names.
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

// mendedBelow calls mended for the fields that begin with a name and a dot. For udp == 53, one of its proposals is
// udp.port == 53.
func (p *parser) mendedBelow(name string, sign int) []string {
	const maxProposals = 3
	var list []string
	names := p.schema.below(name)
	slices.SortStableFunc(names, func(a, b string) int { // message fields first, since they are more likely
		fromPacket := func(n string) int {
			if f := p.schema.Field(name + "." + n); f != nil && f.fromPacket {
				return 1
			}
			return 0
		}
		return fromPacket(a) - fromPacket(b)
	})
	for _, n := range names {
		if text := p.mended(name+"."+n, sign); text != "" && len(list) < maxProposals {
			list = append(list, text)
		}
	}
	return list
}

func (p *parser) unknown(t token, why *UnknownError) *Error {
	e := p.errorAt(t, "there is no field %q", t.text)
	if _, sign := comparisons[t.text]; sign || slips[t.text] != "" || slices.Contains(connectives, t.text) {
		e.Reason = "a condition is missing before " + t.text
		if p.peek().kind != endOfFilter {
			return p.propose(e, p.mended("info", p.at-1))
		}
		return e
	}
	if why.Measured != "" {
		e.Reason = why.why()
		return e
	}
	e.Nearest = p.comparedAs(why.Nearest)
	if len(e.Nearest) > 0 {
		return e
	}
	alone := p.peek().kind == endOfFilter && p.at == 1
	if alone && len(why.Of) == 0 && !strings.Contains(t.text, ".") {
		return p.propose(e, "info contains "+strconv.Quote(t.text))
	}
	e.Reason += why.has()
	return e
}

func (p *parser) noField(t token) *Error {
	if l := newLiteral(t); t.kind == word && !l.isNumber && !l.isDuration && !l.prefix.IsValid() {
		if p.schema.find(t.text, p.scope) == nil {
			return p.unknownName(t, t.text)
		}
	}
	e := p.errorAt(t, "a condition needs a field")
	value := p.source(t)
	switch {
	case p.sign > 0:
		return p.propose(e, p.left+" == "+value)
	case t.kind == quoted:
		return p.propose(e, "info contains "+value)
	case newLiteral(t).prefix.Addr().Is4():
		return p.propose(e, "ip.addr == "+value)
	case newLiteral(t).prefix.IsValid():
		return p.propose(e, "ipv6.addr == "+value)
	}
	return p.propose(e, "udp.port == "+value, "tcp.port == "+value)
}
