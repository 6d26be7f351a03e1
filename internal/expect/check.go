package expect

import (
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// Options of a check.
type Options struct {
	// Line writes a message in a line, for reports. May be nil.
	Line func(*decode.Message) string

	// Memory bounds the state of the check, in bytes, approximately; 0: DefaultMemory. Beyond it the check follows no
	// further groups, and the results say so.
	Memory int

	// Protocols are the engine's protocols. What is asked through them counts among attempts.
	Protocols []*wire.Protocol
}

// A Check compares the messages of one capture with expectations.
type Check struct {
	runs  []*run
	line  func(*decode.Message) string
	lined bool // text is the line of the current message
	text  string

	attempts *summary.Tally // nil: no expectation counts them
}

// shown returns the line of the current message, which it makes once for all expectations.
func (c *Check) shown(m *decode.Message) string {
	if !c.lined {
		c.text, c.lined = c.line(m), true
	}
	return c.text
}

// NewCheck makes a check.
func NewCheck(list []*Expectation, o Options) *Check {
	c, b := &Check{line: o.Line}, &budget{memory: o.Memory}
	if b.memory <= 0 {
		b.memory = DefaultMemory
	}
	if c.line == nil {
		c.line = func(*decode.Message) string { return "" }
	}
	for _, e := range list {
		if e.holdsAttempts() && c.attempts == nil {
			c.attempts = summary.NewTally(o.Protocols, attemptsMemory)
		}
		r := &run{
			expectation: e, machine: newMachine(b), budget: b, work: newWorkload(len(list)), costs: costsOf(e), line: c.shown,
			groups: make(map[groupKey]*group), byConversation: make(map[wire.ConversationID]*group),
			texts: make([]bool, len(e.bounds.hold)),
		}
		if e.sequence != nil {
			r.start = r.machine.push(e.sequence, nil)
		}
		c.runs = append(c.runs, r)
	}
	return c
}

// Message takes the next message.
func (c *Check) Message(x *filter.Subject) {
	c.lined = false
	for _, r := range c.runs {
		r.spoken = r.spoken || r.expectation.concerns(x.Place.Protocol)
		if r.expectation.concerns(x.Place.Protocol) && (r.expectation.filter == nil || r.expectation.filter.Match(x)) {
			if g := r.group(x); g != nil {
				r.message(g, x)
				r.account(g)
			}
		}
	}
}

// Finding takes a finding that no message carries.
func (c *Check) Finding(x *filter.Subject) {
	for _, r := range c.runs {
		e := r.expectation
		if x.Place.Protocol != nil && !e.concerns(x.Place.Protocol) || e.filter != nil && !e.filter.Match(x) {
			continue
		}
		if g := r.groupAt(x.Place); g != nil {
			r.finding(g, x.Finding.Rule, x.Finding.Text, x.Place)
		} else if e.bounds.findings {
			r.ours = r.ours || x.Place.Protocol != nil || e.protocol == nil
			r.finding(&r.unattached, x.Finding.Rule, x.Finding.Text, x.Place)
		}
	}
}

// Value takes a tracker's value.
func (c *Check) Value(v *wire.Value) {
	for _, r := range c.runs {
		g := r.groupAt(&v.Place)
		if g == nil || g.apart || v.Event {
			continue
		}
		for i, m := range r.expectation.bounds.hold {
			if m.kind == valueOf && m.what == v.What && (m.table == "" || m.table == v.Table) {
				if v.State {
					r.texts[i] = true
					continue
				}
				r.tally(g, &g.tallies[i], v)
			}
		}
	}
}

// group returns the group of a message, nil if there is no memory for another one.
func (r *run) group(x *filter.Subject) *group {
	here := x.Place.ConversationID()
	if g := r.byConversation[here]; g != nil && r.expectation.per == perConversation {
		return g
	}
	key := keyOf(r.expectation.per, x)
	g := r.groups[key]
	if g == nil {
		if r.isFull() {
			return nil
		}
		g = r.newGroup(x)
		r.groups[key] = g
		r.ordered = append(r.ordered, g)
	}
	if r.byConversation[here] == nil {
		if r.isFull() {
			return g
		}
		r.budget.memory -= sizeOfPlace
	}
	r.byConversation[here] = g
	return g
}

// isFull reports whether there was a time without memory: the run takes no more then.
func (r *run) isFull() bool {
	r.full = r.full || r.budget.memory <= 0
	return r.full
}

// tally adds a measured value, while there is memory for it.
func (r *run) tally(g *group, t *tally, v *wire.Value) {
	if !r.isFull() {
		before := t.size()
		t.value(v)
		r.take(g, t.size()-before)
	}
}
