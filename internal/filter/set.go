package filter

// A member of a set is a literal or an operand. An operand stands for all of its values.
type member struct {
	literal *literal
	operand operand
	room    []Value
}

// An interval is an element of a set. It includes its limits. For a single value, high is nil.
type interval struct{ low, high *member }

// parseSet parses { 1, 2, 5 .. 9 }.
func (p *parser) parseSet(r *relation, left operand, first token) {
	sign := p.taken()
	if _, ok := left.(*literal); ok {
		panic(p.noField(first))
	}
	if !p.takes("{") {
		panic(p.propose(p.errorAt(p.peek(), "a set must follow: {1, 2, 5..9}"), p.mended(p.left, p.sign)))
	}
	r.left = left
	for more := true; more; more = !p.takes("}") {
		if len(r.set) > 0 {
			if t := p.peek(); t.kind == endOfFilter || t.kind == operator && t.text != "-" && t.text != "+" {
				panic(p.errorAt(t, "a comma or a closing brace is missing"))
			}
			p.takes(",") // commas are optional
		}
		r.set = append(r.set, p.parseInterval(sign, left, first))
	}
}

// parseInterval parses an element of a set: a value or a range such as 5..9, 5 .. 9, 5.. 9 or 5 ..9.
func (p *parser) parseInterval(sign token, left operand, first token) interval {
	t := p.peek()
	if t.kind == operator && t.text == ".." {
		panic(p.errorAt(t, "the range has no beginning"))
	}
	i := interval{low: p.parseMember(left, "a value is missing here")}
	op := equal
	if p.takes("..") {
		op = less // ranges need values with an order
		if end := p.peek(); isField(end.text) && end.kind == word {
			p.proposeFraction(end, t)
		}
		i.high = p.parseMember(left, "the range has no end")
		p.checkMember(op, sign, left, first, i.high)
	}
	p.checkMember(op, sign, left, first, i.low)
	if i.high != nil && i.low.literal != nil && i.high.literal != nil && i.backward(left.field()) {
		low, high := i.low.literal.token, i.high.literal.token
		e := p.errorAt(low, "the range ends before it begins")
		panic(p.propose(e, p.left+" "+sign.text+" {"+p.source(high)+".."+p.source(low)+"}"))
	}
	return i
}

// proposeFraction reports a range such as 0.1...7, whose upper limit looks like the name of a field. It proposes a
// fraction with a digit before its point.
func (p *parser) proposeFraction(end, low token) {
	e := p.errorAt(end, "there is no field %q; a number needs a digit before its point", end.text)
	panic(p.propose(e, p.left+" in {"+p.source(low)+" .. 0"+end.text+"}"))
}

func (p *parser) parseMember(left operand, missing string) *member {
	if t := p.peek(); t.kind == endOfFilter || t.kind == bracket && t.text != "{" {
		panic(p.errorAt(t, "%s", missing))
	}
	o := p.parseSum(left)
	if l, ok := o.(*literal); ok {
		return &member{literal: l}
	}
	return &member{operand: o}
}

func (p *parser) checkMember(op comparator, sign token, left operand, first token, m *member) {
	if m.literal != nil {
		p.checkLiteral(op, sign, left, first, m.literal)
		return
	}
	p.checkKinds(op, sign, left, first)
	if !haveComparableKinds(left.field(), m.operand.field()) {
		panic(p.errorAt(p.taken(), "%s is %s, this is %s",
			p.source(first), article(left.field().Type()), article(m.operand.field().Type())))
	}
}

// backward reports whether the range is empty because its limits are in the wrong order.
func (i *interval) backward(f *Field) bool {
	low, high := i.low.literal, i.high.literal
	switch {
	case hasFamily(f, numbers) && low.isNumber && high.isNumber:
		c, ok := compareValues(&low.number, &high.number)
		return ok && c > 0
	case hasFamily(f, byteStrings) && low.isBytes && high.isBytes:
		c, ok := high.compare(&Value{Kind: MAC, Bytes: low.bytes})
		return ok && c > 0
	case hasFamily(f, durations) && low.isDuration && high.isDuration:
		return low.duration > high.duration
	case hasFamily(f, addresses) && low.prefix.IsValid() && high.prefix.IsValid():
		return low.prefix.Addr().Compare(high.prefix.Addr()) > 0
	}
	return false
}

func (r *relation) inSet(x *Subject, v *Value) bool {
	for i := range r.set {
		s := &r.set[i]
		if s.high == nil {
			if s.low.is(x, v, func(c int) bool { return c == 0 }) {
				return true
			}
			continue
		}
		if s.low.is(x, v, func(c int) bool { return c >= 0 }) && s.high.is(x, v, func(c int) bool { return c <= 0 }) {
			return true
		}
	}
	return false
}

// is compares a value with the member, and reports whether wanted accepts the result.
func (m *member) is(x *Subject, v *Value, wanted func(c int) bool) bool {
	if m.literal != nil {
		c, ok := m.literal.compare(v)
		return ok && wanted(c)
	}
	m.room = m.operand.values(x, m.room[:0])
	for i := range m.room {
		if familyOf(v.Kind) == familyOf(m.room[i].Kind) {
			if c, ok := compareValues(v, &m.room[i]); ok && wanted(c) {
				return true
			}
		}
	}
	return false
}
