package filter

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
)

type operand interface {
	values(*Subject, []Value) []Value
	field() *Field // describes the values
}

func (l *literal) values(*Subject, []Value) []Value { return nil }
func (l *literal) field() *Field                    { return &Field{} }

type fieldOperand struct{ target *Field }

func (f *fieldOperand) values(x *Subject, v []Value) []Value { return f.target.Values(x, v) }
func (f *fieldOperand) field() *Field                        { return f.target }

// boundOperand is $name, a value that was saved.
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

// A converter converts a value. It may append the new bytes to room, and returns room.
type converter func(v *Value, room []byte) (converted Value, grown []byte, ok bool)

type derived struct {
	operand
	result  Field
	masked  bool // by &: a presence test reports whether a bit is set
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

type counted struct {
	operand
	room []Value
}

var anyNumber = Field{Kinds: []wire.Kind{wire.Uint}}

func (c *counted) field() *Field { return &anyNumber }

func (c *counted) values(x *Subject, v []Value) []Value {
	c.room = c.operand.values(x, c.room[:0])
	n := uint64(0)
	for i := range c.room {
		if c.room[i].Kind == wire.Sequence {
			n += c.room[i].Num
		} else {
			n++
		}
	}
	return append(v, Value{Kind: wire.Uint, Num: n})
}

// parseOperand parses a field, a function call, the name of a saved value, or a value, and the slices and masks
// after it. other is the other side of the comparison; nil: not parsed yet.
func (p *parser) parseOperand(other operand) operand {
	t := p.take()
	if t.kind != word && t.kind != quoted {
		panic(p.errorAt(t, "a field or a value is missing here"))
	}
	o := p.parseAtom(t, other)
	for {
		switch {
		case p.takes("["):
			o = p.parseSlice(o, t)
		case p.takes("&", "bitand", "bitwise_and"):
			o = p.parseMask(o, t)
		default:
			return o
		}
	}
}

// parseAtom parses an operand without slices and masks.
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
	l := newLiteral(t)
	if other != nil {
		f := other.field()
		if slices.ContainsFunc(f.Kinds, func(k wire.Kind) bool { return l.fits(f, k) }) {
			return l
		}
	}
	f, err := p.schema.Resolve(t.text, p.scope)
	if err == nil {
		return &fieldOperand{f}
	}
	// Beside a field the caller reports which kind of value is expected.
	if other != nil || l.isNumber || l.prefix.IsValid() || l.isDuration {
		return l
	}
	why, _ := errors.AsType[*UnknownError](err)
	panic(p.unknown(t, why))
}

func (p *parser) bound(t token, name string) operand {
	var known []string
	for i, b := range p.scope.Bindings {
		if b.Name == name {
			return &boundOperand{i, b.Field}
		}
		known = append(known, "$"+b.Name)
	}
	e := p.errorAt(t, "nothing is saved as %s before", t.text)
	e.Nearest = Nearest(t.text, known)
	panic(e)
}

// A function makes an operand from its argument, which begins at the token.
type function func(p *parser, o operand, t token) operand

var functions = map[string]function{
	"len": func(p *parser, o operand, t token) operand {
		return p.derive(o, t, "len", wire.Uint, func(v *Value, room []byte) (Value, []byte, bool) {
			return Value{Kind: wire.Uint, Num: uint64(len(v.Bytes))}, room, true
		}, texts, byteStrings)
	},
	"count": func(_ *parser, o operand, _ token) operand { return &counted{operand: o} },
	"lower": func(p *parser, o operand, t token) operand {
		return p.derive(o, t, "lower", wire.String, changeCase('A', 'Z', 'a'), texts)
	},
	"upper": func(p *parser, o operand, t token) operand {
		return p.derive(o, t, "upper", wire.String, changeCase('a', 'z', 'A'), texts)
	},
}

// changeCase converts the ASCII letters between first and last to the other case, in which first is other.
func changeCase(first, last, other byte) converter {
	return func(v *Value, room []byte) (Value, []byte, bool) {
		start := len(room)
		for _, x := range v.Bytes {
			if first <= x && x <= last {
				x += other - first
			}
			room = append(room, x)
		}
		return Value{Kind: wire.String, Bytes: room[start:]}, room, true
	}
}

func (p *parser) parseCall(t token, f function) operand {
	p.take()
	p.nest(t)
	defer func() { p.depth-- }()
	at := p.peek()
	o := p.parseOperand(nil)
	if _, ok := o.(*literal); ok {
		panic(p.noField(at))
	}
	p.wants(")", "a closing parenthesis is missing")
	return f(p, o, at)
}

