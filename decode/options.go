package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// Options say what an Engine looks for and where it delivers.
type Options struct {
	Protocols []*wire.Protocol
	Dialect   wire.Dialect
	DecodeAs  []DecodeAs

	// Memory is how many bytes the engine, its sessions and its trackers remember of the traffic, about;
	// 0: DefaultMemory. They take what they need of it. When it is full, what was idle longest is forgotten, see
	// RuleForgotten and Counters.Forgotten.
	Memory int

	Message func(*Message)             // called for each message; may be nil
	Finding func(*wire.TrafficFinding) // called for each finding that no message carries; may be nil
	Value   func(*wire.Value)          // called for each value that a tracker measures; may be nil

	// Write and WriteFinding are called for what Message and Finding hand on, in that order, see Engine.Emit.
	// They are for what takes its time, such as text: with Parallel they have a goroutine of their own. May be nil.
	Write        func(*Message)
	WriteFinding func(*wire.TrafficFinding)

	// Raw is called with the bytes that one side of a conversation sends, in order: of each
	// datagram, and of a TCP stream whatever is new. They are valid during the call. May be nil.
	Raw func(wire.Place, wire.Direction, []byte)

	// Told has Message.Told filled in, for a Once.
	Told bool

	// Others has the packets that are none of ours counted by what they are, see Engine.Others.
	Others bool

	// MaskSecrets makes messages show asterisks for passwords and tokens: in their data, their
	// layer and their tree. Findings and values are as without.
	MaskSecrets bool

	// What follows is for those who change captures; each may be nil. Packet is called at the end
	// of each frame that has an IP packet; Partial for the beginning of a message that never became
	// whole; Lost with the number, as PacketInfo has it, of a datagram of ours of which a fragment is
	// missing.
	Packet  func(*PacketInfo)
	Partial func(*Message)
	Lost    func(datagram int64)

	// Parallel lets frames be decoded while those before are still shown to trackers and delivered, and while
	// those before these are written. Message, Finding and Value are called in a goroutine of the Engine then, or
	// by Close, but one after the other, and so are Write and WriteFinding in another one; what they are told is the
	// same. They must return: who ends a goroutine makes the next frame panic. It is for captures that are read,
	// not for live ones: what there is to tell waits until more has come. It has no effect together with Raw,
	// Packet, Partial or Lost.
	Parallel bool
}

// DecodeAs forces a protocol on the conversations of a port: what is said there need not look like it. It has no
// effect on TCP if nobody speaks the protocol there.
type DecodeAs struct {
	Transport wire.Transport
	Port      uint16
	Protocol  *wire.Protocol
}
