package filter

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
)

type operand interface {
	values(*Subject, []Value) []Value
	field() *Field // describes the operand's values
}

func (l *literal) values(*Subject, []Value) []Value { return nil }
func (l *literal) field() *Field                    { return &Field{} }

type fieldOperand struct{ target *Field }

func (f *fieldOperand) values(x *Subject, v []Value) []Value { return f.target.Values(x, v) }
func (f *fieldOperand) field() *Field                        { return f.target }

// boundOperand is $name, a saved value.
type boundOperand struct {
	index  int
	target *Field
}

func (b *boundOperand) values(x *Subject, v []Value) []Value {
	if b.index < len(x.Bindings) && x.Bindings[b.index].Kind != wire.Group {
		v = append(v, x.Bindings[b.index])
	}
	return v
}
func (b *boundOperand) field() *Field { return b.target }

// A constant is a literal converted to the kind of the values that it is combined with.
type constant struct {
	value Value
	of    Field
}

func newConstant(v Value) *constant { return &constant{v, Field{Kinds: []wire.Kind{v.Kind}}} }

func (c *constant) values(_ *Subject, v []Value) []Value { return append(v, c.value) }
func (c *constant) field() *Field                        { return &c.of }

// A converter converts a value. It may append new bytes to room, and returns the longer room.
type converter func(v *Value, room []byte) (converted Value, grown []byte, ok bool)

type derived struct {
	operand
	result  Field
	convert converter
	room    []byte
}

func (d *derived) field() *Field { return &d.result }

func (d *derived) values(x *Subject, v []Value) []Value {
	start := len(v)
	v = d.operand.values(x, v)
	d.room = d.room[:0]
	kept := v[:start]
	for i := start; i < len(v); i++ {
		converted, room, ok := d.convert(&v[i], d.room)
		d.room = room
		if ok {
			kept = append(kept, converted)
		}
	}
	return kept
}

// parseEntity parses a field, a function call, the name of a saved value, or a literal. Slices may follow each of
// these. other is the other side of the comparison, or nil if that side has not yet been parsed.
func (p *parser) parseEntity(other operand) operand {
	raw := p.takes("@")
	t := p.take()
	if t.kind != word && t.kind != quoted {
		panic(p.errorAt(t, "a field or a value is missing here"))
	}
	o := p.parseAtom(t, other)
	if at := p.peek(); raw || at.kind == operator && at.text == "#" {
		o = p.parseLayer(o, t, raw)
	}
	for p.takes("[") {
		o = p.parseSlice(o, t)
	}
	return o
}

// parseAtom parses an operand without layers and slices.
func (p *parser) parseAtom(t token, other operand) operand {
	if t.kind == quoted {
		return newLiteral(t)
	}
	if name, ok := strings.CutPrefix(t.text, "$"); ok {
		return p.bound(t, name)
	}
	if n := p.peek(); n.kind == bracket && n.text == "(" {
		if f := functions[t.text]; f != nil {
			return p.parseCall(t, f)
		}
		e := p.errorAt(t, "there is no function %q", t.text)
		e.Nearest = Nearest(t.text, slices.Sorted(maps.Keys(functions)))
		panic(e)
	}
	t = p.divided(t)
	l := newLiteral(t)
	name := strings.TrimPrefix(t.text, ".")
	f := p.schema.find(name, p.scope)
	switch {
	case f != nil && other != nil && other.field().named && f.Type() != presence.String():
		return &fieldOperand{f} // the word may also be a player's name
	case other != nil && p.means(l, other.field()):
		return l
	case f != nil:
		return &fieldOperand{f}
	}
	// If other is not nil, the caller reports which kind of value the comparison needs.
	if other != nil && !isField(t.text) || l.isNumber || l.prefix.IsValid() || l.isDuration {
		return l
	}
	panic(p.unknownName(t, name))
}

// unknownName returns the error for an unknown name. The error has no proposals while a proposal is being compiled:
// nobody reads such an error, and proposals are slow to find.
func (p *parser) unknownName(t token, name string) *Error {
	if p.compiles == nil {
		return p.errorAt(t, "there is no field %q", name)
	}
	return p.unknown(t, p.schema.unknown(name, p.scope))
}

