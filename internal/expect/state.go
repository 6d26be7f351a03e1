package expect

import "slices"

// A state is the part of a sequence that is still to come. Equal states have the same pointer, so different ways to the
// same state are joined.
type state struct {
	key     stateKey
	known   bool // expand has set the fields below
	options []option
	ends    bool    // the sequence may end here
	free    bool    // any message is allowed
	guards  []*item // items that forbid messages
}

// stateKey identifies a state. A nil state is the end of the sequence.
type stateKey struct {
	item *item
	left Range  // for repeat: how many more times it must and may come, at least once
	a, b *state // for anyOrder: what is still to come of its parts
	next *state // state after the item
}

// An option is a step that may come next, and the state after the step.
type option struct {
	step   *Step
	after  *state
	passed []*item // items that forbid messages from this step on
}

type machine struct {
	states   map[stateKey]*state
	budget   *budget
	overflow bool // there were too many states
}

func newMachine(b *budget) *machine { return &machine{states: make(map[stateKey]*state), budget: b} }

func (m *machine) state(k stateKey) *state {
	s := m.states[k]
	if s == nil {
		if m.budget.states++; m.budget.states > maxStates {
			m.overflow = true
			return &dead
		}
		s = &state{key: k}
		m.states[k] = s
	}
	return s
}

// push returns the state in which item i comes first. The parameter next is the state after the item.
func (m *machine) push(i *item, next *state) *state {
	switch i.kind {
	case inOrder:
		for _, x := range slices.Backward(i.parts) {
			next = m.push(x, next)
		}
		return next
	case anyOrder:
		return m.fork(i, m.push(i.parts[0], nil), i.parts[1:], next)
	}
	return m.state(stateKey{item: i, left: i.times, next: next})
}

// fork returns the state of an any_order. first is the state of one part, and others are the parts that have not begun.
func (m *machine) fork(i *item, first *state, others []*item, next *state) *state {
	if len(others) == 0 {
		return m.parallel(i, first, nil, next)
	}
	return m.parallel(i, first, m.fork(i, m.push(others[0], nil), others[1:], nil), next)
}

func (m *machine) parallel(i *item, a, b, next *state) *state {
	switch {
	case a == nil && b == nil:
		return next
	case next == nil && a == nil:
		return b
	case next == nil && b == nil:
		return a
	}
	return m.state(stateKey{item: i, a: a, b: b, next: next})
}

func (m *machine) expand(s *state) *state {
	if s == nil {
		return &finished
	}
	if s.known {
		return s
	}
	s.known = true
	k := &s.key
	switch k.item.kind {
	case single:
		m.add(s, &state{options: []option{{step: k.item.step, after: k.next}}}, nil)
	case never:
		next := m.expand(k.next)
		s.guards = append([]*item{k.item}, next.guards...)
		m.add(s, next, func(o *option) { o.passed = append([]*item{k.item}, o.passed...) })
	case rest:
		s.ends, s.free = true, true
	case oneOf:
		for _, x := range k.item.parts {
			m.add(s, m.expand(m.push(x, k.next)), nil)
		}
	case repeat:
		m.expandRepeat(s)
	case anyOrder:
		m.expandParallel(s)
	}
	return s
}

var (
	finished = state{known: true, ends: true} // the end of the sequence
	dead     = state{known: true}             // used instead of any state beyond the limit
)

// add adds the options of another state. If change is not nil, it changes each option first.
func (m *machine) add(s, other *state, change func(*option)) {
	s.ends, s.free = s.ends || other.ends, s.free || other.free
	if m.budget.options+len(other.options) > maxOptions {
		m.overflow = true
		return
	}
	m.budget.options += len(other.options)
	before := len(s.options)
	s.options = append(s.options, other.options...)
	if change == nil {
		return
	}
	for i := range s.options[before:] {
		change(&s.options[before+i])
	}
}

func (m *machine) expandRepeat(s *state) {
	k := s.key
	m.add(s, m.expand(m.round(s)), nil)
	if k.left.Least == 0 {
		m.add(s, m.expand(k.next), nil)
	}
}

// round returns the state at the beginning of the next round of a repeat.
func (m *machine) round(s *state) *state {
	k := s.key
	left := Range{max(k.left.Least-1, 0), k.left.Most}
	if left.Most != Any {
		left.Most--
	}
	again := k.next
	if left.Most != 0 {
		again = m.state(stateKey{item: k.item, left: left, next: k.next})
	}
	return m.push(k.item.parts[0], again)
}

func (m *machine) expandParallel(s *state) {
	k := s.key
	a, b := m.expand(k.a), m.expand(k.b)
	m.add(s, &state{options: a.options}, func(o *option) { o.after = m.parallel(k.item, o.after, k.b, k.next) })
	m.add(s, &state{options: b.options}, func(o *option) { o.after = m.parallel(k.item, k.a, o.after, k.next) })
	if a.ends && b.ends {
		m.add(s, m.expand(k.next), nil)
	}
}

// ways splits a state into alternatives that forbid different messages. For example, if a repeat may end, its state is
// split into another round and the state after the repeat.
func (m *machine) ways(s *state) []*state {
	if !m.forbids(s) {
		return []*state{s}
	}
	var list []*state
	k := s.key
	switch k.item.kind {
	case never:
		for _, w := range m.ways(k.next) {
			list = append(list, m.state(stateKey{item: k.item, next: w}))
		}
	case oneOf:
		for _, x := range k.item.parts {
			list = append(list, m.ways(m.push(x, k.next))...)
		}
	case repeat:
		list = append(list, m.ways(m.round(s))...)
		if k.left.Least == 0 {
			list = append(list, m.ways(k.next)...)
		}
	default:
		list = append(list, s)
	}
	return list
}

// forbids reports whether an alternative of a state forbids messages before its next message.
func (m *machine) forbids(s *state) bool {
	if s == nil || s.key.item == nil {
		return false
	}
	k := s.key
	switch k.item.kind {
	case never:
		return true
	case oneOf:
		return k.item.beginsWithNever() || k.item.nullable() && m.forbids(k.next)
	case repeat:
		return k.item.parts[0].beginsWithNever() || k.left.Least == 0 && m.forbids(k.next)
	}
	return false
}

// beginsWithNever reports whether an item may forbid messages before its first message.
func (i *item) beginsWithNever() bool {
	switch i.kind {
	case never:
		return true
	case oneOf:
		return slices.ContainsFunc(i.parts, (*item).beginsWithNever)
	case repeat:
		return i.parts[0].beginsWithNever()
	case inOrder:
		for _, x := range i.parts {
			if x.beginsWithNever() {
				return true
			}
			if !x.nullable() {
				return false
			}
		}
	}
	return false
}
