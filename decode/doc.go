// Package decode is the engine: it takes captured frames and gives the messages of the game protocols in them.
//
// Whoever uses it makes an Engine with Options: the protocols to look for (layers.All has those that are known), and
// functions for what comes out: each Message, each finding that no message carries, each value that was measured.
// Then it is shown one Frame after the other, and closed. The example is a whole program. What a message says is in
// the body of its layer, a struct of the protocol's package; Message.Tree has it for those who know no protocol.
//
// How it is built: package ip finds the packet in a frame and joins fragments, package tcp joins segments to streams.
// The engine (engine.go) looks up the conversation that a packet belongs to (conversation.go), finds out which
// protocol it speaks (recognise.go), decodes the messages in its datagrams (decoder.go) and splits its streams into
// messages (receiver.go, split.go, search.go, gap.go). What is decoded goes to a sink: the dispatcher, which shows it
// to the trackers and calls the functions of the Options (dispatcher.go), or a pipeline, which has the dispatcher do so
// while the next frames are decoded, and has what the dispatcher hands on written while it goes on (pipeline.go,
// batch.go). All state is bounded and ages by the time of the packets, never by the clock of the machine.
//
// The engine knows protocols only as values of wire.Protocol. It imports no particular protocol, and reads and writes
// no files.
//
// Other programs may rely on what it exports, see docs/api.md.
package decode
