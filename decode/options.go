package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// Options say what an Engine looks for and where it delivers it.
type Options struct {
	Protocols []*wire.Protocol
	Dialect   wire.Dialect
	DecodeAs  []DecodeAs

	// Memory bounds the state of the engine, its sessions and its trackers, in bytes, approximately. 0 means
	// DefaultMemory. When it is full, the state that was idle longest is dropped, see RuleForgotten and
	// Counters.Forgotten.
	Memory int

	Message func(*Message)             // called for each message; may be nil
	Finding func(*wire.TrafficFinding) // called for each finding that belongs to no message; may be nil
	Value   func(*wire.Value)          // called for each value that a tracker measures; may be nil
	Attempt func(*wire.Attempt)        // called when an attempt begins, changes or ends; may be nil

	// Sink, if not nil, replaces Message and Finding. Text, if not nil, writes what Sink selects.
	Sink Sink
	Text Text

	// Raw is called with the bytes that a side of a conversation sends, in order: each datagram, and the new bytes of a
	// TCP stream. They are valid during the call. Raw may be nil.
	Raw func(wire.Place, wire.Direction, []byte)

	// Told fills in Message.Told, which a Deduplicator needs.
	Told bool

	// Others counts the packets that belong to no recognised conversation by kind, see Engine.Others.
	Others bool

	// MaskSecrets replaces passwords and tokens by asterisks in the data, the layer and the tree of messages. Findings
	// and values are not masked.
	MaskSecrets bool

	// These are for programs that change captures; each may be nil. Packet is called at the end of each frame with an
	// IP packet, Partial for the first bytes of a message that never became whole, and Lost, with the number in
	// PacketInfo, for a datagram of a game that misses a fragment.
	Packet  func(*PacketInfo)
	Partial func(*Message)
	Lost    func(datagram int64)

	// Parallel decodes, dispatches and writes in three goroutines. Message, Finding, Value and Sink are called in one
	// of them, or by Close, and Text in another, with the same arguments and in the same order as without Parallel.
	// They must not end their goroutine, or the next frame panics. Use it for capture files, not for live captures:
	// messages are held until a batch is full. Together with Raw, Packet, Partial or Lost it has no effect.
	Parallel bool
}

// A Sink receives messages, and findings that belong to no message, in capture order. Its results report whether Text
// should write them.
type Sink interface {
	Message(*Message) bool
	Finding(*wire.TrafficFinding) bool
}

// A Text writes what a Sink selects, in that order. With Options.Parallel it runs in its own goroutine.
type Text interface {
	Message(*Message)
	Finding(*wire.TrafficFinding)
}

// DecodeAs assigns all conversations of a port to a protocol, whatever their content. It has no effect on TCP if the
// protocol has no messages over TCP.
type DecodeAs struct {
	Transport wire.Transport
	Port      uint16
	Protocol  *wire.Protocol
}
