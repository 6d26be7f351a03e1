package expect

import (
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// Options are the options of a Check.
type Options struct {
	// Line formats a message as a line for reports. It may be nil.
	Line func(*decode.Message) string

	// Memory is the approximate limit of the check's memory, in bytes. 0 means DefaultMemory. When the memory is used
	// up, the check follows no further groups, and the results say so.
	Memory int

	// Protocols are the engine's protocols. Questions of these protocols count as attempts.
	Protocols []*wire.Protocol
}

// A Check compares the messages of one capture with expectations.
type Check struct {
	runs  []*run
	line  func(*decode.Message) string
	lined bool // text is already the line of the current message
	text  string

	attempts *summary.Tally // nil if no expectation counts attempts
}

// shown returns the line of the current message. It formats the line once for all expectations.
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
		if e.boundsAttempts() && c.attempts == nil {
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

// Message checks a message.
func (c *Check) Message(x *filter.Subject) {
	c.lined = false
	for _, r := range c.runs {
		r.seen = r.seen || r.expectation.concerns(x.Place.Protocol)
		if r.expectation.concerns(x.Place.Protocol) && (r.expectation.filter == nil || r.expectation.filter.Match(x)) {
			if g := r.group(x); g != nil {
				r.message(g, x)
				r.account(g)
			}
		}
	}
}

// Finding checks a finding that belongs to no message.
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

// Value checks a value that a tracker measured.
func (c *Check) Value(v *wire.Value) {
	for _, r := range c.runs {
		g := r.groupAt(&v.Place)
		if g == nil || g.excluded || v.Event {
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

// group returns the group of a message, or nil if no memory is left for a new group.
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

// isFull reports whether the memory has ever been used up. From then on, the run takes no more memory.
func (r *run) isFull() bool {
	r.full = r.full || r.budget.memory <= 0
	return r.full
}

// tally adds a measured value if any memory is left.
func (r *run) tally(g *group, t *tally, v *wire.Value) {
	if !r.isFull() {
		before := t.size()
		t.value(v)
		r.take(g, t.size()-before)
	}
}
