package filter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkKinds sees that the values of a field have the comparison.
func (p *parser) checkKinds(op comparator, sign token, left operand, first token) {
	f := left.field()
	if f.open || slices.ContainsFunc(f.Kinds, func(k wire.Kind) bool { return comparableBy(op, k, f) }) {
		return
	}
	name := p.source(first)
	if f.Type() != presence.String() {
		panic(p.errorAt(sign, "%s is %s, that has no %s", name, article(f.Type()), sign.text))
	}
	e := p.errorAt(sign, "%s is only present or absent and cannot be compared", name)
	for _, n := range p.schema.Names() { // a message may be called like a field of its own
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

// checkLiteral sees that the literal can be compared with the field.
func (p *parser) checkLiteral(op comparator, sign token, left operand, first token, l *literal) {
	p.checkKinds(op, sign, left, first)
	f := left.field()
	name := p.source(first)
	if op >= less && op <= greaterEqual && !l.isNumber && f.named && !hasSymbol(f.Symbols, l.token.text) {
		panic(p.errorAt(l.token, "names have no order: == != contains and matches compare them"))
	}
	if op == contains {
		if !l.isBytes {
			panic(p.propose(p.errorAt(l.token, "a text in quotes has to follow"), p.mended(p.left, p.sign)))
		}
		return
	}
	if !slices.ContainsFunc(f.Kinds, func(k wire.Kind) bool { return comparableBy(op, k, f) && l.fits(f, k) }) {
		panic(p.unfit(f, name, l))
	}
	l.raw = l.token.kind == word && slices.Contains(f.Kinds, wire.Bytes) && slices.Contains(f.Kinds, wire.String)
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

func (p *parser) unfit(f *Field, name string, l *literal) *Error {
	e := p.errorAt(l.token, "%s is %s%s, not %s", name, article(f.Type()), exampleOf(f), l.called())
	switch {
	case l.token.kind == word && f.Type() == texts.String():
		e.Reason = name + " is a text, it stands in quotes"
	case len(f.Symbols) > 0 && !l.isNumber:
		e.Reason = fmt.Sprintf("%s is never %q", name, l.token.text)
	}
	if e = p.propose(e, p.mended(p.left, p.sign)); len(e.Nearest) == 0 {
		e.Nearest = Nearest(l.token.text, symbolNames(f.Symbols))
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