// isField reports whether a word can only be a field, such as ".udp.port". Since ".7" would be a field, too, fractions
// must begin with a digit.
func isField(word string) bool { return strings.HasPrefix(word, ".") }

// means reports whether a literal names one of the field's values, even if it is also the name of a field. It changes
// the literal to the case that the field uses.
func (p *parser) means(l *literal, f *Field) bool {
	for _, name := range slices.Concat(symbolNames(f.Symbols), f.known) {
		if strings.EqualFold(name, l.token.text) {
			l.token.text = name
			return true
		}
	}
	return slices.ContainsFunc(f.Kinds, func(k wire.Kind) bool { return k != wire.String && l.fits(f, k) })
}

// divided splits a word such as udp.port/2 if the part before the slash is the name of a field.
func (p *parser) divided(t token) token {
	name, rest, ok := strings.Cut(t.text, "/")
	if !ok || rest == "" || p.schema.Field(name) == nil {
		return t
	}
	t.text, t.size = name, len(name)
	end := t.off + t.size
	p.tokens = slices.Replace(p.tokens, p.at-1, p.at, t, token{kind: operator, text: "/", off: end, size: 1},
		token{kind: word, text: rest, off: end + 1, size: len(rest)})
	return t
}

func (p *parser) bound(t token, name string) operand {
	var known []string
	for i, b := range p.scope.Bindings {
		if b.Name == name {
			return &boundOperand{i, b.Field}
		}
		known = append(known, "$"+b.Name)
	}
	e := p.errorAt(t, "nothing was saved as %s before", t.text)
	e.Nearest = Nearest(t.text, known)
	panic(e)
}

// derive returns a derived operand with values of kind k. The operand's values must belong to one of the families.
// Otherwise, derive panics with an error at the token. The error says that what needs one of these families.
func (p *parser) derive(o operand, t token, what string, k wire.Kind, convert converter, of ...family) *derived {
	if slices.Contains(of, byteStrings) {
		o = p.withContent(o, false)
	}
	var want []string
	for _, f := range of {
		want = append(want, f.String())
		if hasFamily(o.field(), f) {
			return &derived{operand: o, result: Field{Kinds: []wire.Kind{k}, computed: true}, convert: convert}
		}
	}
	panic(p.errorAt(t, "%s needs %s, this is %s", what, strings.Join(want, " or "), article(o.field().Type())))
}

func hasFamily(f *Field, is family) bool {
	return slices.ContainsFunc(f.Kinds, func(k wire.Kind) bool { return familyOf(k) == is })
}

// withContent replaces a protocol with its bytes for a comparison with bytes. Like Wireshark, it uses all bytes if they
// are searched, and otherwise only the header.
func (p *parser) withContent(o operand, searched bool) operand {
	f, ok := o.(*fieldOperand)
	if !ok || f.target.carrier.span == nil {
		return o
	}
	if !f.target.carrier.message {
		p.askPackets(p.taken())
	}
	from := f.target.carrier.span
	if searched && f.target.carrier.whole != nil {
		from = f.target.carrier.whole
	}
	return &fieldOperand{&Field{Name: f.target.Name, Kinds: []wire.Kind{wire.Bytes}, fromSubject: from}}
}

// appendText appends a value's text in UTF-8, as in message trees but without escapes.
func appendText(room []byte, v *Value) []byte {
	b := v.Bytes
	if v.Kind == wire.Enum || v.Kind == wire.SignedEnum {
		b = v.name()
	}
	if utf8.Valid(b) {
		return append(room, b...)
	}
	for _, x := range b {
		room = utf8.AppendRune(room, rune(x))
	}
	return room
}

func valueContains(v *Value, want []byte) bool {
	if v.Kind == wire.Enum || v.Kind == wire.SignedEnum {
		return bytes.Contains(v.name(), want)
	}
	return bytes.Contains(v.Bytes, want)
}
