// Package stats counts what an engine finds: plain data that can be printed as tables, written as
// JSON, and merged with what was counted elsewhere.
//
// What may not enter: knowledge of a protocol, and how tables look.
package stats

import (
	"cmp"
	"math"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// Bounds of what is listed one by one. What comes when a list is full is counted together.
const (
	maxConversations = 10_000
	maxEndpoints     = 10_000
	maxSubjects      = 10_000 // players, servers and the like, per table
	maxNames         = 100    // what is measured of each
	maxStates        = 64     // texts that are remembered of those
)

// Stats are the counts of a capture. The zero Stats is empty and ready.
type Stats struct {
	Packets    int64 `json:"packets"`
	Bytes      int64 `json:"bytes"` // on the wire
	Recognised int64 `json:"packets_ours"`
	Messages   int64 `json:"messages"`
	First      int64 `json:"first_ns"` // times of the first and the last message, nanoseconds since 1970
	Last       int64 `json:"last_ns"`

	Protocols     map[string]*Protocol   `json:"protocols"`
	Conversations map[Pair]*Conversation `json:"conversations"`
	Endpoints     map[End]*Endpoint      `json:"endpoints"`
	Findings      map[string]*Finding    `json:"findings"` // by rule

	shortcuts shortcuts
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

// Table has what was measured, by whom it is about and what it is.
type Table map[string]map[string]*Series

// Conversation counts what two endpoints sent each other.
type Conversation struct {
	Protocol string `json:"protocol"`
	First    int64  `json:"first_ns"`
	Last     int64  `json:"last_ns"`
	AB       Side   `json:"ab"` // from the endpoint named first
	BA       Side   `json:"ba"`
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
	Protocol string `json:"protocol"`
	Sent     Side   `json:"sent"`
	Received Side   `json:"received"`
}

// Finding is how often a rule was broken, and the first case.
type Finding struct {
	Severity wire.Severity `json:"severity"`
	Count    int64         `json:"count"`
	File     string        `json:"first_file"`
	Frame    int           `json:"first_frame"`
	Time     int64         `json:"first_ns"`
	Text     string        `json:"example"`
}

// Series is what was measured again and again.
type Series struct {
	Unit    string    `json:"unit,omitempty"` // "s": the numbers are nanoseconds
	Numbers Histogram `json:"numbers"`
	Total   int64     `json:"total,omitempty"`  // of what has no unit and is counted
	States  []State   `json:"states,omitempty"` // each different from the one before, the newest last
}

// State is a text that held from a time on.
type State struct {
	Time int64 `json:"ns"`
	Text Text  `json:"text"`
}

// Message counts a message and its findings.
func (s *Stats) Message(m *decode.Message) {
	s.Messages++
	if s.Messages == 1 {
		s.First, s.Last = m.Time, m.Time
	}
	s.First, s.Last = min(s.First, m.Time), max(s.Last, m.Time)
	one := Side{1, int64(m.Length)}
	s.shortcuts.message(s, m).Sizes.Add(one.Bytes)
	t := s.shortcuts.direction(s, m)
	t.conversation.First, t.conversation.Last = min(t.conversation.First, m.Time), max(t.conversation.Last, m.Time)
	t.side.add(one)
	t.sent.add(one)
	t.received.add(one)
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

func (s *Stats) conversation(key Pair, protocol string, at int64) *Conversation {
	if s.Conversations == nil {
		s.Conversations = make(map[Pair]*Conversation)
	}
	c := s.Conversations[key]
	if c == nil && len(s.Conversations) >= maxConversations {
		key = Pair{}
		c = s.Conversations[key]
	}
	if c == nil {
		c = &Conversation{Protocol: protocol, First: at, Last: at}
		s.Conversations[key] = c
	}
	return c
}

func (s *Stats) endpoint(key End, protocol string) *Endpoint {
	if s.Endpoints == nil {
		s.Endpoints = make(map[End]*Endpoint)
	}
	e := s.Endpoints[key]
	if e == nil && len(s.Endpoints) >= maxEndpoints {
		key = End{}
		e = s.Endpoints[key]
	}
	if e == nil {
		e = &Endpoint{Protocol: protocol}
		s.Endpoints[key] = e
	}
	return e
}

// keyOrOthers gives the name if there is room for it, else that of the rest.
func keyOrOthers[V any](m map[string]V, key string, most int) string {
	if _, known := m[key]; !known && len(m) >= most {
		return others
	}
	return key
}

// Finding counts a finding that no message carries.
func (s *Stats) Finding(f *wire.TrafficFinding) { s.addFinding(f.Rule, f.Text, &f.Place) }

func (s *Stats) addFinding(r *wire.Rule, text string, p *wire.Place) {
	s.mergeFinding(r.ID, &Finding{Severity: r.Severity, Count: 1, File: p.File, Frame: p.Frame, Time: p.Time, Text: text})
}

func (s *Stats) mergeFinding(rule string, o *Finding) {
	if s.Findings == nil {
		s.Findings = make(map[string]*Finding)
	}
	f := s.Findings[rule]
	if f == nil {
		first := *o
		s.Findings[rule] = &first
		return
	}
	n := f.Count + o.Count
	if cmp.Or(cmp.Compare(o.Time, f.Time), cmp.Compare(o.File, f.File), cmp.Compare(o.Frame, f.Frame)) < 0 {
		*f = *o
	}
	f.Count = n
}

// Value counts what a tracker measured.
func (s *Stats) Value(v *wire.Value) {
	if v.Protocol == nil {
		return
	}
	x := s.series(v.Protocol.Name, v.Table, v.Who, v.What)
	switch {
	case v.State:
		x.addState(State{v.Time, textOf(v.Text)})
	case v.Unit == "":
		x.Total = addSaturating(x.Total, toInteger(v.Number))
	case v.Unit == "s":
		x.Unit = v.Unit
		x.Numbers.Add(toInteger(v.Number * 1e9))
	default:
		x.Unit = v.Unit
		x.Numbers.Add(toInteger(v.Number))
	}
}

// toInteger rounds to the nearest int64. What is too large becomes the largest, what is too small or no number 0.
func toInteger(f float64) int64 {
	switch f = math.Round(f); {
	case !(f > math.MinInt64): // nor is NaN
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	}
	return int64(f)
}

func (s *Stats) series(protocol, table, who, what string) *Series {
	p := s.protocol(protocol)
	t := p.Tables[table]
	if t == nil {
		t = make(Table)
		p.Tables[table] = t
	}
	who = keyOrOthers(t, who, maxSubjects)
	row := t[who]
	if row == nil {
		row = make(map[string]*Series)
		t[who] = row
	}
	what = keyOrOthers(row, what, maxNames)
	x := row[what]
	if x == nil {
		x = new(Series)
		row[what] = x
	}
	return x
}

// addState remembers a text that differs from the last one.
func (x *Series) addState(n State) {
	if last := len(x.States) - 1; last >= 0 && x.States[last].Text == n.Text {
		return
	}
	if len(x.States) == maxStates {
		x.States = append(x.States[:0], x.States[1:]...)
	}
	x.States = append(x.States, n)
}

// Count takes the engine's counters, at the end.
func (s *Stats) Count(c decode.Counters) {
	s.Packets += c.Packets
	s.Bytes += c.Bytes
	s.Recognised += c.Recognised
}
