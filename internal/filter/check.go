package filter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkKinds finds comparisons that the values of a field do not have.
func (p *parser) checkKinds(op comparator, sign token, left operand, first token) error {
	f := left.field()
	if f.open {
		return nil
	}
	name := p.source(first)
	for _, k := range f.Kinds {
		if comparableBy(op, k, f) {
			return nil
		}
	}
	if f.Type() == presence.String() {
		e := p.fail(sign, "%s has no value to compare, it is there or not", name)
		for _, n := range p.schema.Names() { // a message may be called like a field of its own
			if path, ok := strings.CutPrefix(n, f.Name+"."); ok && f.Name != "" && strings.HasSuffix(f.Name, "."+path) {
				p.propose(e, p.mended(n, p.sign))
			}
		}
		if len(e.Nearest) == 0 && (op == contains || op == matches) {
			p.propose(e, p.mended("info", p.sign))
		}
		if len(e.Nearest) == 0 {
			p.propose(e, p.mendedBelow(f.Name, p.sign)...)
		}
		return e
	}
	return p.fail(sign, "%s is %s, that has no %s", name, article(f.Type()), sign.text)
}

// comparableBy reports whether values of one of a field's kinds can be compared so.
func comparableBy(op comparator, k wire.Kind, f *Field) bool {
	switch op {
	case less, lessEqual, greater, greaterEqual:
		switch familyOf(k) {
		case numbers, durations, times, byteStrings, addresses:
			return true
		}
		return false
	case contains, matches:
		return k == wire.String || k == wire.Bytes ||
			(k == wire.Enum || k == wire.SignedEnum) && (f.named || len(f.Symbols) > 0)
	}
	return familyOf(k) != presence
}

// checkLiteral finds literals that cannot be compared with a field.
func (p *parser) checkLiteral(op comparator, sign token, left operand, first token, l *literal) error {
	if err := p.checkKinds(op, sign, left, first); err != nil {
		return err
	}
	f := left.field()
	name := p.source(first)
	if op >= less && op <= greaterEqual && !l.isNumber && f.named && !hasSymbol(f.Symbols, l.token.text) {
		return p.fail(l.token, "names have no order: == != contains and matches compare them")
	}
	if op == contains {
		if !l.isBytes {
			return p.proposing(p.fail(l.token, "a text in quotes has to follow"), p.mended(p.left, p.sign))
		}
		return nil
	}
	fits := false
	for _, k := range f.Kinds {
		fits = fits || comparableBy(op, k, f) && l.fits(f, k)
	}
	if !fits {
		return p.unfit(f, name, l)
	}
	l.raw = l.token.kind == word && slices.Contains(f.Kinds, wire.Bytes) && slices.Contains(f.Kinds, wire.String)
	if f.known != nil && !slices.Contains(f.known, l.token.text) {
		e := p.fail(l.token, "%s is never %q", name, l.token.text)
		if p.propose(e, p.mended(p.left, p.sign)); len(e.Nearest) == 0 {
			e.Nearest = Nearest(l.token.text, f.known)
		}
		if len(e.Nearest) == 0 && len(f.known) <= 8 {
			e.Reason += ", but " + strings.Join(f.known, ", ")
		}
		return e
	}
	return nil
}

// unfit is the error of a value that a field cannot have.
func (p *parser) unfit(f *Field, name string, l *literal) *Error {
	e := p.fail(l.token, "%s is %s%s, not %s", name, article(f.Type()), exampleOf(f), l.called())
	switch {
	case l.token.kind == word && f.Type() == texts.String():
		e.Reason = name + " is a text, it stands in quotes"
	case len(f.Symbols) > 0 && !l.isNumber:
		e.Reason = fmt.Sprintf("%s is never %q", name, l.token.text)
	}
	if p.propose(e, p.mended(p.left, p.sign)); len(e.Nearest) == 0 {
		e.Nearest = Nearest(l.token.text, symbolNames(f.Symbols))
	}
	return e
}

// examples of values.
var examples = map[family]string{
	addresses: "10.0.0.1 or 10.0.0.0/8", durations: "1.5 or 100ms", times: `"2026-11-20 09:16:03"`, numbers: "5 or 0x1f",
	byteStrings: "66:0a", truths: "true or false",
}

// exampleOf shows how values of a field are written.
func exampleOf(f *Field) string {
	for _, k := range f.Kinds {
		if text := examples[familyOf(k)]; text != "" && len(f.Kinds) == 1 {
			return " (such as " + text + ")"
		}
	}
	return ""
}

// called says what a literal looks like, for errors.
func (l *literal) called() string {
	switch {
	case l.token.kind == quoted:
		return fmt.Sprintf("the text %q", l.token.text)
	case l.isNumber:
		return "the number " + l.token.text
	}
	return l.token.text
}

// haveComparableKinds reports whether two fields have values that can be compared.
func haveComparableKinds(a, b *Field) bool {
	if a.open || b.open {
		return true
	}
	for _, x := range a.Kinds {
		for _, y := range b.Kinds {
			if familyOf(x) == familyOf(y) && familyOf(x) != presence {
				return true
			}
		}
	}
	return false
}
