// Package decode is the engine: it finds the messages of the game protocols in captured frames.
//
// A caller makes an Engine with Options: the protocols to look for (layers.All has the known ones), and functions that
// take each Message, each finding that no message carries, and each measured value. The caller then passes the engine
// one Frame after the other, and closes it. The example is a whole program. What a message says is in the body of its
// layer, a struct of the protocol's package; Message.Tree has it in a form that is the same for all protocols.
//
// Package ip finds the packet in a frame and joins fragments, package tcp joins segments to streams. The engine
// (engine.go) looks up the conversation of a packet (conversation.go), finds out which protocol it speaks
// (recognise.go, candidates.go), decodes the messages in its datagrams (datagram.go, decoder.go) and splits its streams
// into messages (receiver.go, split.go, search.go, gap.go). The decoder passes messages to a stage. That is the
// dispatcher, which shows them to the trackers and to what the Options name (dispatcher.go), or a pipeline, which runs
// the dispatcher and Options.Text in other goroutines (pipeline.go, batch.go). All state is bounded, and ages by the
// time of the packets, never by the machine's clock.
//
// The engine knows protocols only as values of wire.Protocol. It imports no particular protocol, and reads and writes
// no files.
//
// Other programs may rely on its exported names, see docs/api.md.
package decode
