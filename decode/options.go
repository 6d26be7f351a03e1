package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// Options say what an Engine looks for and where it delivers.
type Options struct {
	Protocols []*wire.Protocol
	Dialect   wire.Dialect
	DecodeAs  []DecodeAs

	// Memory is about how many bytes the engine, its sessions and its trackers may remember of the traffic;
	// 0: DefaultMemory. When it is full, they forget what was idle longest, see RuleForgotten and Counters.Forgotten.
	Memory int

	Message func(*Message)             // called for each message; may be nil
	Finding func(*wire.TrafficFinding) // called for each finding that no message carries; may be nil
	Value   func(*wire.Value)          // called for each value that a tracker measures; may be nil
	Attempt func(*wire.Attempt)        // called when an attempt begins, changes or is over; may be nil

	// Sink, unless it is nil, takes the place of Message and Finding. Text, unless it is nil, writes what Sink selects.
	Sink Sink
	Text Text

	// Raw is called with the bytes that one side of a conversation sends, in order: each datagram, and the new bytes of
	// a TCP stream. They are valid during the call. May be nil.
	Raw func(wire.Place, wire.Direction, []byte)

	// Told has Message.Told filled in. A Deduplicator needs it.
	Told bool

	// Others has the packets that belong to no recognised conversation counted by kind, see Engine.Others.
	Others bool

	// Other is called with the serial of each frame that belongs to no recognised conversation, from 1 in the order of
	// Frame, as soon as that is known. May be nil.
	Other func(serial int64)

	// MaskSecrets replaces passwords and tokens by asterisks in the data, the layer and the tree of messages. Findings
	// and values stay the same.
	MaskSecrets bool

	// These are for programs that change captures; each may be nil. Packet is called at the end of each frame that has an
	// IP packet, Partial for the first bytes of a message that never became whole, and Lost for a datagram of a game that
	// lacks a fragment, with the number in PacketInfo.
	Packet  func(*PacketInfo)
	Partial func(*Message)
	Lost    func(datagram int64)

	// Parallel decodes, dispatches and writes in three goroutines. Message, Finding, Value and Sink are called in one of
	// them, or by Close, and Text in another, each with the same arguments and in the same order as without. They must
	// not end their goroutine, else the next frame panics. It is for capture files, not for live captures: messages are
	// held until a batch is full. It has no effect together with Raw, Packet, Partial or Lost.
	Parallel bool
}

// A Sink takes messages, and findings that no message carries, in the order of the capture. Its results say whether
// Text is to write what was passed.
type Sink interface {
	Message(*Message) bool
	Finding(*wire.TrafficFinding) bool
}

// A Text writes what a Sink selects, in that order. With Options.Parallel it has a goroutine of its own.
type Text interface {
	Message(*Message)
	Finding(*wire.TrafficFinding)
}

// DecodeAs forces a protocol on all conversations of a port, whatever their content. It has no effect on TCP if the
// protocol has no messages over TCP.
type DecodeAs struct {
	Transport wire.Transport
	Port      uint16
	Protocol  *wire.Protocol
}
