package filter

import (
	"math"
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// An argument is a function's argument, with its first token.
type argument struct {
	operand
	at token
}

// A function makes an operand from its arguments.
type function struct {
	most int // maximum number of arguments; 0: no maximum
	make func(p *parser, a []argument) operand
}

var functions map[string]*function

func init() {
	functions = map[string]*function{
		"len":    {1, ofOne("len", wire.Uint, valueLength, texts, byteStrings, addresses)},
		"count":  {1, func(_ *parser, a []argument) operand { return &counted{operand: a[0].operand} }},
		"lower":  {1, ofOne("lower", wire.String, changeCase('A', 'Z', 'a'), texts)},
		"upper":  {1, ofOne("upper", wire.String, changeCase('a', 'z', 'A'), texts)},
		"string": {1, ofOne("string", wire.String, valueString, numbers, truths, addresses, durations, times, byteStrings)},
		"dec":    {1, ofOne("dec", wire.String, valueString, numbers)},
		"hex":    {1, ofOne("hex", wire.String, valueHex, numbers)},
		"vals":   {1, ofOne("vals", wire.String, valueName, numbers)},
		"abs":    {1, makeAbs},
		"double": {1, ofOne("double", Double, valueDouble, numbers, durations, times)},
		"float":  {1, ofOne("float", wire.Float, valueFloat, numbers, durations, times)},
		"min":    {0, func(p *parser, a []argument) operand { return p.extreme(a, -1) }},
		"max":    {0, func(p *parser, a []argument) operand { return p.extreme(a, 1) }},

		"ip_multicast": {1, ofOne("ip_multicast", wire.Boolean, addressIs(netip.Addr.IsMulticast), addresses)},
		"ip_linklocal": {1, ofOne("ip_linklocal", wire.Boolean, addressIs(netip.Addr.IsLinkLocalUnicast), addresses)},
		"ip_rfc1918": {1, ofOne("ip_rfc1918", wire.Boolean,
			addressIs(func(a netip.Addr) bool { return a.Is4() && a.IsPrivate() }), addresses)},
		"ip_ula": {1, ofOne("ip_ula", wire.Boolean,
			addressIs(func(a netip.Addr) bool { return a.Is6() && a.IsPrivate() }), addresses)},
	}
}

// ofOne returns a function that has one argument and converts each value of that argument.
func ofOne(name string, k wire.Kind, convert converter, of ...family) func(*parser, []argument) operand {
	return func(p *parser, a []argument) operand { return p.derive(a[0].operand, a[0].at, name, k, convert, of...) }
}

func (p *parser) parseCall(t token, f *function) operand {
	p.take()
	p.nest(t)
	defer func() { p.depth-- }()
	var args []argument
	literals := 0
	for more := true; more; more = p.takes(",") {
		at := p.peek()
		o := p.parseArithmetic(nil)
		if _, ok := o.(*literal); ok {
			literals++
		}
		args = append(args, argument{o, at})
	}
	p.require(")", "a closing parenthesis is missing")
	if f.most > 0 && len(args) > f.most {
		panic(p.errorAt(args[f.most].at, "%s has one argument", t.text))
	}
	if literals < len(args) {
		return f.make(p, args)
	}
	return p.callOfLiterals(t, f, args)
}

// callOfLiterals returns the result of a function as a literal if all arguments are literals.
func (p *parser) callOfLiterals(t token, f *function, args []argument) operand {
	for i := range args {
		switch l := args[i].operand.(*literal); {
		case l.token.kind == quoted:
			args[i].operand = newConstant(Value{Kind: wire.String, Bytes: textBytes(l.token.text)})
		case l.isNumber:
			args[i].operand = newConstant(l.number)
		default:
			panic(p.noField(args[i].at))
		}
	}
	v := f.make(p, args).values(nil, nil)
	last := p.taken()
	switch {
	case len(v) == 0:
		panic(p.errorAt(t, "there is no result"))
	case v[0].Kind == wire.String:
		return newLiteral(token{kind: quoted, text: string(v[0].Bytes), off: t.off, size: last.off + last.size - t.off})
	}
	return p.computedLiteral(v[0], t)
}

type counted struct {
	operand
	room []Value
}

var anyNumber = Field{Kinds: []wire.Kind{wire.Uint}, computed: true}

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

// changeCase returns a converter that changes the ASCII letters from first to last to the other case. The counterpart
// of first is other.
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

func valueLength(v *Value, room []byte) (Value, []byte, bool) {
	return Value{Kind: wire.Uint, Num: uint64(len(v.Bytes))}, room, true
}

func valueString(v *Value, room []byte) (Value, []byte, bool) {
	start := len(room)
	room = v.Append(room)
	return Value{Kind: wire.String, Bytes: room[start:]}, room, true
}

func valueHex(v *Value, room []byte) (Value, []byte, bool) {
	start := len(room)
	room = strconv.AppendUint(append(room, "0x"...), v.Num, 16)
	return Value{Kind: wire.String, Bytes: room[start:]}, room, !v.fractional()
}

func valueName(v *Value, room []byte) (Value, []byte, bool) {
	name := v.name()
	return Value{Kind: wire.String, Bytes: name}, room, len(name) > 0
}

func valueDouble(v *Value, room []byte) (Value, []byte, bool) {
	return doubleValue(v.asNumber()), room, true
}

func valueFloat(v *Value, room []byte) (Value, []byte, bool) {
	return floatValue(float32(v.asNumber())), room, true
}

// asNumber returns the value as a number. Durations and times become seconds.
func (v *Value) asNumber() float64 {
	if v.Kind == Duration || v.Kind == Time {
		return float64(int64(v.Num)) / 1e9
	}
	return v.float()
}

func addressIs(is func(netip.Addr) bool) converter {
	return func(v *Value, room []byte) (Value, []byte, bool) {
		return Value{Kind: wire.Boolean, Num: truthNumber(is(v.address()))}, room, true
	}
}

func makeAbs(p *parser, a []argument) operand {
	kind := wire.Int
	if hasFamily(a[0].field(), durations) {
		kind = Duration
	}
	d := p.derive(a[0].operand, a[0].at, "abs", kind, absolute, numbers, durations)
	if kind == wire.Int {
		d.result.Kinds = []wire.Kind{wire.Int, Double}
	}
	return d
}

func absolute(v *Value, room []byte) (Value, []byte, bool) {
	switch n := int64(v.Num); {
	case v.fractional():
		return doubleValue(math.Abs(v.float())), room, true
	case v.Kind == Duration:
		return Value{Kind: Duration, Num: uint64(max(n, -n))}, room, true
	case v.negative():
		return Value{Kind: wire.Uint, Num: uint64(-n)}, room, true
	}
	return Value{Kind: wire.Uint, Num: v.Num}, room, true
}

// A best is the smallest or the largest value of several operands.
type best struct {
	of   []operand
	sign int // the result of comparing a better value with the best one so far
	room []Value
	kind Field
}

func (b *best) field() *Field { return &b.kind }

func (b *best) values(x *Subject, v []Value) []Value {
	b.room = b.room[:0]
	for _, o := range b.of {
		b.room = o.values(x, b.room)
	}
	found := -1
	for i := range b.room {
		if found < 0 {
			found = i
		} else if c, ok := compareValues(&b.room[i], &b.room[found]); ok && c == b.sign {
			found = i
		}
	}
	if found < 0 {
		return v
	}
	return append(v, b.room[found])
}

// extreme returns min or max. Literals get the type of the first field among the arguments.
func (p *parser) extreme(args []argument, sign int) operand {
	b := &best{sign: sign}
	for _, a := range args {
		if _, ok := a.operand.(*literal); !ok && b.kind.Kinds == nil {
			b.kind = Field{Kinds: a.field().Kinds, Symbols: a.field().Symbols, computed: true}
		}
	}
	for _, a := range args {
		if l, ok := a.operand.(*literal); ok {
			a.operand = p.constantBeside(l, &b.kind, token{text: "+"}, false)
		}
		p.numeric(a.operand, a.at, token{text: "min and max"})
		if !haveComparableKinds(&b.kind, a.field()) {
			panic(p.errorAt(a.at, "min and max take values of one type: the first is %s, this is %s",
				article(b.kind.Type()), article(a.field().Type())))
		}
		b.of = append(b.of, a.operand)
	}
	return b
}
