package session

import (
	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A Selection decides what a run passes to its sinks. The zero value passes everything. The order is
//
//	packet   Packets -> engine
//	message  Rules, which remove hidden findings -> Subjects -> Filter -> Only -> once -> sinks
//	finding  Only -> Rules -> Subjects -> Filter -> sinks
//	value    Subjects -> Filter, as it decides about the message at the same place -> sinks
//
// So Filter sees only those findings of a message that are shown. time_delta is the time since the previous message,
// even if Filter rejects that message. Of several copies, the first one that Filter selects is shown.
type Selection struct {
	Packets  func(*capture.Packet) bool // nil: every one
	Rules    RuleSet
	Subjects *Subjects              // nil: neither Filter nor a sink reads fields
	Filter   *filter.Filter         // nil: selects everything
	Only     func(*wire.Place) bool // nil: selects every place

	single bool                 // pass only the first of several copies, and only new findings of later ones
	once   *decode.Deduplicator // finds copies; nil unless single
	own    []wire.Finding       // reused by leavesOut
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

// message reports whether a message is selected, even if it is a copy. It removes the message's hidden findings.
func (s *Selection) message(m *decode.Message) bool {
	m.Findings = s.Rules.visible(m.Findings)
	s.Subjects.message(m)
	return s.matches() && s.at(&m.Place)
}

// finding reports whether a finding that belongs to no message is selected.
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

// leavesOut reports whether a selected message is a copy and must be left out. If so, it removes the findings that
// earlier copies already had.
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

// apart returns a finding of a message as a finding that belongs to no message.
func apart(m *decode.Message, i int) *wire.TrafficFinding {
	return &wire.TrafficFinding{Place: m.Place, Rule: m.Findings[i].Rule, Text: m.Findings[i].Text}
}

// waitingValues keeps values until the message at their place arrives, since the filter decides about the values and
// the message together.
type waitingValues struct {
	list  []wire.Value           // values at one place
	shown func(*wire.Place) bool // decides about values whose place has no message
	pass  func(*wire.Value)
}

func (w *waitingValues) add(v *wire.Value) {
	if len(w.list) > 0 && w.list[0].Place != v.Place {
		w.release(nil, false)
	}
	w.list = append(w.list, *v)
}

// release passes on the values, or drops them. If they are at the place of m, the parameter shown decides. Otherwise
// the function w.shown decides.
func (w *waitingValues) release(m *decode.Message, shown bool) {
	if len(w.list) == 0 {
		return
	}
	if p := &w.list[0].Place; m == nil || *p != m.Place {
		shown = w.shown(p)
	}
	if shown {
		for i := range w.list {
			w.pass(&w.list[i])
		}
	}
	w.list = w.list[:0]
}
