package filter

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// parseMask parses the operand after &: a number, the name of a bit, bytes if the left operand is bytes, or a field.
func (p *parser) parseMask(o operand, first token) operand {
	t := p.peek()
	if _, ok := o.(*literal); ok {
		panic(p.noField(first))
	}
	if bit := symbolValue(o.field().Symbols, t.text); bit != nil && t.kind == word {
		p.take()
		return p.masked(o, newConstant(Value{Kind: wire.Uint, Num: uint64(*bit)}))
	}
	mask := p.parseSum(o)
	if l, ok := mask.(*literal); ok {
		mask = p.maskLiteral(o, l)
	}
	f, m := o.field(), mask.field()
	switch {
	case hasWhole(f) && hasWhole(m), hasFamily(f, byteStrings) && hasFamily(m, byteStrings):
		return p.masked(o, mask)
	case hasWhole(f) || hasFamily(f, byteStrings) || m.Type() == presence.String():
		e := p.errorAt(t, "a mask is a number or the name of a bit")
		e.Nearest = Nearest(t.text, symbolNames(f.Symbols))
		if p.schema.Field(t.text) != nil {
			e.Nearest = []string{"&& " + t.text}
		}
		panic(e)
	}
	panic(p.errorAt(first, "& needs a whole number, this is %s", article(f.Type())))
}

// maskLiteral converts a literal to a mask for an operand. If the literal is not a mask, it is returned unchanged.
func (p *parser) maskLiteral(o operand, l *literal) operand {
	switch {
	case hasFamily(o.field(), byteStrings) && l.isBytes:
		return newConstant(Value{Kind: wire.Bytes, Bytes: l.bytes})
	case l.isNumber && l.number.Kind == wire.Uint:
		return newConstant(l.number)
	}
	return l
}

func (p *parser) masked(o, mask operand) operand {
	kind := wire.Uint
	if hasFamily(o.field(), byteStrings) {
		kind = wire.Bytes
	}
	return &calculation{sign: '&', left: o, right: mask, result: Field{Kinds: []wire.Kind{kind}, computed: true}}
}

func hasWhole(f *Field) bool {
	return slices.ContainsFunc(f.Kinds, func(k wire.Kind) bool {
		return familyOf(k) == numbers && k != wire.Float && k != Double
	})
}

// isMask reports whether an operand is an expression with &. As a condition, it is true if one of the mask's bits is
// set in the value.
func isMask(o operand) bool {
	c, ok := o.(*calculation)
	return ok && c.sign == '&'
}

func anyBit(v Value) bool {
	return v.Num != 0 || slices.ContainsFunc(v.Bytes, func(b byte) bool { return b != 0 })
}
