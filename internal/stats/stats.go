// Package stats counts what an engine finds. The counts are plain data that can be printed as tables, written as JSON,
// and merged with other Stats.
//
// This package must not depend on any protocol, or on how tables are printed.
package stats

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// DefaultMemory is the maximum size of all lists in bytes if Stats.Memory is not set.
const DefaultMemory = 32 << 20

// Stats are the counts of a capture. The zero Stats is empty and ready to use.
//
// Traffic can name any number of conversations, endpoints, senders, players and servers, so their lists are bounded.
// The lists share Memory: a flood of conversations uses only the room that the other lists leave. A full list keeps the
// rows whose keys have the smallest hashes, not the first rows. It counts everything else in one row under the zero
// key, the row of the others. So the rows do not depend on the order in which Stats are counted and merged. Callers
// must not change the maps.
type Stats struct {
	// Memory is the approximate maximum size of the lists in bytes; 0: DefaultMemory. It must be set before anything is
	// counted, and must have the same value in all Stats that are merged.
	Memory int `json:"-"`

	// Brief leaves out conversations, endpoints and senders, because counting these takes longer than counting
	// everything else. It must be set before anything is counted.
	Brief bool `json:"-"`

	Packets    int64 `json:"packets"`
	Bytes      int64 `json:"bytes"` // on the wire
	Recognised int64 `json:"packets_ours"`
	Messages   int64 `json:"messages"`

	// Skipped counts the bytes of recognised conversations that do not belong to a message. The keys are names of
	// decode.Reason.
	Skipped map[string]int64 `json:"bytes_skipped,omitempty"`

	Begin int64 `json:"first_packet_ns,omitempty"` // time of the first packet of any kind; 0: unknown
	First int64 `json:"first_ns"`                  // times of the first and the last message, in nanoseconds since 1970
	Last  int64 `json:"last_ns"`

	Protocols     map[string]*Protocol              `json:"protocols"`
	Conversations map[ConversationKey]*Conversation `json:"conversations"`
	Endpoints     map[EndpointKey]*Endpoint         `json:"endpoints"`
	Findings      map[string]*Finding               `json:"findings"` // by rule
	Senders       map[Sender]*Broken                `json:"senders"`  // findings by sender and rule

	// Attempts are sorted by protocol, kind, outcome and cause.
	Attempts []*Attempts `json:"attempts,omitempty"`

	// Others counts the packets that do not belong to a protocol, by kind, if the engine was asked to count them. The
	// most frequent kind comes first.
	Others []Other `json:"others,omitempty"`

	// Full contains the names of the lists that dropped rows: "conversations", "endpoints", "senders", and tables in
	// the form "bzflag24,players". The value is a hash: the list dropped all rows with this hash or a larger one. Merge
	// needs it.
	Full map[string]uint64 `json:"full,omitempty"`

	kept *keeping // nil before the first use
}

// Protocol contains the counts of a protocol.
type Protocol struct {
	Messages map[string]*Message `json:"messages"` // by name
	Tables   map[string]Table    `json:"tables"`   // by name: "players", "servers"
}

// Message counts messages of one kind, with their lengths in bytes.
type Message struct {
	Sizes Histogram `json:"sizes"`
}

// Table contains rows by subject.
type Table map[RowKey]*Row

// Row contains the series of a subject, such as a player. A row has about ten series, because the names of series come
// from a protocol's tracker, not from the traffic. The row of the others has no texts, because it stands for many
// subjects.
type Row struct {
	head[RowKey]

	Series []*Series // by name
}

// Find returns the series with the given name, or nil.
func (r *Row) Find(what string) *Series {
	for _, x := range r.Series {
		if x.What == what {
			return x
		}
	}
	return nil
}

// Text returns the newest text of a series, or "".
func (r *Row) Text(what string) string {
	if x := r.Find(what); x != nil {
		return x.Text()
	}
	return ""
}