// derive makes a derived operand with values of a kind if the operand has values of one of the families.
// Otherwise the error, at the token, says what the function needs.
func (p *parser) derive(o operand, t token, what string, k wire.Kind, convert converter, of ...family) *derived {
	var want []string
	for _, f := range of {
		want = append(want, f.String())
		if slices.ContainsFunc(o.field().Kinds, func(have wire.Kind) bool { return familyOf(have) == f }) {
			return &derived{operand: o, result: Field{Kinds: []wire.Kind{k}}, convert: convert}
		}
	}
	panic(p.errorAt(t, "%s wants %s, this is %s", what, strings.Join(want, " or "), article(o.field().Type())))
}

// parseSlice parses [at], [from:length], [from-to], [:length] or [from:].
func (p *parser) parseSlice(o operand, first token) operand {
	t := p.take()
	if f := p.schema.component(o.field(), t.text); f != nil {
		p.wants("]", "a closing bracket is missing")
		return &fieldOperand{f}
	}
	from, length, ok := readSlice(t.text)
	if t.kind != word || !ok {
		panic(p.errorAt(t, "a slice is [at], [from:length], [from-to], [:length] or [from:]"))
	}
	p.wants("]", "a closing bracket is missing")
	if _, ok := o.(*literal); ok {
		panic(p.noField(first))
	}
	slice := func(v *Value, room []byte) (Value, []byte, bool) {
		b := v.Bytes
		at := from
		if at < 0 {
			at += len(b)
		}
		if at < 0 || at > len(b) {
			return Value{}, room, false
		}
		b = b[at:]
		if length >= 0 {
			if length > len(b) {
				return Value{}, room, false // as in Wireshark, an incomplete slice has no value
			}
			b = b[:length]
		}
		return Value{Kind: v.Kind, Bytes: b}, room, len(b) > 0
	}
	if slices.Contains(o.field().Kinds, wire.String) {
		return &derived{operand: o, result: Field{Kinds: []wire.Kind{wire.String, wire.Bytes}}, convert: slice}
	}
	return p.derive(o, first, "a slice", wire.Bytes, slice, byteStrings)
}

// readSlice parses the text between the brackets: where the slice begins and its length, -1 for up to the end.
func readSlice(s string) (from, length int, ok bool) {
	number := func(s string, empty int) int {
		if s == "" {
			return empty
		}
		n, err := strconv.ParseInt(s, 10, 31)
		ok = ok && err == nil
		return int(n)
	}
	ok = s != "" && s != ":"
	if a, b, found := strings.Cut(s, ":"); found {
		return number(a, 0), number(b, -1), ok && !strings.HasPrefix(b, "-")
	}
	if at := strings.LastIndexByte(s, '-'); at > 0 {
		from := number(s[:at], 0)
		return from, number(s[at+1:], -1) - from + 1, ok && number(s[at+1:], -1) >= from && from >= 0
	}
	return number(s, 0), 1, ok
}

// parseMask parses a mask: a number, or the name of a bit.
func (p *parser) parseMask(o operand, first token) operand {
	t := p.take()
	l := newLiteral(t)
	bits := l.number.Num
	if !l.isNumber || l.number.Kind != wire.Uint {
		bit := symbolValue(o.field().Symbols, t.text)
		if bit == nil {
			e := p.errorAt(t, "a mask is a number or the name of a bit")
			e.Nearest = Nearest(t.text, symbolNames(o.field().Symbols))
			if p.schema.Field(t.text) != nil {
				e.Nearest = []string{"&& " + t.text}
			}
			panic(e)
		}
		bits = uint64(*bit)
	}
	if _, ok := o.(*literal); ok {
		panic(p.noField(first))
	}
	whole := func(k wire.Kind) bool { return familyOf(k) == numbers && k != wire.Float }
	if !slices.ContainsFunc(o.field().Kinds, whole) {
		panic(p.errorAt(first, "& wants a whole number, this is %s", article(o.field().Type())))
	}
	d := p.derive(o, first, "&", wire.Uint, func(v *Value, room []byte) (Value, []byte, bool) {
		return Value{Kind: wire.Uint, Num: v.Num & bits}, room, whole(v.Kind)
	}, numbers)
	d.masked = true
	return d
}

// appendText appends a value's text in UTF-8, as the trees show it but without escapes.
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
