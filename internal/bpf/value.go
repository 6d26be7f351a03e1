package bpf

// A value is a number that a filter computes: a constant, a load, or an operation on two values.
type value struct {
	kind      valueKind
	k         uint32 // for constant
	load      load
	index     *value // added to the load's offset; nil: none
	operation uint16 // subtract, shiftLeft ...
	a, b      *value
	before    *node  // a condition without which the loads mean nothing; nil: none
	words     uint32 // words of BPF memory that the computation uses
}

type valueKind uint8

const (
	constant valueKind = iota
	loaded
	computed
)

// operators are the operators on numbers, with their levels of precedence.
var operators = map[string]struct {
	operation uint16
	level     int
}{
	"|": {or, 1}, "&": {and, 2}, "<<": {shiftLeft, 3}, ">>": {shiftRight, 3}, "+": {add, 4}, "-": {subtract, 4},
	"*": {multiply, 5}, "/": {divide, 5}, "%": {modulo, unordered}, "^": {xor, unordered},
}

// unordered is the level of operators whose precedence differs between libpcap and C. They need parentheses.
const unordered = 0

// arithmetic parses a value with operators of at least the given level.
func (p *parser) arithmetic(level int) *value {
	a := p.operand()
	for first := true; ; first = false {
		t := p.peek()
		o, ok := operators[t.text]
		if !ok || t.kind != sign || o.level != unordered && o.level < level {
			return a
		}
		p.at++
		var b *value
		if o.level != unordered {
			b = p.arithmetic(o.level + 1)
		} else if b = p.operand(); !first || level > 1 || p.isOperator(p.peek()) {
			p.fail(t, "put %s and its operands in parentheses", t.text)
		}
		a = p.calculate(t, o.operation, a, b)
	}
}

func (p *parser) isOperator(t token) bool {
	_, ok := operators[t.text]
	return ok && t.kind == sign
}

// operand parses a number, bytes, a length, or a value in parentheses.
func (p *parser) operand() *value {
	switch t := p.next(); {
	case t.kind == number:
		return &value{k: t.number}
	case t.is(sign, "-"):
		return p.calculate(t, subtract, &value{}, p.operand())
	case t.is(sign, "("):
		v := p.arithmetic(1)
		p.want(sign, ")")
		return v
	case t.is(word, "len"), t.is(word, "length"):
		return &value{kind: loaded, load: load{kind: wireLength}, before: yes}
	case t.kind == word && p.takes(sign, "["):
		return p.bytes(t)
	default:
		p.unexpected(t, "a number")
		return &value{}
	}
}

// bytes parses an expression such as tcp[13] or ip[6:2], starting after the bracket.
func (p *parser) bytes(t token) *value {
	v := &value{kind: loaded}
	index := p.arithmetic(1)
	size := uint16(sizeByte)
	if p.takes(sign, ":") {
		switch n := p.next(); {
		case n.kind != number || n.number != 1 && n.number != 2 && n.number != 4:
			p.unexpected(n, "1, 2 or 4")
		case n.number == 2:
			size = sizeHalf
		case n.number == 4:
			size = sizeWord
		}
	}
	p.want(sign, "]")
	f := p.frame
	ip, isIP := ipProtocols[t.text]
	ether, isEther := etherTypes[t.text]
	switch {
	case t.text == "ether" || t.text == "link":
		v.before, v.load = yes, at(size, f.header)
	case isEther:
		v.before, v.load = f.carries(ether), f.in(size, 0)
	case ip.indexed && ip.version == 6:
		v.before, v.load = all(f.ip6(), f.ip6Carries(ip.number)), f.in(size, 40)
	case ip.indexed:
		v.before = all(f.protocol4(ip.number), f.whole())
		v.load = f.afterIP4(size, 0)
	case isIP || isKeyword(t.text):
		p.fail(t, "filters cannot read the bytes of %s", t.text)
	default:
		p.unexpected(t, "a protocol")
	}
	switch {
	case index.kind != constant:
		v.index, v.words, v.before = index, index.words, all(index.guard(), v.before)
		if v.load.varied {
			v.words = max(v.words, 1)
		}
	case index.k > 0xffff:
		p.fail(t, "%s[%d] is in no packet", t.text, index.k)
	default:
		v.load.off += index.k
	}
	return v
}

func (v *value) guard() *node {
	if v.before == nil {
		return yes
	}
	return v.before
}

// calculate combines two values. If both are constant, it computes the result.
func (p *parser) calculate(t token, operation uint16, a, b *value) *value {
	switch {
	case (operation == divide || operation == modulo) && b.kind == constant && b.k == 0:
		p.fail(t, "a division by zero")
	case (operation == shiftLeft || operation == shiftRight) && (b.kind != constant || b.k > 31):
		p.fail(t, "the number of bits to shift by must be from 0 to 31")
	case a.kind == constant && b.kind == constant:
		k, _ := calculate(operation, a.k, b.k)
		return &value{k: k}
	}
	v := &value{kind: computed, operation: operation, a: a, b: b, before: all(a.guard(), b.guard()), words: a.words}
	if b.kind != constant {
		v.words = max(a.words, b.words+1)
	}
	if v.words >= memoryWords {
		p.fail(t, "the calculation has more than %d intermediate results", memoryWords-1)
	}
	return v
}

