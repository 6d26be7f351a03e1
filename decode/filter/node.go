package filter

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A node is true or not of a subject.
type node interface {
	test(*Subject) bool
}

type joint uint8

const (
	or joint = iota
	xor
	and
)

// A junction joins nodes. from and to are where each stands in the text.
type junction struct {
	kind     joint
	of       []node
	from, to []int
}

func (j *junction) test(x *Subject) bool {
	odd := false
	for _, n := range j.of {
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

type negation struct{ of node }

func (n *negation) test(x *Subject) bool { return !n.of.test(x) }

// presenceTest is true if the operand has a value; a slice or a mask alone have one unless nothing is left.
type presenceTest struct {
	of   operand
	room []Value
}

func (p *presenceTest) test(x *Subject) bool {
	p.room = p.of.values(x, p.room[:0])
	if d, ok := p.of.(*derived); ok && d.bits {
		return slices.ContainsFunc(p.room, func(v Value) bool { return v.Num != 0 })
	}
	return len(p.room) > 0
}

type comparator uint8

const (
	equal comparator = iota
	unequal
	less
	lessEqual
	greater
	greaterEqual
	contains
	matches
	in
	notIn
)

// comparisons are the signs and words between two sides; every says that all values of a field have to
// fulfil them, where no word in front says otherwise.
var comparisons = map[string]struct {
	op    comparator
	every bool
}{
	"==": {equal, false}, "eq": {equal, false}, "any_eq": {equal, false},
	"===": {equal, true}, "all_eq": {equal, true},
	"!=": {unequal, true}, "ne": {unequal, true}, "all_ne": {unequal, true},
	"!==": {unequal, false}, "~=": {unequal, false}, "any_ne": {unequal, false},
	"<": {less, false}, "lt": {less, false}, "<=": {lessEqual, false}, "le": {lessEqual, false},
	">": {greater, false}, "gt": {greater, false}, ">=": {greaterEqual, false}, "ge": {greaterEqual, false},
	"contains": {contains, false}, "matches": {matches, false}, "~": {matches, false}, "in": {in, false},
}

// comparison takes the sign of a comparison, if one follows.
func (p *parser) comparison() (op struct {
	op    comparator
	every bool
}, ok bool) {
	t := p.peek()
	if t.kind == word && t.text == "not" && p.tokens[p.at+1].text == "in" {
		p.at += 2
		op.op, op.every = notIn, true
		return op, true
	}
	if t.kind == word || t.kind == operator {
		op, ok = comparisons[t.text]
	}
	if ok {
		p.take()
	}
	return op, ok
}

// mirrored is the comparison with its sides changed.
func mirrored(c comparator) comparator {
	switch c {
	case less:
		return greater
	case lessEqual:
		return greaterEqual
	case greater:
		return less
	case greaterEqual:
		return lessEqual
	}
	return c
}

// A relation compares the values of one side with a literal, a pattern, a set or those of the other side.
type relation struct {
	op      comparator
	every   bool
	left    operand
	right   operand
	want    *literal
	pattern *regexp.Regexp
	set     []span

	lefts, rights []Value
	text          []byte
}

// A span is a member of a set; high is nil for a single one.
type span struct{ low, high *literal }

func (r *relation) test(x *Subject) bool {
	r.lefts = r.left.values(x, r.lefts[:0])
	if r.right != nil {
		r.rights = r.right.values(x, r.rights[:0])
		if len(r.rights) == 0 {
			return false
		}
	}
	for i := range r.lefts {
		if is := r.one(&r.lefts[i]); is != r.every {
			return is
		}
	}
	return r.every && len(r.lefts) > 0
}

func (r *relation) one(v *Value) bool {
	switch {
	case r.pattern != nil:
		r.text = appendText(r.text[:0], v)
		return r.pattern.Match(r.text)
	case r.set != nil:
		return r.member(v) == (r.op == in)
	case r.want != nil:
		if r.op == contains {
			return holds(v, r.want.wanted(v))
		}
		return r.ordered(r.want.order(v))
	}
	for i := range r.rights {
		is := false
		if o := &r.rights[i]; family(v.Kind) == family(o.Kind) {
			if r.op == contains {
				is = holds(v, o.Bytes)
			} else {
				is = r.ordered(order(v, o))
			}
		}
		if is != r.every {
			return is
		}
	}
	return r.every
}

// wanted is what a value has to contain.
func (l *literal) wanted(v *Value) []byte {
	if v.Kind == wire.Bytes || l.raw {
		return l.bytes
	}
	return textBytes(l.token.text)
}

func (r *relation) member(v *Value) bool {
	for _, s := range r.set {
		c, ok := s.low.order(v)
		if s.high == nil {
			if ok && c == 0 {
				return true
			}
			continue
		}
		d, ok2 := s.high.order(v)
		if ok && ok2 && c >= 0 && d <= 0 {
			return true
		}
	}
	return false
}

// ordered reports whether two values in this order fulfil the comparison.
func (r *relation) ordered(c int, ok bool) bool {
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

// pattern reads the regular expression behind matches.
func (p *parser) pattern(r *relation, left operand, first token) (node, error) {
	sign := p.tokens[p.at-1]
	t := p.take()
	if t.kind != quoted {
		return nil, p.fail(t, "a regular expression in quotes has to follow")
	}
	if _, ok := left.(*literal); ok {
		return nil, p.noField(first)
	}
	if err := p.checkKinds(matches, sign, left, first); err != nil {
		return nil, err
	}
	re, err := regexp.Compile("(?i)" + t.text)
	if err != nil {
		return nil, p.fail(t, "%s", strings.Replace(err.Error(), "(?i)", "", 1))
	}
	r.left, r.pattern = left, re
	return r, nil
}

// checkKinds finds comparisons that the values of a field do not have.
func (p *parser) checkKinds(op comparator, sign token, left operand, first token) error {
	f := left.field()
	if f.open {
		return nil
	}
	name := p.text[first.off : first.off+first.size]
	for _, k := range f.Kinds {
		if able(op, k, f) {
			return nil
		}
	}
	if f.Type() == presence.String() {
		e := p.fail(sign, "%s has no value to compare, it is there or not", name)
		for _, n := range p.schema.names { // a message may be called like a field of its own
			if path, ok := strings.CutPrefix(n, f.Name+"."); ok && f.Name != "" && strings.HasSuffix(f.Name, "."+path) {
				e.Nearest = append(e.Nearest, n)
			}
		}
		return e
	}
	return p.fail(sign, "%s is %s, that has no %s", name, article(f.Type()), sign.text)
}

func able(op comparator, k wire.Kind, f *Field) bool {
	switch op {
	case less, lessEqual, greater, greaterEqual:
		switch family(k) {
		case numbers, spans, instants, opaques, addresses:
			return true
		}
		return false
	case contains, matches:
		return k == wire.String || k == wire.Bytes || (k == wire.Enum || k == wire.SignedEnum) && (f.named || len(f.Symbols) > 0)
	}
	return family(k) != presence
}

// check finds literals that cannot be compared with a field.
func (p *parser) check(op comparator, sign token, left operand, first token, l *literal) error {
	if err := p.checkKinds(op, sign, left, first); err != nil {
		return err
	}
	f := left.field()
	name := p.text[first.off : first.off+first.size]
	if op >= less && op <= greaterEqual && !l.isNumber && f.named && !hasSymbol(f.Symbols, l.token.text) {
		return p.fail(l.token, "names have no order: == != contains and matches compare them")
	}
	if op == contains {
		if l.token.kind != quoted && !l.isBytes {
			return p.fail(l.token, "a text in quotes has to follow")
		}
		l.raw = l.token.kind == word
		return nil
	}
	fits := false
	for _, k := range f.Kinds {
		fits = fits || able(op, k, f) && l.fits(f, k)
	}
	if !fits {
		e := p.fail(l.token, "%s is %s, not %s", name, article(f.Type()), l.called())
		e.Nearest = Nearest(l.token.text, symbolNames(f.Symbols))
		switch {
		case l.token.kind == word && f.Type() == texts.String():
			e.Reason = fmt.Sprintf("%s is a text: put it in quotes, %q", name, l.token.text)
		case len(f.Symbols) > 0 && !l.isNumber:
			e.Reason = fmt.Sprintf("%s is never %q", name, l.token.text)
		}
		return e
	}
	l.raw = l.token.kind == word && slices.Contains(f.Kinds, wire.Bytes) && slices.Contains(f.Kinds, wire.String)
	if f.known != nil && !slices.Contains(f.known, l.token.text) {
		e := p.fail(l.token, "%s is never %q", name, l.token.text)
		if e.Nearest = Nearest(l.token.text, f.known); len(e.Nearest) == 0 && len(f.known) <= 8 {
			e.Reason += ", but " + strings.Join(f.known, ", ")
		}
		return e
	}
	return nil
}

// called says what a literal looks like, for errors.
func (l *literal) called() string {
	switch {
	case l.token.kind == quoted:
		return "the text " + fmt.Sprintf("%q", l.token.text)
	case l.isNumber:
		return "the number " + l.token.text
	}
	return l.token.text
}

// Echo reports whether the filter says no more than that a field equals a bound name, as in cookie == $cookie.
func (f *Filter) Echo() (field *Field, binding int, ok bool) {
	r, ok := f.root.(*relation)
	if !ok || r.op != equal || r.every {
		return nil, 0, false
	}
	left, ok := r.left.(*fieldOperand)
	right, ok2 := r.right.(*boundOperand)
	if !ok || !ok2 {
		return nil, 0, false
	}
	return left.of, right.index, true
}

// Explain says why the filter is not true of a subject: what the fields are that it compares.
func (f *Filter) Explain(x *Subject) string {
	r, ok := f.root.(*relation)
	if !ok {
		return f.text + " is not true"
	}
	text := f.text + ": it is " + listed(r.left.values(x, nil))
	if r.right != nil {
		text += ", the other is " + listed(r.right.values(x, nil))
	}
	return text
}

// listed writes values for people.
func listed(values []Value) string {
	const most = 5
	var list []string
	for i := range values {
		if i == most {
			list = append(list, "...")
			break
		}
		list = append(list, values[i].String())
	}
	if len(list) == 0 {
		return "not there"
	}
	return strings.Join(list, ", ")
}