// Total returns the total of a series, or 0.
func (r *Row) Total(what string) int64 {
	if x := r.Find(what); x != nil {
		return x.Total
	}
	return 0
}

// make returns the series with the given name. It adds the series if it is missing, and reports whether it did.
func (r *Row) make(what string) (x *Series, isNew bool) {
	if x = r.Find(what); x != nil {
		return x, false
	}
	x = &Series{What: what}
	at, _ := slices.BinarySearchFunc(r.Series, what, func(x *Series, what string) int { return cmp.Compare(x.What, what) })
	r.Series = slices.Insert(r.Series, at, x)
	return x, true
}

// Conversation counts the messages between two endpoints.
type Conversation struct {
	head[ConversationKey]

	Protocol string `json:"protocol"` // if there are several, the first by name
	Stream   int    `json:"stream"`   // number in the capture, per transport, from 0; if there are several, the lowest
	First    int64  `json:"first_ns"`
	Last     int64  `json:"last_ns"`
	AB       Side   `json:"a_to_b"` // from the first endpoint
	BA       Side   `json:"b_to_a"`

	a, b *Endpoint // not set in the row of the others
	pair uint32    // index in keeping.pairs; 0: none
}

// Side counts messages in one direction.
type Side struct {
	Messages int64 `json:"messages"`
	Bytes    int64 `json:"bytes"`
}

func (s *Side) add(o Side) {
	s.Messages += o.Messages
	s.Bytes += o.Bytes
}

// Endpoint counts the messages that an endpoint sent and received.
type Endpoint struct {
	head[EndpointKey]

	Protocol string `json:"protocol"` // if there are several, the first by name
	Sent     Side   `json:"sent"`
	Received Side   `json:"received"`
}

// Finding counts how often a rule was broken, and contains the first case.
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

// first returns the first of two names in alphabetical order. It ignores "".
func first(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

// Finding counts a finding that does not belong to a message.
func (s *Stats) Finding(f *wire.TrafficFinding) { s.addFinding(f.Rule, f.Text, &f.Place) }

// addFinding counts a finding. If several findings are in one packet, the first becomes the example, because it is also
// shown first.
func (s *Stats) addFinding(r *wire.Rule, text string, p *wire.Place) {
	seen := Packet{legible(p.File), p.Frame, p.Time}
	if !s.Brief {
		b := s.keeping().broken(Sender{r.ID, p.Src})
		b.merge(&Broken{Severity: r.Severity, Count: 1, First: seen, Last: seen})
	}
	f, isNew := s.finding(r.ID)
	if f.Count++; !isNew && p.Time > f.Time { // true of nearly all findings
		return
	}
	n := Finding{Severity: r.Severity, Count: f.Count, File: seen.File, Frame: p.Frame, Time: p.Time, Sender: p.Src}
	if isNew || n.comparePlace(f) < 0 {
		n.Text = legible(text)
		*f = n
	}
}

// mergeFinding adds the count of other Stats. If both examples are from the same packet, their order is unknown.
// mergeFinding then takes the one whose text sorts first, so the result does not depend on the order of merges.
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

// finding returns the count of a rule, and whether it is new.
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

// comparePlace orders findings by time, then by file and frame.
func (f *Finding) comparePlace(o *Finding) int {
	return cmp.Or(cmp.Compare(f.Time, o.Time), cmp.Compare(f.File, o.File), cmp.Compare(f.Frame, o.Frame))
}

// Value counts a value measured by a tracker. It ignores events.
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

// Count adds the engine's counters. It must be called once, at the end.
func (s *Stats) Count(c decode.Counters) {
	s.Packets += c.Packets
	s.Bytes += c.Bytes
	s.Recognised += c.Recognised
	s.countOthers(c.Others)
	for why, n := range c.Skipped.All() {
		s.skip(why.String(), n)
	}
}

// skip counts bytes that do not belong to a message.
func (s *Stats) skip(why string, n int64) {
	if s.Skipped == nil {
		s.Skipped = make(map[string]int64)
	}
	s.Skipped[why] += n
}