// A relation is an operation, possibly negated.
type relation struct {
	operation uint16
	negated   bool
}

var comparisons = map[string]relation{
	"=": {equal, false}, "==": {equal, false}, "!=": {equal, true},
	">": {greater, false}, ">=": {atLeast, false}, "<": {atLeast, true}, "<=": {greater, true},
}

// comparison parses two values and the relation between them.
func (p *parser) comparison() *node {
	a := p.arithmetic(1)
	t := p.next()
	how, ok := comparisons[t.text]
	if !ok || t.kind != sign {
		return p.unexpected(t, "a comparison")
	}
	b := p.arithmetic(1)
	if b.kind != constant && max(a.words, b.words+1) >= memoryWords {
		return p.fail(t, "the calculation has more than %d intermediate results", memoryWords-1)
	}
	n := &node{test: test{load: load{kind: noLoad}, operation: how.operation, a: a, b: b}}
	if l, mask, ok := a.simple(); ok && b.kind == constant {
		n.test = test{load: l, mask: mask, operation: how.operation, k: b.k}
	}
	if how.negated {
		n = not(n)
	}
	return all(a.guard(), b.guard(), n)
}

// simple reports whether a value is only a load, possibly with a mask.
func (v *value) simple() (l load, mask uint32, ok bool) {
	if v.kind == computed && v.operation == and && v.b.kind == constant {
		v, mask = v.a, v.b.k
	} else {
		mask = allBits
	}
	return v.load, mask, v.kind == loaded && v.index == nil
}

// code appends code that computes the value into register A. Memory words below depth are in use and stay unchanged.
func (v *value) code(c []RawInstruction, depth uint32) []RawInstruction {
	switch {
	case v.kind == constant:
		return append(c, RawInstruction{Op: classLoad | modeImmediate, K: v.k})
	case v.kind == computed && v.b.kind == constant:
		return append(v.a.code(c, depth), RawInstruction{Op: classArithmetic | v.operation, K: v.b.k})
	case v.kind == computed:
		return append(pair(c, v.a, v.b, depth), RawInstruction{Op: classArithmetic | fromX | v.operation})
	}
	l, mode := v.load, uint16(modeAbsolute)
	if v.index != nil {
		c, mode = v.index.code(c, depth), modeIndirect
	}
	switch {
	case l.kind == wireLength:
		return append(c, RawInstruction{Op: classLoad | modeLength})
	case l.varied:
		mode = modeIndirect
		if v.index == nil {
			c = l.base(c)
			break
		}
		c = l.base(append(c, RawInstruction{Op: classStore, K: depth}))
		c = append(c, RawInstruction{Op: classLoad | modeMemory, K: depth},
			RawInstruction{Op: classArithmetic | add | fromX}, RawInstruction{Op: classMove | copyAToX})
	case l.kind == afterHeader:
		c, mode = append(c, RawInstruction{Op: classLoadX | modeHeader | sizeByte, K: l.header}), modeIndirect
		if v.index != nil {
			c = append(c, RawInstruction{Op: classArithmetic | add | fromX}, RawInstruction{Op: classMove | copyAToX})
		}
	case v.index != nil:
		c = append(c, RawInstruction{Op: classMove | copyAToX})
	}
	return append(c, RawInstruction{Op: classLoad | mode | l.size, K: l.off})
}

// base appends code that computes the base of a varied load's offset into register X.
func (l load) base(c []RawInstruction) []RawInstruction {
	const units, padded = 3, ^uint32(3)
	c = append(c, RawInstruction{Op: classLoad | modeAbsolute | sizeByte},
		RawInstruction{Op: classArithmetic | add, K: units}, RawInstruction{Op: classArithmetic | and, K: padded},
		RawInstruction{Op: classMove | copyAToX})
	if l.kind != afterHeader {
		return c
	}
	const headerWords, shift = 0x0f, 2
	return append(c, RawInstruction{Op: classLoad | modeIndirect | sizeByte, K: l.header},
		RawInstruction{Op: classArithmetic | and, K: headerWords}, RawInstruction{Op: classArithmetic | shiftLeft, K: shift},
		RawInstruction{Op: classArithmetic | add | fromX}, RawInstruction{Op: classMove | copyAToX})
}

// pair appends code that computes a into register A and b into X.
func pair(c []RawInstruction, a, b *value, depth uint32) []RawInstruction {
	c = append(a.code(c, depth), RawInstruction{Op: classStore, K: depth})
	c = b.code(c, depth+1)
	return append(c, RawInstruction{Op: classMove | copyAToX}, RawInstruction{Op: classLoad | modeMemory, K: depth})
}
