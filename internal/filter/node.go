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

// A junction joins nodes. The text of node i is text[from[i]:to[i]].
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

// A presenceTest is true if the operand has a value. With a mask, a value has to have one of its bits set.
type presenceTest struct {
	operand operand
	room    []Value // reused between tests
}

func (p *presenceTest) test(x *Subject) bool {
	p.room = p.operand.values(x, p.room[:0])
	if d, ok := p.operand.(*derived); ok && d.masked {
		return slices.ContainsFunc(p.room, func(v Value) bool { return v.Num != 0 })
	}
	return len(p.room) > 0
}

// A relation compares the values of its left side with a literal, a pattern, a set, or the values of its right side.
type relation struct {
	op      comparator
	every   bool // all values have to fulfil it, not just one
	left    operand
	right   operand
	literal *literal
	pattern *regexp.Regexp
	set     []interval

	lefts, rights []Value // reused between tests, as is text
	text          []byte
}

// An interval is a member of a set, both ends included; high is nil for a single value.
type interval struct{ low, high *literal }

func (r *relation) test(x *Subject) bool {
	r.lefts = r.left.values(x, r.lefts[:0])
	if r.right != nil {
		r.rights = r.right.values(x, r.rights[:0])
		if len(r.rights) == 0 {
			return false
		}
	}
	for i := range r.lefts {
		if is := r.testValue(&r.lefts[i]); is != r.every {
			return is
		}
	}
	return r.every && len(r.lefts) > 0
}

// testValue reports whether a value of the left side fulfils the comparison.
func (r *relation) testValue(v *Value) bool {
	switch {
	case r.pattern != nil:
		r.text = appendText(r.text[:0], v)
		return r.pattern.Match(r.text)
	case r.set != nil:
		return r.inSet(v) == (r.op == in)
	case r.literal != nil:
		if r.op == contains {
			return valueContains(v, r.literal.bytes)
		}
		return r.accepts(r.literal.compare(v))
	}
	for i := range r.rights {
		is := false
		if o := &r.rights[i]; familyOf(v.Kind) == familyOf(o.Kind) {
			if r.op == contains {
				is = valueContains(v, o.Bytes)
			} else {
				is = r.accepts(compareValues(v, o))
			}
		}
		if is != r.every {
			return is
		}
	}
	return r.every
}

func (r *relation) inSet(v *Value) bool {
	for _, s := range r.set {
		c, ok := s.low.compare(v)
		if s.high == nil {
			if ok && c == 0 {
				return true
			}
			continue
		}
		d, ok2 := s.high.compare(v)
		if ok && ok2 && c >= 0 && d <= 0 {
			return true
		}
	}
	return false
}

// accepts reports whether two values fulfil the comparison. c is their order; ok says that they have one.
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
