package expect

import (
	"bytes"
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A thread is one way in which the messages so far match the sequence. If a message matches several steps, there are
// several threads.
type thread struct {
	state   *state
	guards  []*item // items that forbid messages, in addition to the state's guards
	memory  memory
	last    int64 // time of the last matched message
	begun   bool  // a message has matched
	matched int   // number of matched messages
}

// memory has the saved values of a thread. To change it, a thread makes a copy.
type memory struct {
	values []filter.Value
	frames []int  // frame numbers of the messages that the values come from; 0: not saved
	echoed []bool // the value comes from an echo and has not yet been saved
	marks  []mark
}

// A mark says whether and when a step was matched.
type mark struct {
	time   int64
	passed bool
}

// A fit describes how well a message matches a step.
type fit uint8

const (
	unfit    fit = iota // another message, or a condition is false
	tooEarly            // only the time does not match
	tooLate
	fits
)

// isNamedBy reports whether a message has the step's type and direction.
func (st *Step) isNamedBy(x *filter.Subject) bool {
	return (st.Message == "" || st.Message == x.Message.Name) && (!st.directed || st.direction == x.Message.Direction)
}

// matches reports whether a message matches the step, regardless of time limits. next says whether the step may come
// next. If so, an echo matches even if its value has not yet been saved, and the values that the message saves must be
// equal to earlier echoes.
func (st *Step) matches(x *filter.Subject, t *thread, next bool) bool {
	if !st.isNamedBy(x) {
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

// fit returns how well a message matches a step that may come next.
func (st *Step) fit(x *filter.Subject, t *thread) fit {
	if !st.matches(x, t, true) {
		return unfit
	}
	now := x.Place.Time
	if st.within.missesStep(t) || st.after.missesStep(t) {
		return unfit
	}
	if since, ok := st.within.since(t, now); ok && since > st.within.time {
		return tooLate
	}
	if since, ok := st.after.since(t, now); ok && since < st.after.time {
		return tooEarly
	}
	return fits
}

// missesStep reports whether the limit counts from a step that did not come.
func (l *limit) missesStep(t *thread) bool {
	return l.set && l.mark >= 0 && !t.memory.mark(l.mark).passed
}

// since returns the time since the step that a limit counts from. ok is false if there is no limit or no previous step.
func (l *limit) since(t *thread, now int64) (d time.Duration, ok bool) {
	switch {
	case !l.set:
		return 0, false
	case l.mark < 0:
		return time.Duration(clock.Elapsed(t.last, now)), t.begun
	}
	return time.Duration(clock.Elapsed(t.memory.mark(l.mark).time, now)), true
}

// after returns the thread after a step that a message matched.
func (t *thread) after(o *option, x *filter.Subject) thread {
	next := thread{state: o.after, memory: t.memory, last: x.Place.Time, begun: true, matched: t.matched + 1}
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
		next.memory.marks = extended(next.memory.marks, m)
		next.memory.marks[m] = mark{x.Place.Time, true}
	}
	return next
}

func (m *memory) copy() memory {
	return memory{slices.Clone(m.values), slices.Clone(m.frames), slices.Clone(m.echoed), slices.Clone(m.marks)}
}

// save saves the first value of a field. If the field has no value, it saves the zero Value.
func (m *memory) save(s saving, x *filter.Subject, echoed bool) {
	m.values, m.frames, m.echoed = extended(m.values, s.slot), extended(m.frames, s.slot), extended(m.echoed, s.slot)
	m.values[s.slot], m.frames[s.slot], m.echoed[s.slot] = filter.Value{}, x.Place.Frame, echoed
	if v := s.field.Values(x, nil); len(v) > 0 {
		m.values[s.slot] = v[0].Clone()
	}
}

// known reports whether a value was saved or echoed.
func (m *memory) known(slot int) bool { return slot < len(m.frames) && m.frames[slot] > 0 }

// mark returns the mark of a step. If the step did not come, it returns the zero mark.
func (m *memory) mark(i int) mark {
	if i < len(m.marks) {
		return m.marks[i]
	}
	return mark{}
}

// extended lengthens a slice until it contains the index.
func extended[T any](s []T, i int) []T {
	for len(s) <= i {
		s = append(s, *new(T))
	}
	return s
}

// equals reports whether two threads accept the same messages from now on.
func (t *thread) equals(o *thread) bool {
	a, b := &t.memory, &o.memory
	return t.state == o.state && t.last == o.last && slices.Equal(t.guards, o.guards) &&
		slices.Equal(a.marks, b.marks) && slices.Equal(a.echoed, b.echoed) &&
		slices.EqualFunc(a.values, b.values, func(v, w filter.Value) bool {
			return v.Kind == w.Kind && v.Num == w.Num && bytes.Equal(v.Bytes, w.Bytes)
		})
}

func (m *memory) bound(slot int) (v *filter.Value, frame int) {
	if slot >= len(m.values) || m.values[slot].Kind == wire.Group {
		return nil, 0
	}
	return &m.values[slot], m.frames[slot]
}
