package session

import (
	"slices"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// A Sink receives the results of a run through its functions, each of which may be nil. Arguments are valid only during
// the call. Trackers measure values only if a sink has Value, Event or Any. If a sink has Packet, WritePacket or Raw,
// the engine decodes in the goroutine that reads packets.
type Sink struct {
	Message func(*decode.Message)                    // selected messages and findings, in order
	Finding func(*wire.TrafficFinding)               // selected findings that belong to no message
	Value   func(*wire.Value)                        // selected measured values
	Event   func(*wire.Value)                        // selected events, see wire.Value.Event
	Attempt func(*wire.Attempt)                      // all attempts, even those not selected
	Any     func(*wire.Value)                        // all measured values and events, even those not selected
	Packet  func(*capture.Packet)                    // called before the messages and findings of the packet
	Full    func() bool                              // called after each packet; reports whether the run must end
	End     func(decode.Counters) error              // called when the run ends
	Raw     func(wire.Place, wire.Direction, []byte) // see decode.Options; at most one sink of a run may have it

	// WritePacket gets each packet after its messages and findings. An error ends the run.
	WritePacket func(*capture.Packet) error

	// Text, if not nil, is the output that Message and Finding write to. At most one sink of a run may have it. If
	// Later is true, Message and Finding may be called later than other sinks and in another goroutine.
	Text  *term.Output
	Later bool
}

func (s Sink) measures() bool { return s.Value != nil || s.Event != nil || s.Any != nil }

func (s Sink) follows() bool { return s.Attempt != nil }

func (s Sink) takesPackets() bool { return s.Packet != nil || s.WritePacket != nil || s.Full != nil }

func (s Sink) byPacket() bool { return s.Packet != nil || s.WritePacket != nil || s.Raw != nil }

// A delivery passes selected results to the sinks of a run. It is the decode.Sink of the run's engine.
type delivery struct {
	by      *Selection
	sinks   []Sink
	packets bool // a sink is called for each packet
	waiting waitingValues
}

func (d *delivery) begin(by *Selection) *delivery {
	d.by, d.waiting.shown, d.waiting.pass = by, by.place, d.passValue
	d.packets = slices.ContainsFunc(d.sinks, Sink.takesPackets)
	return d
}

func (d *delivery) Message(m *decode.Message) bool {
	shown := d.by.message(m)
	d.waiting.release(m, shown)
	if !shown {
		return false
	}
	if d.by.leavesOut(m) {
		for i := range m.Findings {
			f := apart(m, i)
			d.by.Subjects.finding(f)
			d.passFinding(f)
		}
		return len(m.Findings) > 0
	}
	d.by.Rules.note(m.Findings)
	for i := range d.sinks {
		if take := d.sinks[i].Message; take != nil {
			take(m)
		}
	}
	return true
}

// packet passes a packet to the sinks before its messages and findings.
func (d *delivery) packet(p *capture.Packet) {
	for i := range d.sinks {
		if take := d.sinks[i].Packet; take != nil {
			take(p)
		}
	}
}

// writePacket passes a packet to the sinks after its messages and findings.
func (d *delivery) writePacket(p *capture.Packet) error {
	for i := range d.sinks {
		if write := d.sinks[i].WritePacket; write != nil {
			if err := write(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// full reports whether a sink wants the run to end.
func (d *delivery) full() bool {
	for i := range d.sinks {
		if full := d.sinks[i].Full; full != nil && full() {
			return true
		}
	}
	return false
}

// attempt passes an attempt to the sinks.
func (d *delivery) attempt(a *wire.Attempt) {
	for i := range d.sinks {
		if take := d.sinks[i].Attempt; take != nil {
			take(a)
		}
	}
}

func (d *delivery) Finding(f *wire.TrafficFinding) bool {
	if !d.by.finding(f) {
		return false
	}
	d.passFinding(f)
	return true
}

func (d *delivery) passFinding(f *wire.TrafficFinding) {
	d.by.Rules.noteRule(f.Rule)
	for i := range d.sinks {
		if take := d.sinks[i].Finding; take != nil {
			take(f)
		}
	}
}

// value passes on a value that a tracker measured.
func (d *delivery) value(v *wire.Value) {
	d.by.Subjects.value(v)
	for i := range d.sinks {
		if take := d.sinks[i].Any; take != nil {
			take(v)
		}
	}
	if d.by.Filter == nil {
		d.passValue(v)
	} else {
		d.waiting.add(v)
	}
}

func (d *delivery) passValue(v *wire.Value) {
	for i := range d.sinks {
		take := d.sinks[i].Value
		if v.Event {
			take = d.sinks[i].Event
		}
		if take != nil {
			take(v)
		}
	}
}
