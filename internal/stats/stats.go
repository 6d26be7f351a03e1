// Package stats counts what an engine finds: plain data that can be printed as tables, written as JSON, and merged with
// other Stats.
//
// It knows no protocol, and not how tables look.
package stats

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// DefaultMemory is how many bytes lists take unless Stats.Memory is set.
const DefaultMemory = 32 << 20

// Stats are the counts of a capture. The zero Stats is empty and ready to use.
//
// Traffic can name any number of conversations, endpoints, senders and subjects of tables, so these lists are bounded.
// They share Memory: a flood of conversations uses only what the other lists leave. A full list keeps the keys with the
// smallest hashes, not the first ones, and counts all others together under the zero key. So it has the same rows in
// whatever order Stats are counted and merged. Callers must not change the maps.
type Stats struct {
	// Memory bounds the lists, in bytes, approximately; 0: DefaultMemory. Set it before anything is counted, to the
	// same value in all Stats that are merged.
	Memory int `json:"-"`

	// Brief leaves out conversations, endpoints and senders, which take longer to count than all else together. Set it
	// before anything is counted.
	Brief bool `json:"-"`

	Packets    int64 `json:"packets"`
	Bytes      int64 `json:"bytes"` // on the wire
	Recognised int64 `json:"packets_ours"`
	Messages   int64 `json:"messages"`

	// Skipped has the bytes of recognised conversations that are in no message, by the names of decode.Reason.
	Skipped map[string]int64 `json:"bytes_skipped,omitempty"`

	Begin int64 `json:"first_packet_ns,omitempty"` // time of the first packet of all, 0 where it is not known
	First int64 `json:"first_ns"`                  // times of the first and the last message, nanoseconds since 1970
	Last  int64 `json:"last_ns"`

	Protocols     map[string]*Protocol              `json:"protocols"`
	Conversations map[ConversationKey]*Conversation `json:"conversations"`
	Endpoints     map[EndpointKey]*Endpoint         `json:"endpoints"`
	Findings      map[string]*Finding               `json:"findings"` // by rule
	Senders       map[Sender]*Broken                `json:"senders"`  // findings by who sent what breaks a rule

	// Attempts are in the order of their protocols, kinds, outcomes and causes.
	Attempts []*Attempts `json:"attempts,omitempty"`

	// Others says what the packets are that are of no protocol, if the engine was asked to count them. The most
	// frequent kind comes first.
	Others []Other `json:"others,omitempty"`

	// Full names the lists that dropped rows: "conversations", "endpoints", "senders", and tables as
	// "bzflag24,players". The value is a hash: rows with this hash or a larger one are counted among the others. Merge
	// needs it.
	Full map[string]uint64 `json:"full,omitempty"`

	kept *keeping // nil: not yet
}

// Protocol is what was counted of a protocol.
type Protocol struct {
	Messages map[string]*Message `json:"messages"` // by name
	Tables   map[string]Table    `json:"tables"`   // by name: "players", "servers"
}

// Message is what was counted of a kind of message: their lengths in bytes.
type Message struct {
	Sizes Histogram `json:"sizes"`
}

// Table is measurements by subject.
type Table map[RowKey]*Row

// Row has what was measured of a subject. There are some ten series: trackers name them, the traffic does not. The row
// of the others has no texts, as no text holds for many subjects.
type Row struct {
	head[RowKey]

	Series []*Series // by name
}

// Find returns what was measured by its name, nil if nothing was.
func (r *Row) Find(what string) *Series {
	for _, x := range r.Series {
		if x.What == what {
			return x
		}
	}
	return nil
}

// Text returns the newest text of what was measured, "" if there is none.
func (r *Row) Text(what string) string {
	if x := r.Find(what); x != nil {
		return x.Text()
	}
	return ""
}

// Total returns what was counted, 0 if nothing was.
func (r *Row) Total(what string) int64 {
	if x := r.Find(what); x != nil {
		return x.Total
	}
	return 0
}

// make returns what was measured by its name, which it adds if it is missing, and reports whether it was.
func (r *Row) make(what string) (x *Series, isNew bool) {
	if x = r.Find(what); x != nil {
		return x, false
	}
	x = &Series{What: what}
	at, _ := slices.BinarySearchFunc(r.Series, what, func(x *Series, what string) int { return cmp.Compare(x.What, what) })
	r.Series = slices.Insert(r.Series, at, x)
	return x, true
}

// Conversation counts what two endpoints sent each other.
type Conversation struct {
	head[ConversationKey]

	Protocol string `json:"protocol"` // of several the first by name
	Stream   int    `json:"stream"`   // its number in the capture, per transport, from 0; of several the lowest
	First    int64  `json:"first_ns"`
	Last     int64  `json:"last_ns"`
	AB       Side   `json:"a_to_b"` // from the endpoint named first
	BA       Side   `json:"b_to_a"`

	a, b *Endpoint // not of the others
	pair uint32    // where it is found by lane, 0 is nowhere
}

// Side counts messages that went one way.
type Side struct {
	Messages int64 `json:"messages"`
	Bytes    int64 `json:"bytes"`
}

