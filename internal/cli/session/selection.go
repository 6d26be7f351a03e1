package session

import (
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Selection says which messages and findings a run gives to its sinks.
type Selection struct {
	Rules   *RuleSet               // selects findings by their rules
	Display *Display               // selects by a display filter
	Only    func(*wire.Place) bool // selects by place
	single  bool                   // of several copies of a message, the first alone is selected
	once    *decode.Deduplicator   // finds the copies; nil unless single
}

// Everywhere is a condition for Selection.Only that holds for all places.
func Everywhere(*wire.Place) bool { return true }

// NewSelection returns the selection of everything that d shows.
func NewSelection(d *Display) Selection {
	return Selection{Rules: new(RuleSet), Display: d, Only: Everywhere}
}

// message reports whether a message is selected, copies included.
func (s *Selection) message(m *decode.Message) bool { return s.Display.message(m) && s.Only(&m.Place) }

// copy reports whether a message is left out because it is a copy. It then calls find with the findings that only this
// copy has.
func (s *Selection) copy(m *decode.Message, find func(*wire.TrafficFinding)) bool {
	if s.once == nil {
		return false
	}
	is := s.once.Copy(m)
	for i := range m.Findings {
		if f := &m.Findings[i]; !s.once.Finding(m, f) && is {
			find(&wire.TrafficFinding{Place: m.Place, Rule: f.Rule, Text: f.Text})
		}
	}
	return is
}

// finding reports whether a finding that belongs to no message is selected.
func (s *Selection) finding(f *wire.TrafficFinding) bool {
	return s.Only(&f.Place) && !s.Rules.hidden[f.Rule] && s.Display.finding(f)
}
