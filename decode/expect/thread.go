package expect

import (
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/decode/filter"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A thread is one way in which the messages so far fit the sequence. There are several where a message
// fits several steps.
type thread struct {
	at      *state
	guards  []*item // what is forbidden for now, beside that of the state
	memory  memory
	last    int64 // time of the message before
	any     bool  // there was one
	matched int   // messages
}

// memory is what a thread has kept. It is copied when it changes.
type memory struct {
	values []filter.Value
	frames []int  // of the messages they are from; 0: not saved
	echoed []bool // known from an echo, and yet to be saved
	times  []int64
	marked []bool
}

// maxThreads bounds how many ways are followed at once.
const maxThreads = 200

// A verdict says how a message stands to a step.
type verdict uint8

const (
	other verdict = iota // another message, or its conditions are not met
	early                // it fits but for the time
	late
	fits
)

// names reports whether a message is of the kind that the step names.
func (st *Step) names(x *filter.Subject) bool {
	return (st.Message == "" || st.Message == x.Message.Name) && (!st.directed || st.direction == x.Message.Direction)
}

// matches reports whether a message is what the step names, times aside. Where it may be the next one, echoes
// of what is not saved yet are good, and what is saved has to be what was echoed.
func (st *Step) matches(x *filter.Subject, t *thread, next bool) bool {
	if !st.names(x) {
		return false
	}
	x.Bindings = t.memory.values
	for i := range st.where {
		c := &st.where[i]
		if next && c.early && !t.memory.known(c.slot) {
			continue
		}
		if !c.Match(x) {
			return false
		}
	}
	for _, s := range st.save {
		if next && s.slot < len(t.memory.echoed) && t.memory.echoed[s.slot] {
			if v := s.field.Values(x, nil); len(v) == 0 || !v[0].Equal(&t.memory.values[s.slot]) {
				return false
			}
		}
	}
	return true
}

// judge tells how a message stands to the step.
func (st *Step) judge(x *filter.Subject, t *thread) verdict {
	if !st.matches(x, t, true) {
		return other
	}
	now := x.Place.Time
	if st.within.lost(t) || st.after.lost(t) {
		return other
	}
	if since, ok := st.within.since(t, now); ok && since > st.within.time {
		return late
	}
	if since, ok := st.after.since(t, now); ok && since < st.after.time {
		return early
	}
	return fits
}

// lost tells that the limit is about a step that was left out.
func (l *limit) lost(t *thread) bool {
	return l.set && l.of >= 0 && (l.of >= len(t.memory.marked) || !t.memory.marked[l.of])
}

// since is the time from the step that a limit is about. ok is false if there is no limit, or that step has
// no time: a first step has none before it.
func (l *limit) since(t *thread, now int64) (d time.Duration, ok bool) {
	switch {
	case !l.set:
		return 0, false
	case l.of < 0:
		return time.Duration(now - t.last), t.any
	case l.of >= len(t.memory.marked) || !t.memory.marked[l.of]:
		return 0, false
	}
	return time.Duration(now - t.memory.times[l.of]), true
}

// take gives the thread behind a step.
func (t *thread) take(o *option, x *filter.Subject) thread {
	next := thread{at: o.after, memory: t.memory, last: x.Place.Time, any: true, matched: t.matched + 1}
	for _, list := range [][]*item{t.guards, o.passed} {
		for _, g := range list {
			if g.until != o.step && !slices.Contains(next.guards, g) {
				next.guards = append(next.guards, g)
			}
		}
	}
	echoes := false
	for i := range o.step.where {
		c := &o.step.where[i]
		echoes = echoes || c.early && !t.memory.known(c.slot)
	}
	if len(o.step.save) == 0 && o.step.mark < 0 && !echoes {
		return next
	}
	next.memory = t.memory.copy()
	for i := range o.step.where {
		if c := &o.step.where[i]; c.early && !t.memory.known(c.slot) {
			next.memory.save(saving{c.field, c.slot}, x, true)
		}
	}
	for _, s := range o.step.save {
		next.memory.save(s, x, false)
	}
	if m := o.step.mark; m >= 0 {
		next.memory.times = grown(next.memory.times, m)
		next.memory.marked = grown(next.memory.marked, m)
		next.memory.times[m], next.memory.marked[m] = x.Place.Time, true
	}
	return next
}

func (m *memory) copy() memory {
	return memory{slices.Clone(m.values), slices.Clone(m.frames), slices.Clone(m.echoed), slices.Clone(m.times), slices.Clone(m.marked)}
}

// save keeps the first value of a field; without one the name stands for nothing.
func (m *memory) save(s saving, x *filter.Subject, echoed bool) {
	m.values, m.frames, m.echoed = grown(m.values, s.slot), grown(m.frames, s.slot), grown(m.echoed, s.slot)
	m.values[s.slot], m.frames[s.slot], m.echoed[s.slot] = filter.Value{}, x.Place.Frame, echoed
	if v := s.field.Values(x, nil); len(v) > 0 {
		m.values[s.slot] = v[0].Clone()
	}
}

// known reports whether something is saved under a name, or was echoed.
func (m *memory) known(slot int) bool { return slot < len(m.frames) && m.frames[slot] > 0 }

// grown makes a slice long enough for an index.
func grown[T any](s []T, i int) []T {
	if i < len(s) {
		return s
	}
	return append(s, make([]T, i+1-len(s))...)
}

// same reports whether two threads cannot come apart again.
func (t *thread) same(o *thread) bool {
	return t.at == o.at && t.last == o.last && slices.Equal(t.guards, o.guards) && slices.Equal(t.memory.times, o.memory.times) &&
		slices.Equal(t.memory.echoed, o.memory.echoed) &&
		slices.Equal(t.memory.marked, o.memory.marked) && slices.EqualFunc(t.memory.values, o.memory.values, func(a, b filter.Value) bool {
		return a.Kind == b.Kind && a.Num == b.Num && string(a.Bytes) == string(b.Bytes)
	})
}

// bound gives the value that a name stands for.
func (m *memory) bound(slot int) (v *filter.Value, frame int) {
	if slot >= len(m.values) || m.values[slot].Kind == wire.Group {
		return nil, 0
	}
	return &m.values[slot], m.frames[slot]
}
