package expect

import (
	"fmt"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// Options of a check.
type Options struct {
	// Line writes a message in a line, for reports. May be nil.
	Line func(*decode.Message) string

	// Memory is how many bytes the check takes for what it follows, about; 0: DefaultMemory. When they are in use it
	// follows no more, and the results say so.
	Memory int
}

// A Check compares the messages of one capture with expectations.
type Check struct {
	runs  []*run
	line  func(*decode.Message) string
	lined bool   // the line of the message at hand is known
	text  string // which
}

// shown writes the message at hand in a line, once for all expectations.
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
		r := &run{
			expectation: e, machine: newMachine(b), budget: b, work: newWorkload(len(list)), costs: costsOf(e), line: c.shown,
			groups: make(map[groupKey]*group), byConversation: make(map[wire.ConversationID]*group),
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

// Value takes what a tracker measured.
func (c *Check) Value(v *wire.Value) {
	for _, r := range c.runs {
		g := r.groupAt(&v.Place)
		if g == nil || g.apart || v.State || v.Event {
			continue
		}
		for i, m := range r.expectation.bounds.hold {
			if m.kind == valueOf && m.what == v.What && (m.table == "" || m.table == v.Table) {
				r.tally(g, &g.tallies[i], v)
			}
		}
	}
}

// concerns reports whether the expectation is about messages of a protocol.
func (e *Expectation) concerns(p *wire.Protocol) bool { return e.protocol == nil || e.protocol == p }

// A run checks one expectation.
type run struct {
	expectation    *Expectation
	machine        *machine
	start          *state
	groups         map[groupKey]*group
	ordered        []*group                       // as they began
	byConversation map[wire.ConversationID]*group // which group a conversation belongs to, for what names no direction
	spoken         bool                           // there were messages of its protocol
	unattached     group                          // findings of no group
	ours           bool                           // of these some are surely about what the expectation is
	line           func(*decode.Message) string
	ambiguous      bool // there were too many threads to follow all
	budget         *budget
	full           bool // there was no memory for more
	work           workload
	tired          bool // there was too much to compare
	costs          costs
}

// groupKey names a group: the zero one is the whole capture.
type groupKey struct {
	conversation wire.ConversationID
	end          netip.AddrPort
}

// group gives the group that a message belongs to, nil if there is no room for another one.
func (r *run) group(x *filter.Subject) *group {
	here := x.Place.ConversationID()
	if g := r.byConversation[here]; g != nil && r.expectation.per == perConversation {
		return g
	}
	key := keyOf(r.expectation.per, x)
	g := r.groups[key]
	if g == nil {
		if r.full = r.full || r.budget.memory <= 0; r.full {
			return nil
		}
		g = r.newGroup(x)
		r.groups[key] = g
		r.ordered = append(r.ordered, g)
	}
	if r.byConversation[here] == nil {
		if r.full = r.full || r.budget.memory <= 0; r.full {
			return g
		}
		r.budget.memory -= sizeOfPlace
	}
	r.byConversation[here] = g
	return g
}

// tally adds what was measured, while there is memory for it.
func (r *run) tally(g *group, t *tally, v *wire.Value) {
	if r.full = r.full || r.budget.memory <= 0; r.full {
		return
	}
	before := t.size()
	t.value(v)
	r.take(g, t.size()-before)
}

// take takes memory for a group.
func (r *run) take(g *group, bytes int) {
	r.budget.memory -= bytes
	g.bytes += bytes
}

// account notes how much memory a group takes. Where there is none left it is followed no further.
func (r *run) account(g *group) {
	r.take(g, g.size()-g.bytes)
	if r.budget.memory < 0 && len(g.threads) > 0 {
		r.full, g.threads = true, nil
	}
}

// ends gives the client and the server of a message. Where they are not known the sender counts as the client.
func ends(x *filter.Subject) (client, server netip.AddrPort) {
	if x.Message.Direction == wire.FromServer {
		return x.Place.Dst, x.Place.Src
	}
	return x.Place.Src, x.Place.Dst
}

// keyOf names the group that a message belongs to.
func keyOf(per string, x *filter.Subject) groupKey {
	client, server := ends(x)
	switch per {
	case perConversation:
		return groupKey{conversation: x.Place.ConversationID()}
	case perClient:
		return groupKey{end: client}
	case perServer:
		return groupKey{end: server}
	}
	return groupKey{}
}

// nameOf names that group for people.
func nameOf(per string, x *filter.Subject) string {
	client, server := ends(x)
	switch per {
	case perConversation:
		return fmt.Sprintf("%s,%d %s > %s", x.Place.Transport, x.Place.Conversation, client, server)
	case perClient:
		return perClient + " " + client.String()
	case perServer:
		return perServer + " " + server.String()
	}
	return perCapture
}

// groupAt gives the group of a place, nil if none is known.
func (r *run) groupAt(p *wire.Place) *group {
	if r.expectation.per == perCapture {
		return r.groups[groupKey{}]
	}
	if p.Conversation == decode.NoConversation || p.Protocol == nil {
		return nil
	}
	return r.byConversation[p.ConversationID()]
}
