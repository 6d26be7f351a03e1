package expect

import "slices"

// A state is what of a sequence is still to come. States are made once: equal ones are the same pointer,
// so that two ways that lead to the same place become one again.
type state struct {
	key     stateKey
	known   bool // options were looked for
	options []option
	ends    bool // nothing has to come any more
	free    bool // whatever comes is right
	guards  []*item
}

// stateKey says what a state is made of. Nil is the end.
type stateKey struct {
	item *item
	left Range  // of a repeat: how often it must and may still come, at least once
	a, b *state // of anyOrder: what is still to come side by side
	next *state
}

// An option is a step that may come next, and what is to come after it.
type option struct {
	step   *Step
	after  *state
	passed []*item // what is forbidden from this step on
}

// Bounds of the memory of states. A sequence that needs more is too free to be followed.
const (
	maxStates  = 200_000
	maxOptions = 1_000_000 // of all states
)

// A machine makes the states of an expectation.
type machine struct {
	states   map[stateKey]*state
	options  int
	overflow bool
}

func newMachine() *machine { return &machine{states: make(map[stateKey]*state)} }

func (m *machine) state(k stateKey) *state {
	s := m.states[k]
	if s == nil {
		if len(m.states) >= maxStates {
			m.overflow = true
			return &dead
		}
		s = &state{key: k}
		m.states[k] = s
	}
	return s
}

// push puts an item in front of what is to come.
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

// fork makes the state in which one part stands beside the others.
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

// expand fills in what a state allows.
func (m *machine) expand(s *state) *state {
	if s == nil {
		return &finished
	}
	if s.known {
		return s
	}
	s.known = true
	if m.options > maxOptions {
		m.overflow = true
		return &dead
	}
	defer func() { m.options += len(s.options) }()
	k := &s.key
	switch k.item.kind {
	case single:
		s.options = []option{{step: k.item.step, after: k.next}}
	case never:
		next := m.expand(k.next)
		s.ends, s.free = next.ends, next.free
		s.guards = append([]*item{k.item}, next.guards...)
		for _, o := range next.options {
			o.passed = append([]*item{k.item}, o.passed...)
			s.options = append(s.options, o)
		}
	case rest:
		s.ends, s.free = true, true
	case oneOf:
		for _, x := range k.item.parts {
			s.add(m.expand(m.push(x, k.next)))
		}
	case repeat:
		m.expandRepeat(s)
	case anyOrder:
		m.expandParallel(s)
	}
	return s
}

var (
	finished = state{known: true, ends: true} // the state at the end
	dead     = state{known: true}             // what there was no room for
)

// add takes what another state allows.
func (s *state) add(o *state) {
	s.options = append(s.options, o.options...)
	s.ends, s.free = s.ends || o.ends, s.free || o.free
}

func (m *machine) expandRepeat(s *state) {
	k := s.key
	s.add(m.expand(m.round(s)))
	if k.left.Least == 0 {
		s.add(m.expand(k.next))
	}
}

// round gives the state at the beginning of a repeat's next round.
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
	for _, o := range a.options {
		o.after = m.parallel(k.item, o.after, k.b, k.next)
		s.options = append(s.options, o)
	}
	for _, o := range b.options {
		o.after = m.parallel(k.item, k.a, o.after, k.next)
		s.options = append(s.options, o)
	}
	if a.ends && b.ends {
		s.add(m.expand(k.next))
	}
}

// ways gives the states that a state stands for, so that what each forbids holds for it alone: behind a
// repeat that may be over comes either another round or what follows.
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

// forbids reports whether something is forbidden before the next message comes, on some way.
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

// beginsWithNever reports whether an item may forbid something before its first message.
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
