// Package decode is the engine: it finds the messages of the game protocols in captured frames.
//
// A caller makes an Engine with Options. The Options contain the protocols to look for (layers.All has all supported
// ones), and functions that are called with each Message, each finding that does not belong to a message, and each
// measured value. The caller then passes the frames to the engine one by one, and closes it. The example is a complete
// program. The content of a message is in the body of its layer, a struct in the protocol's package. Message.Tree
// returns the content in a form that is the same for all protocols.
//
// Package ip finds the packet in a frame and joins fragments. Package tcp joins segments into streams. The engine
// (engine.go) looks up the conversation of a packet (conversation.go), recognises its protocol (recognise.go,
// candidates.go), decodes the messages in its datagrams (datagram.go, decoder.go) and splits its streams into messages
// (receiver.go, split.go, search.go, gap.go). The decoder passes messages to a stage. The stage is either the
// dispatcher, which passes them to the trackers and to the functions in Options (dispatcher.go), or a pipeline, which
// runs the dispatcher and Options.Text in other goroutines (pipeline.go, batch.go). All state is bounded, and expires
// by packet time, not by the machine's clock.
//
// The engine knows protocols only as values of wire.Protocol. It must not import any particular protocol, or read or
// write files.
//
// Other programs may rely on its exported names, see docs/api.md.
package decode
