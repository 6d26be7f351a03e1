package filter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkKinds checks that the values of a field can be compared with an operator.
func (p *parser) checkKinds(op comparator, sign token, left operand, first token) {
	f := left.field()
	if f.open || slices.ContainsFunc(f.Kinds, func(k wire.Kind) bool { return comparableBy(op, k, f) }) {
		return
	}
	name := p.source(first)
	if f.Type() != presence.String() {
		panic(p.errorAt(sign, "%s does not work with %s, which is %s", sign.text, name, article(f.Type())))
	}
	e := p.errorAt(sign, "%s is only present or absent and cannot be compared", name)
	for _, n := range p.schema.Names() { // the name of a message that contains a field with the same name
		if path, ok := strings.CutPrefix(n, f.Name+"."); ok && f.Name != "" && strings.HasSuffix(f.Name, "."+path) {
			_ = p.propose(e, p.mended(n, p.sign))
		}
	}
	if len(e.Nearest) == 0 && (op == contains || op == matches) {
		_ = p.propose(e, p.mended("info", p.sign))
	}
	if len(e.Nearest) == 0 {
		_ = p.propose(e, p.mendedBelow(f.Name, p.sign)...)
	}
	panic(e)
}

// checkLiteral checks that a literal can be compared with a field.
func (p *parser) checkLiteral(op comparator, sign token, left operand, first token, l *literal) {
	p.checkKinds(op, sign, left, first)
	f := left.field()
	name := p.source(first)
	if op >= less && op <= greaterEqual && !l.isNumber && f.named && !hasSymbol(f.Symbols, l.token.text) {
		panic(p.errorAt(l.token, "names have no order; compare them with ==, !=, contains or matches"))
	}
	f.spell(l)
	if hasKind(f, wire.String) { // a text, or a slice of one, which can also be compared with bytes
		l.raw = l.token.kind == word && l.isBytes && hasFamily(f, byteStrings)
		if l.token.kind == word && l.isNumber && !l.raw && !f.open && !hasFamily(f, numbers) {
			panic(p.unfit(f, name, l))
		}
		if op == contains || l.token.kind == word && f.known == nil && !f.open {
			return
		}
	} else if op == contains {
		p.checkContained(f, name, l)
		return
	}
	if !slices.ContainsFunc(f.Kinds, func(k wire.Kind) bool { return comparableBy(op, k, f) && l.fits(f, k) }) {
		panic(p.unfit(f, name, l))
	}
	p.checkWhole(op, f, name, l)
	if f.known != nil && !slices.Contains(f.known, l.token.text) {
		e := p.errorAt(l.token, "%s is never %q", name, l.token.text)
		if e = p.propose(e, p.mended(p.left, p.sign)); len(e.Nearest) == 0 {
			e.Nearest = Nearest(l.token.text, f.known)
		}
		if len(e.Nearest) == 0 && len(f.known) <= 8 {
			e.Reason += ", but " + strings.Join(f.known, ", ")
		}
		panic(e)
	}
}

// spell changes the case of a literal that names one of the field's values to the case that the field uses.
func (f *Field) spell(l *literal) {
	for _, name := range slices.Concat(symbolNames(f.Symbols), f.known) {
		if strings.EqualFold(name, l.token.text) && !hasSymbol(f.Symbols, l.token.text) {
			l.token.text = name
		}
	}
}

// checkContained checks that a field that has no texts can contain the literal.
func (p *parser) checkContained(f *Field, name string, l *literal) {
	l.raw = l.token.kind == word && hasFamily(f, byteStrings)
	if l.isBytes || !hasFamily(f, byteStrings) {
		return
	}
	if l.isNumber && l.whole() {
		panic(p.unfit(f, name, l))
	}
	panic(p.propose(p.errorAt(l.token, "%s is bytes; search for bytes such as 66:0a, or for a text in quotes", name),
		p.mended(p.left, p.sign)))
}

// checkWhole rejects comparisons of an integer with a fraction, which are never equal.
func (p *parser) checkWhole(op comparator, f *Field, name string, l *literal) {
	fractions := f.computed || slices.ContainsFunc(f.Kinds, func(k wire.Kind) bool {
		return familyOf(k) != numbers || k == wire.Float || k == Double
	})
	if (op == equal || op == unequal) && !fractions && l.isNumber && !l.whole() {
		panic(p.errorAt(l.token, "%s is a whole number, never %s", name, l.token.text))
	}
	if op >= less && op <= greaterEqual && l.isNaN() && hasFamily(f, numbers) {
		panic(p.errorAt(l.token, "nan has no order"))
	}
}

func (p *parser) unfit(f *Field, name string, l *literal) *Error {
	e := p.errorAt(l.token, "%s is %s%s, not %s", name, article(f.Type()), exampleOf(f), l.called())
	switch {
	case l.token.kind == word && f.Type() == texts.String():
		e.Reason = name + " is a text; write the value in quotes"
	case l.isNumber && l.number.Kind == wire.Uint && hasFamily(f, numbers) && !f.fitsNumber(l):
		e.Reason = fmt.Sprintf("%s is at most %d", name, uint64(1)<<f.bits-1)
		return e
	case l.prefix.IsValid() && hasFamily(f, addresses):
		return p.otherFamily(e, f, name)
	case l.isNumber && hasFamily(f, byteStrings):
		return p.numberAsBytes(e, l)
	case len(f.Symbols) > 0 && !l.isNumber:
		e.Reason = fmt.Sprintf("%s is never %q", name, l.token.text)
	}
	if e = p.propose(e, p.mended(p.left, p.sign)); len(e.Nearest) == 0 {
		e.Nearest = Nearest(l.token.text, symbolNames(f.Symbols))
	}
	return e
}

// otherFamily returns the error for comparing an IPv4 field with an IPv6 address, or an IPv6 field with an IPv4
// address.
func (p *parser) otherFamily(e *Error, f *Field, name string) *Error {
	e.Reason = name + " is an IPv4 address"
	from, to := "ip.", "ipv6."
	if f.addressBits == 128 {
		e.Reason = name + " is an IPv6 address"
		from, to = to, from
	}
	if rest, ok := strings.CutPrefix(name, from); ok {
		return p.propose(e, p.mended(to+rest, p.sign))
	}
	return e
}

// numberAsBytes returns the error for a number that was probably meant as a byte.
func (p *parser) numberAsBytes(e *Error, l *literal) *Error {
	if l.whole() && l.number.Num <= 0xff {
		e.Reason += "; write a byte in hexadecimal"
		return p.propose(e, fmt.Sprintf("%s %s 0x%02x", p.left, p.tokens[p.sign].text, l.number.Num))
	}
	return e
}

var examples = map[family]string{
	addresses: "10.0.0.1 or 10.0.0.0/8", durations: "1.5 or 100ms", times: `"2026-11-20 09:16:03"`, numbers: "5 or 0x1f",
	byteStrings: "66:0a", truths: "true or false",
}

func exampleOf(f *Field) string {
	for _, k := range f.Kinds {
		if text := examples[familyOf(k)]; text != "" && len(f.Kinds) == 1 {
			return " (such as " + text + ")"
		}
	}
	return ""
}

func (l *literal) called() string {
	switch {
	case l.token.kind == quoted:
		return fmt.Sprintf("the text %q", l.token.text)
	case l.isNumber:
		return "the number " + l.token.text
	}
	return l.token.text
}