func (s *Side) add(o Side) {
	s.Messages += o.Messages
	s.Bytes += o.Bytes
}

// Endpoint counts what an endpoint sent and received.
type Endpoint struct {
	head[EndpointKey]

	Protocol string `json:"protocol"` // of several the first by name
	Sent     Side   `json:"sent"`
	Received Side   `json:"received"`
}

// Finding is how often a rule was broken, and the first case.
type Finding struct {
	Severity wire.Severity  `json:"severity"`
	Count    int64          `json:"count"`
	File     string         `json:"first_file"`
	Frame    int            `json:"first_frame"`
	Time     int64          `json:"first_ns"`
	Sender   netip.AddrPort `json:"first_sender,omitzero"`
	Text     string         `json:"example"`
}

// Message counts a message and its findings.
func (s *Stats) Message(m *decode.Message) {
	s.Messages++
	if s.Messages == 1 {
		s.First, s.Last = m.Time, m.Time
	}
	s.First, s.Last = min(s.First, m.Time), max(s.Last, m.Time)
	k := s.keeping()
	side := Side{1, int64(m.Length)}
	k.message(s, m).Sizes.Add(side.Bytes)
	if !s.Brief {
		k.exchange(m, side)
	}
	for i := range m.Findings {
		s.addFinding(m.Findings[i].Rule, m.Findings[i].Text, &m.Place)
	}
}

func (s *Stats) protocol(name string) *Protocol {
	if s.Protocols == nil {
		s.Protocols = make(map[string]*Protocol)
	}
	p := s.Protocols[name]
	if p == nil {
		p = &Protocol{Messages: make(map[string]*Message), Tables: make(map[string]Table)}
		s.Protocols[name] = p
	}
	return p
}

// first returns the first of two names; "" is none.
func first(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

// Finding counts a finding that no message carries.
func (s *Stats) Finding(f *wire.TrafficFinding) { s.addFinding(f.Rule, f.Text, &f.Place) }

// addFinding counts a finding. Of several at one place the first is the example, as it is the first that is shown.
func (s *Stats) addFinding(r *wire.Rule, text string, p *wire.Place) {
	seen := Packet{legible(p.File), p.Frame, p.Time}
	if !s.Brief {
		b := s.keeping().broken(Sender{r.ID, p.Src})
		b.merge(&Broken{Severity: r.Severity, Count: 1, First: seen, Last: seen})
	}
	f, isNew := s.finding(r.ID)
	if f.Count++; !isNew && p.Time > f.Time { // as nearly all are
		return
	}
	n := Finding{Severity: r.Severity, Count: f.Count, File: seen.File, Frame: p.Frame, Time: p.Time, Sender: p.Src}
	if isNew || n.comparePlace(f) < 0 {
		n.Text = legible(text)
		*f = n
	}
}

// mergeFinding adds the count of other Stats. Among findings at one place it cannot know the first, and takes the one
// whose text sorts first, so the result does not depend on the order of merging.
func (s *Stats) mergeFinding(rule string, o *Finding) {
	f, isNew := s.finding(rule)
	n := *o
	n.Text, n.File, n.Count = legible(n.Text), legible(n.File), f.Count+n.Count
	f.Count = n.Count
	order := cmp.Or(n.comparePlace(f), cmp.Compare(n.Text, f.Text), n.Sender.Compare(f.Sender),
		cmp.Compare(n.Severity, f.Severity))
	if isNew || order < 0 {
		*f = n
	}
}

// finding returns what was counted of a rule, and whether that is new.
func (s *Stats) finding(rule string) (f *Finding, isNew bool) {
	if s.Findings == nil {
		s.Findings = make(map[string]*Finding)
	}
	if f = s.Findings[rule]; f != nil {
		return f, false
	}
	f = new(Finding)
	s.Findings[rule] = f
	return f, true
}

// comparePlace orders by time, then by file and frame.
func (f *Finding) comparePlace(o *Finding) int {
	return cmp.Or(cmp.Compare(f.Time, o.Time), cmp.Compare(f.File, o.File), cmp.Compare(f.Frame, o.Frame))
}

// Value counts what a tracker measured. It ignores events.
func (s *Stats) Value(v *wire.Value) {
	if v.Protocol == nil || v.Event {
		return
	}
	k := s.keeping()
	t, r, x := k.measured(s, v)
	if v.State && r == t.others {
		return
	}
	before := x.cost()
	x.count(v, &k.texts)
	if grown := x.cost() - before; grown > 0 {
		t.grow(r, grown)
	}
}

// Count takes the engine's counters, at the end.
func (s *Stats) Count(c decode.Counters) {
	s.Packets += c.Packets
	s.Bytes += c.Bytes
	s.Recognised += c.Recognised
	s.countOthers(c.Others)
	for why, n := range c.Skipped.All() {
		s.skip(why.String(), n)
	}
}

// skip counts bytes that are in no message.
func (s *Stats) skip(why string, n int64) {
	if s.Skipped == nil {
		s.Skipped = make(map[string]int64)
	}
	s.Skipped[why] += n
}
