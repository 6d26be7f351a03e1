package session

import (
	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A Selection decides what a run passes to its sinks. The zero Selection passes everything. The order is
//
//	packet   Packets -> engine
//	message  Rules, which leave some of its findings -> Subjects -> Filter -> Only -> once -> sinks
//	finding  Only -> Rules -> Subjects -> Filter -> sinks
//	value    Subjects -> Filter, as it decides about the message at the same place -> sinks
//
// So Filter sees only the shown findings of a message, time_delta counts from messages even if Filter leaves them out,
// and of several copies the first that Filter selects is shown.
type Selection struct {
	Packets  func(*capture.Packet) bool // nil: every one
	Rules    RuleSet
	Subjects *Subjects              // nil: neither Filter nor a sink reads fields
	Filter   *filter.Filter         // nil: everything
	Only     func(*wire.Place) bool // nil: everywhere

	single bool                 // pass only the first of several copies, and findings that only a later one has
	once   *decode.Deduplicator // finds copies; nil unless single
	own    []wire.Finding       // scratch
}

func (s *Selection) begin(e *decode.Engine) {
	if s.single {
		s.once = e.Deduplicator()
	}
	s.Subjects.begin(e)
}

// end drops the references to messages, so the engine's memory can be freed.
func (s *Selection) end() {
	s.once = nil
	s.Subjects.end()
}

// message reports whether a message is selected, copies included. It removes the message's hidden findings.
func (s *Selection) message(m *decode.Message) bool {
	m.Findings = s.Rules.visible(m.Findings)
	s.Subjects.message(m)
	return s.matches() && s.at(&m.Place)
}

// finding reports whether a finding that no message carries is selected.
func (s *Selection) finding(f *wire.TrafficFinding) bool {
	if !s.at(&f.Place) || s.Rules.hidden[f.Rule] {
		return false
	}
	s.Subjects.finding(f)
	return s.matches()
}

// place reports whether Filter, which must not be nil, matches a place.
func (s *Selection) place(p *wire.Place) bool { return s.Filter.Match(s.Subjects.history.Place(p)) }

func (s *Selection) at(p *wire.Place) bool { return s.Only == nil || s.Only(p) }

func (s *Selection) matches() bool { return s.Filter == nil || s.Filter.Match(s.Subjects.current) }

// leavesOut reports whether a selected message is a copy to leave out. If so, it keeps only the findings that only this
// copy has.
func (s *Selection) leavesOut(m *decode.Message) bool {
	if s.once == nil {
		return false
	}
	is := s.once.Copy(m)
	s.own = s.own[:0]
	for i := range m.Findings {
		if f := &m.Findings[i]; !s.once.Finding(m, f) && is {
			s.own = append(s.own, *f)
		}
	}
	if is {
		m.Findings = s.own
	}
	return is
}

// apart returns a finding of a message as a finding that no message carries.
func apart(m *decode.Message, i int) *wire.TrafficFinding {
	return &wire.TrafficFinding{Place: m.Place, Rule: m.Findings[i].Rule, Text: m.Findings[i].Text}
}

// heldValues holds values until the message at their place arrives, since the filter decides about both together.
type heldValues struct {
	list  []wire.Value           // values of one place
	shown func(*wire.Place) bool // decides if there is no message at their place
	pass  func(*wire.Value)
}

func (h *heldValues) add(v *wire.Value) {
	if len(h.list) > 0 && h.list[0].Place != v.Place {
		h.release(nil, false)
	}
	h.list = append(h.list, *v)
}

// release passes the values on if they are shown. If they are at the place of m, shown decides.
func (h *heldValues) release(m *decode.Message, shown bool) {
	if len(h.list) == 0 {
		return
	}
	if p := &h.list[0].Place; m == nil || *p != m.Place {
		shown = h.shown(p)
	}
	if shown {
		for i := range h.list {
			h.pass(&h.list[i])
		}
	}
	h.list = h.list[:0]
}
