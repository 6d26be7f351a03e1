package filter

import (
	"math"
	"math/bits"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// parseArithmetic parses one side of a comparison. The operators are, from the lowest to the highest precedence: & with
// its synonyms, + and -, * / %, and the sign. Braces group expressions.
func (p *parser) parseArithmetic(other operand) operand {
	first := p.peek()
	o := p.parseSum(other)
	for p.takes("&", "bitand", "bitwise_and") {
		o = p.parseMask(o, first)
	}
	return o
}

func (p *parser) parseSum(other operand) operand {
	return p.parseChain(other, p.parseProduct, "+", "-")
}

func (p *parser) parseProduct(other operand) operand {
	return p.parseChain(other, p.parseSigned, "*", "/", "%")
}

func (p *parser) parseChain(other operand, part func(operand) operand, signs ...string) operand {
	first := p.peek()
	o := part(other)
	for p.takes(signs...) {
		sign := p.taken()
		second := p.peek()
		right := part(other)
		o = p.binary(sign, o, right, first, second)
	}
	return o
}

// parseSigned parses an operand with any signs before it, or an expression in braces.
func (p *parser) parseSigned(other operand) operand {
	first := p.peek()
	if !p.takes("+", "-", "{") {
		return p.parseEntity(other)
	}
	p.nest(first)
	defer func() { p.depth-- }()
	switch first.text {
	case "+":
		return p.numeric(p.parseSigned(other), first, first)
	case "-":
		return p.negate(p.parseSigned(other), first)
	}
	o := p.parseArithmetic(other)
	p.require("}", "a closing brace is missing")
	return o
}

// numeric checks that arithmetic is possible with an operand.
func (p *parser) numeric(o operand, at, sign token) operand {
	f := o.field()
	if l, ok := o.(*literal); ok && (l.isNumber || l.isDuration || l.isTime) || f.open ||
		hasFamily(f, numbers) || hasFamily(f, durations) || hasFamily(f, times) {
		return o
	}
	if l, ok := o.(*literal); ok {
		panic(p.errorAt(at, "%s needs a number, not %s", sign.text, l.called()))
	}
	panic(p.errorAt(at, "%s needs a number, this is %s", sign.text, article(f.Type())))
}

func (p *parser) negate(o operand, sign token) operand {
	if l, ok := o.(*literal); ok && l.token.kind == word {
		t := token{kind: word, text: "-" + l.token.text, off: sign.off, size: l.token.off + l.token.size - sign.off}
		return newLiteral(t)
	}
	at := p.taken()
	zero := newConstant(Value{Kind: wire.Int})
	if hasFamily(o.field(), durations) {
		zero = newConstant(Value{Kind: Duration})
	}
	return p.binary(sign, zero, o, sign, at)
}

// A calculation combines each value of its left side with each value of its right side.
type calculation struct {
	sign        byte
	left, right operand
	result      Field
	rights      []Value
	room        []byte
}

func (c *calculation) field() *Field { return &c.result }

func (c *calculation) values(x *Subject, v []Value) []Value {
	c.rights = c.right.values(x, c.rights[:0])
	c.room = c.room[:0]
	from := len(v)
	v = c.left.values(x, v)
	to := len(v)
	for i := from; i < to; i++ {
		for j := range c.rights {
			if r, ok := c.combine(v[i], c.rights[j]); ok {
				v = append(v, r)
			}
		}
	}
	return slices.Delete(v, from, to)
}

func (c *calculation) combine(a, b Value) (Value, bool) {
	if c.sign == '&' && familyOf(a.Kind) == byteStrings {
		return c.maskBytes(a, b)
	}
	return calculate(c.sign, &a, &b)
}

// maskBytes applies & to two byte strings, which must have the same length.
func (c *calculation) maskBytes(a, b Value) (Value, bool) {
	start := len(c.room)
	if len(a.Bytes) != len(b.Bytes) {
		return Value{}, false
	}
	for i, x := range a.Bytes {
		c.room = append(c.room, x&b.Bytes[i])
	}
	return Value{Kind: wire.Bytes, Bytes: c.room[start:]}, true
}

// binary joins two operands with an operator. If both are literals, it computes the result.
func (p *parser) binary(sign token, left, right operand, first, second token) operand {
	l, leftIs := left.(*literal)
	r, rightIs := right.(*literal)
	p.numeric(left, first, sign)
	p.numeric(right, second, sign)
	switch {
	case leftIs && rightIs:
		return p.fold(sign, l, r, first)
	case leftIs:
		left = p.constantBeside(l, right.field(), sign, true)
	case rightIs:
		right = p.constantBeside(r, left.field(), sign, false)
	}
	kinds := resultKinds(sign.text[0], left.field(), right.field())
	if kinds == nil {
		panic(p.errorAt(sign, "%s and %s have no %s", article(left.field().Type()), article(right.field().Type()), sign.text))
	}
	return &calculation{sign: sign.text[0], left: left, right: right, result: Field{Kinds: kinds, computed: true}}
}

func (p *parser) fold(sign token, l, r *literal, first token) operand {
	if l.isNumber && r.isNumber {
		if v, ok := calculate(sign.text[0], &l.number, &r.number); ok {
			return p.computedLiteral(v, first)
		}
		panic(p.errorAt(sign, "there is no result"))
	}
	panic(p.errorAt(first, "arithmetic needs numbers, but %s and %s are not both numbers", l.called(), r.called()))
}

// constantBeside converts a literal to a constant for arithmetic with the field.
func (p *parser) constantBeside(l *literal, f *Field, sign token, left bool) operand {
	scales := sign.text == "*" || sign.text == "/" || sign.text == "%"
	switch {
	case hasFamily(f, durations) && !scales && l.isDuration,
		hasFamily(f, times) && !left && l.isDuration && !(sign.text == "-" && l.token.kind == quoted):
		return newConstant(Value{Kind: Duration, Num: uint64(l.duration)})
	case hasFamily(f, times) && l.isTime:
		return newConstant(Value{Kind: Time, Num: uint64(l.instant)})
	case l.isNumber:
		return newConstant(l.number)
	}
	panic(p.errorAt(l.token, "%s needs a number, not %s", sign.text, l.called()))
}

// resultKinds returns the kinds of values that an operator yields for two fields, or nil if the operator does not apply
// to them.
func resultKinds(sign byte, a, b *Field) []wire.Kind {
	is := func(x, y family) bool { return hasFamily(a, x) && hasFamily(b, y) }
	sum, scale := sign == '+' || sign == '-', sign == '*' || sign == '/'
	switch {
	case a.open || b.open || is(numbers, numbers):
		return []wire.Kind{wire.Int, Double}
	case sum && is(durations, durations), scale && is(durations, numbers), sign == '*' && is(numbers, durations),
		sign == '-' && is(times, times):
		return []wire.Kind{Duration}
	case sum && is(times, durations), sign == '+' && is(durations, times):
		return []wire.Kind{Time}
	case sign == '/' && is(durations, durations):
		return []wire.Kind{Double}
	}
	return nil
}

// calculate applies an operator to two values. ok is false if there is no result, for example for a division by zero.
func calculate(sign byte, a, b *Value) (v Value, ok bool) {
	x, y := familyOf(a.Kind), familyOf(b.Kind)
	switch {
	case x == numbers && y == numbers:
		return calculateNumbers(sign, a, b)
	case (sign == '+' || sign == '-') && x >= durations && y >= durations:
		return calculateTimes(sign, a, b)
	case sign == '/' && x == durations && y == durations:
		return doubleValue(a.float() / b.float()), int64(b.Num) != 0
	case sign == '*' && y == durations:
		return calculate(sign, b, a)
	case x == durations && y == numbers && (sign == '*' || sign == '/'):
		factor := b.float()
		if sign == '/' {
			factor = 1 / factor
		}
		n := math.Round(float64(int64(a.Num)) * factor)
		return Value{Kind: Duration, Num: uint64(int64(n))}, math.Abs(n) < math.MaxInt64
	}
	return Value{}, false
}

func calculateTimes(sign byte, a, b *Value) (Value, bool) {
	kind := Duration
	if (a.Kind == Time) != (b.Kind == Time) {
		kind = Time
	}
	x, y := int64(a.Num), int64(b.Num)
	if sign == '-' {
		y = -y
	}
	sum := x + y
	return Value{Kind: kind, Num: uint64(sum)}, (x < 0) != (y < 0) || (sum < 0) == (x < 0)
}

// calculateNumbers uses integer arithmetic if both values are integers and the result fits in 64 bits. Otherwise it
// uses floating point.
func calculateNumbers(sign byte, a, b *Value) (Value, bool) {
	if !a.fractional() && !b.fractional() {
		if v, ok := calculateWhole(sign, a, b); ok {
			return v, true
		}
	}
	x, y := a.float(), b.float()
	switch sign {
	case '+':
		return doubleValue(x + y), true
	case '-':
		return doubleValue(x - y), true
	case '*':
		return doubleValue(x * y), true
	case '/':
		return doubleValue(x / y), y != 0
	}
	return Value{}, false // & and % need integers
}

func calculateWhole(sign byte, a, b *Value) (Value, bool) {
	if sign == '&' {
		return Value{Kind: wire.Uint, Num: a.Num & b.Num}, true
	}
	x, y := int64(a.Num), int64(b.Num)
	if !a.negative() && x < 0 || !b.negative() && y < 0 {
		return Value{}, false // too large for an int64
	}
	n := x
	switch sign {
	case '+':
		n += y
	case '-':
		n -= y
	case '*':
		n *= y
	case '/', '%':
		return divideWhole(sign, x, y)
	}
	return Value{Kind: wire.Int, Num: uint64(n)}, bits.Len64(magnitude(x))+bits.Len64(magnitude(y)) < 63
}

func divideWhole(sign byte, x, y int64) (Value, bool) {
	switch {
	case y == 0:
		return Value{}, false
	case sign == '/':
		return Value{Kind: wire.Int, Num: uint64(x / y)}, true
	}
	return Value{Kind: wire.Int, Num: uint64(x % y)}, true
}

func magnitude(n int64) uint64 { return uint64(max(n, -n)) }
