package session

import (
	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// A Sink states what it needs of a run by the functions that it has; each may be nil. What they take is valid during
// the call. Trackers measure only if a sink has Value or Event. With Packet, WritePacket or Raw the engine decodes in
// the goroutine of the packets.
type Sink struct {
	Message func(*decode.Message)                    // selected messages and findings, in order
	Finding func(*wire.TrafficFinding)               // those that no message carries
	Value   func(*wire.Value)                        // what trackers measure
	Event   func(*wire.Value)                        // see wire.Value.Event
	Packet  func(*capture.Packet)                    // before the packet's messages and findings
	Full    func() bool                              // whether the run is to end; asked after each packet
	End     func(decode.Counters) error              // called when the run ends
	Raw     func(wire.Place, wire.Direction, []byte) // see decode.Options; one sink of a run may have it

	// WritePacket takes each packet after its messages and findings. An error ends the run.
	WritePacket func(*capture.Packet) error

	// Text, unless it is nil, is where Message and Finding write; one sink of a run may have it. If Later is true, they
	// may be called later than other sinks, in another goroutine.
	Text  *term.Output
	Later bool
}

// selected is the decode.Sink of a run: it passes what is selected to the sinks.
type selected struct{ *Run }

func (s selected) Message(m *decode.Message) bool {
	shown := s.Selection.message(m)
	s.held.release(m, shown)
	if !shown {
		return false
	}
	if s.Selection.leavesOut(m) {
		for i := range m.Findings {
			f := apart(m, i)
			s.Selection.Subjects.finding(f)
			s.passFinding(f)
		}
		return len(m.Findings) > 0
	}
	s.Selection.Rules.note(m.Findings)
	for i := range s.sinks {
		if take := s.sinks[i].Message; take != nil {
			take(m)
		}
	}
	return true
}

func (s selected) Finding(f *wire.TrafficFinding) bool {
	if !s.Selection.finding(f) {
		return false
	}
	s.passFinding(f)
	return true
}

// passFinding passes a selected finding to the sinks.
func (s selected) passFinding(f *wire.TrafficFinding) {
	s.Selection.Rules.noteRule(f.Rule)
	for i := range s.sinks {
		if take := s.sinks[i].Finding; take != nil {
			take(f)
		}
	}
}

// value takes what a tracker measured.
func (s selected) value(v *wire.Value) {
	s.Selection.Subjects.value(v)
	if s.Selection.Filter == nil {
		s.passValue(v)
	} else {
		s.held.add(v)
	}
}

// passValue passes a selected value to the sinks.
func (s selected) passValue(v *wire.Value) {
	for i := range s.sinks {
		take := s.sinks[i].Value
		if v.Event {
			take = s.sinks[i].Event
		}
		if take != nil {
			take(v)
		}
	}
}
