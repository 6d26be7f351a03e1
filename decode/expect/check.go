package expect

import (
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/filter"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// Options of a check.
type Options struct {
	// Line writes a message in a line, for reports. May be nil.
	Line func(*decode.Message) string
}

// A Check holds the messages of one capture against expectations.
type Check struct {
	runs []*run
}

// NewCheck makes a check.
func NewCheck(list []*Expectation, o Options) *Check {
	c := &Check{}
	for _, e := range list {
		r := &run{e: e, machine: newMachine(), groups: make(map[groupKey]*group), talks: make(map[talk]*group), line: o.Line}
		if r.line == nil {
			r.line = func(*decode.Message) string { return "" }
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
	for _, r := range c.runs {
		if r.e.concerns(x.Place.Protocol) && (r.e.filter == nil || r.e.filter.Match(x)) {
			if g := r.group(x); g != nil {
				r.message(g, x)
			}
		}
	}
}

// Finding takes a finding that no message carries.
func (c *Check) Finding(x *filter.Subject) {
	for _, r := range c.runs {
		if x.Place.Protocol != nil && !r.e.concerns(x.Place.Protocol) || r.e.filter != nil && !r.e.filter.Match(x) {
			continue
		}
		if g := r.of(x.Place); g != nil {
			r.finding(g, x.Finding.Rule, x.Finding.Text, x.Place)
		} else if r.e.bounds.findings {
			r.finding(&r.loose, x.Finding.Rule, x.Finding.Text, x.Place)
		}
	}
}

// Value takes what a tracker measured.
func (c *Check) Value(v *wire.Value) {
	for _, r := range c.runs {
		g := r.of(&v.Place)
		if g == nil || v.State {
			continue
		}
		for i, m := range r.e.bounds.hold {
			if m.kind == valueOf && m.what == v.What && (m.table == "" || m.table == v.Table) {
				g.tallies[i].value(v)
			}
		}
	}
}

// concerns reports whether the expectation is about messages of a protocol.
func (e *Expectation) concerns(p *wire.Protocol) bool { return e.protocol == nil || e.protocol == p }

// A run holds one expectation against a capture.
type run struct {
	e         *Expectation
	machine   *machine
	start     *state
	groups    map[groupKey]*group
	order     []*group
	talks     map[talk]*group // which group a conversation belongs to, for what names no direction
	loose     group           // findings of no group
	line      func(*decode.Message) string
	ambiguous bool
	crowded   bool
}

// groupKey names a group: the zero one is the whole capture.
type groupKey struct {
	talk
	end netip.AddrPort
}

type talk struct {
	transport wire.Transport
	stream    int
}

// maxGroups bounds the memory of a check.
const maxGroups = 100_000

// group gives the group that a message belongs to, nil if there is no room for another one.
func (c *run) group(x *filter.Subject) *group {
	here := talk{x.Place.Transport, x.Place.Conversation}
	if g := c.talks[here]; g != nil && c.e.per == perConversation {
		return g
	}
	key := keyOf(c.e.per, x)
	g := c.groups[key]
	if g == nil && len(c.groups) >= maxGroups {
		c.crowded = true
		return nil
	}
	if g == nil {
		g = c.newGroup(nameOf(c.e.per, x))
		c.groups[key] = g
		c.order = append(c.order, g)
	}
	if len(c.talks) < maxGroups || c.talks[here] != nil {
		c.talks[here] = g
	}
	return g
}

// ends tells who the client and who the server of a message are; where that is not known, the one who
// speaks is taken for the client.
func ends(x *filter.Subject) (client, server netip.AddrPort) {
	if x.Message.Direction == wire.FromServer {
		return x.Place.Dst, x.Place.Src
	}
	return x.Place.Src, x.Place.Dst
}

func keyOf(per string, x *filter.Subject) groupKey {
	client, server := ends(x)
	switch per {
	case perConversation:
		return groupKey{talk: talk{x.Place.Transport, x.Place.Conversation}}
	case perClient:
		return groupKey{end: client}
	case perServer:
		return groupKey{end: server}
	}
	return groupKey{}
}

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

// of gives the group of a place, nil if none is known.
func (c *run) of(p *wire.Place) *group {
	if c.e.per == perCapture {
		return c.groups[groupKey{}]
	}
	if p.Conversation == decode.NoConversation || p.Protocol == nil {
		return nil
	}
	return c.talks[talk{p.Transport, p.Conversation}]
}

// mistimed says how a message missed its time.
func (c *run) mistimed(t *thread, st *Step, now int64, how verdict) string {
	l, word := &st.within, "late"
	if how == early {
		l, word = &st.after, "early"
	}
	d, _ := l.since(t, now)
	return fmt.Sprintf("came too %s, %s after %s", word, d.Round(time.Microsecond), c.marker(l))
}

// marker names the step that a limit is about.
func (c *run) marker(l *limit) string {
	for _, st := range c.e.steps {
		if l.of >= 0 && st.mark == l.of {
			return "step " + strconv.Quote(st.Name)
		}
	}
	return "the step before"
}
