package filter

import (
	"regexp"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

type node interface {
	test(*Subject) bool
}

type connective uint8

const (
	or connective = iota
	xor
	and
)

// A junction joins conditions with an operator. The text of nodes[i] is text[from[i]:to[i]].
type junction struct {
	kind     connective
	nodes    []node
	from, to []int
}

func (j *junction) test(x *Subject) bool {
	odd := false
	for _, n := range j.nodes {
		is := n.test(x)
		switch {
		case j.kind == or && is:
			return true
		case j.kind == and && !is:
			return false
		}
		odd = odd != is
	}
	return j.kind == and || j.kind == xor && odd
}

type negation struct{ node node }

func (n *negation) test(x *Subject) bool { return !n.node.test(x) }

// A presenceTest is true if the operand has a value. For an expression with &, one of the mask's bits must be set in a
// value.
type presenceTest struct {
	operand operand
	room    []Value // reused for each test
}

func (p *presenceTest) test(x *Subject) bool {
	p.room = p.operand.values(x, p.room[:0])
	if isMask(p.operand) {
		return slices.ContainsFunc(p.room, anyBit)
	}
	return len(p.room) > 0
}

// A chain is a comparison such as a < b < c. It is true if all of its parts are true.
type chain []*relation

func (c chain) test(x *Subject) bool {
	for _, r := range c {
		if !r.test(x) {
			return false
		}
	}
	return true
}

// A relation compares the values of its left side with a literal, a pattern, a set, or the values of its right side.
type relation struct {
	op      comparator
	every   bool // all values of the left side must match, not only one
	left    operand
	right   operand
	literal *literal
	pattern *regexp.Regexp
	set     []interval

	lefts, rights []Value // reused for each test, like text
	text          []byte
}

func (r *relation) test(x *Subject) bool {
	r.lefts = r.left.values(x, r.lefts[:0])
	if r.right != nil {
		r.rights = r.right.values(x, r.rights[:0])
		if len(r.rights) == 0 {
			return false
		}
	}
	for i := range r.lefts {
		if is := r.testValue(x, &r.lefts[i]); is != r.every {
			return is
		}
	}
	return r.every && (len(r.lefts) > 0 || r.op == notIn)
}

// testValue reports whether a value of the left side matches the right side.
func (r *relation) testValue(x *Subject, v *Value) bool {
	switch {
	case r.pattern != nil:
		r.text = appendText(r.text[:0], v)
		return r.pattern.Match(r.text)
	case r.set != nil:
		return r.inSet(x, v) == (r.op == in)
	case r.literal != nil:
		if r.op == contains {
			return valueContains(v, r.literal.searched())
		}
		return r.accepts(r.literal.compare(v))
	}
	for i := range r.rights {
		if is := r.testPair(v, &r.rights[i]); is != r.every {
			return is
		}
	}
	return r.every
}

// testPair compares a value of the left side with a value of the right side.
func (r *relation) testPair(v, o *Value) bool {
	if r.op == contains {
		return valueContains(v, o.Bytes)
	}
	return familyOf(v.Kind) == familyOf(o.Kind) && r.accepts(compareValues(v, o))
}

// accepts reports whether two values match. c is the result of comparing them; if ok is false, they cannot be compared.
func (r *relation) accepts(c int, ok bool) bool {
	switch r.op {
	case equal:
		return ok && c == 0
	case unequal:
		return !ok || c != 0
	case less:
		return ok && c < 0
	case lessEqual:
		return ok && c <= 0
	case greater:
		return ok && c > 0
	}
	return ok && c >= 0
}

func comparableBy(op comparator, k wire.Kind, f *Field) bool {
	switch op {
	case less, lessEqual, greater, greaterEqual:
		return familyOf(k) != presence
	case contains, matches:
		return k == wire.String || k == wire.Bytes || k == MAC ||
			(k == wire.Enum || k == wire.SignedEnum) && (f.named || len(f.Symbols) > 0)
	}
	return familyOf(k) != presence
}

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

// haveContents reports whether a value of field a can contain a value of field b.
func haveContents(a, b *Field) bool {
	return (hasFamily(a, texts) || hasFamily(a, byteStrings)) &&
		(hasFamily(b, texts) || hasFamily(b, byteStrings) || hasFamily(b, addresses))
}
