package session

import (
	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// A Sink takes the messages and findings of a run, in order. They are valid during the call.
type Sink interface {
	Message(*decode.Message)
	Finding(*wire.TrafficFinding)
}

// Interfaces that a sink may implement besides.
type (
	// A ValueSink takes the values that trackers measure.
	ValueSink interface{ Value(*wire.Value) }

	// An eventSink takes the events of trackers, see wire.Value.Event.
	eventSink interface{ Event(*wire.Value) }

	// A packetSink takes each packet before the messages and findings of the packet.
	packetSink interface{ Packet(*capture.Packet) }

	// A packetWriter takes each packet after its messages and findings. An error ends the run.
	packetWriter interface {
		WritePacket(*capture.Packet) error
	}

	// A rawSink takes the bytes that each side of a conversation sends, in order.
	rawSink interface {
		Raw(wire.Place, wire.Direction, []byte)
	}

	// A fullSink reports whether it can take no more; then the run ends. The run may ask in another goroutine.
	fullSink interface{ Full() bool }

	// An endSink is called when the run ends.
	endSink interface {
		End(decode.Counters) error
	}

	// A TextSink writes text to out. If later is true, it may be called later than other sinks, in another goroutine.
	TextSink interface {
		Sink
		Text() (out *term.Output, later bool)
	}
)

// Discard is a sink that does nothing.
type Discard struct{}

func (Discard) Message(*decode.Message) {}

func (Discard) Finding(*wire.TrafficFinding) {}
