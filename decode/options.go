package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// Options contain what an Engine looks for, and the functions that receive the results.
type Options struct {
	Protocols []*wire.Protocol
	Dialect   wire.Dialect
	DecodeAs  []DecodeAs

	// Memory is the approximate maximum size of the state of the engine, its sessions and its trackers, in bytes. 0
	// means DefaultMemory. When the memory is full, the state that was idle longest is dropped, see RuleForgotten and
	// Counters.Forgotten.
	Memory int

	Message func(*Message)             // called for each message; may be nil
	Finding func(*wire.TrafficFinding) // called for each finding that does not belong to a message; may be nil
	Value   func(*wire.Value)          // called for each value that a tracker measures; may be nil
	Attempt func(*wire.Attempt)        // called when an attempt begins, changes or ends; may be nil

	// If not nil, Sink replaces Message and Finding. If not nil, Text writes the messages and findings that Sink
	// selects.
	Sink Sink
	Text Text

	// Raw is called with the bytes that a side of a conversation sends, in order: each datagram, and the next new bytes
	// of a TCP stream. The bytes are valid during the call. Raw may be nil.
	Raw func(wire.Place, wire.Direction, []byte)

	// Told makes the engine set Message.Told, which a Deduplicator requires.
	Told bool

	// Others makes the engine count, by kind, the packets that do not belong to a recognised conversation, see
	// Engine.Others.
	Others bool

	// Other is called with the serial number of each frame that does not belong to a recognised conversation, as soon
	// as that is known. Serial numbers count the frames passed to Frame or Skip, from 1. Other may be nil.
	Other func(serial int64)

	// MaskSecrets makes the engine replace passwords and tokens with asterisks in the data, the layer and the tree of
	// messages. Findings and values are not masked.
	MaskSecrets bool

	// The following functions are for programs that change captures. Each may be nil. Packet is called at the end of
	// each frame that contains an IP packet. Partial is called with the first bytes of a message that never became
	// complete. Lost is called if a game's datagram lacks a fragment, with the datagram's number, see
	// PacketInfo.Datagram.
	Packet  func(*PacketInfo)
	Partial func(*Message)
	Lost    func(datagram int64)

	// Parallel makes the engine decode, dispatch and write in three goroutines. Message, Finding, Value and Sink are
	// called in one of them, or by Close. Text is called in another. The calls have the same arguments and the same
	// order as without Parallel. The functions must not end their goroutine; if they do, the next frame panics.
	// Parallel is for capture files, not for live captures, because messages are held until a batch is full. It has no
	// effect if Raw, Packet, Partial or Lost is set.
	Parallel bool
}

// A Sink receives messages, and findings that do not belong to a message, in capture order. Its methods return whether
// Text must write what they received.
type Sink interface {
	Message(*Message) bool
	Finding(*wire.TrafficFinding) bool
}

// A Text writes the messages and findings that a Sink selects, in the same order. With Options.Parallel it runs in its
// own goroutine.
type Text interface {
	Message(*Message)
	Finding(*wire.TrafficFinding)
}

// DecodeAs assigns all conversations on a port to a protocol, regardless of their content. It has no effect on TCP if
// the protocol has no messages over TCP.
type DecodeAs struct {
	Transport wire.Transport
	Port      uint16
	Protocol  *wire.Protocol
}
