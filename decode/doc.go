// Package decode is the engine: it takes captured frames and gives the messages of the game
// protocols in them.
//
// Package ip finds the packet in a frame and joins fragments, package tcp joins segments to streams. The engine
// (engine.go) looks up the conversation that a packet belongs to (conversation.go), finds out which protocol it
// speaks (recognise.go), decodes the messages in its datagrams (decoder.go) and splits its streams into messages
// (receiver.go, split.go, search.go, gap.go). What is decoded goes to a sink: the deliverer, which shows it to the
// trackers and calls the functions of the Options (deliverer.go), or a conveyor, which has the deliverer do so while
// the next frames are decoded, and has what the deliverer hands on written while it goes on (conveyor.go, load.go).
// All state is bounded and ages by the time of the packets, never by the clock of the machine.
//
// The engine knows protocols only as values of wire.Protocol. What may not enter: a
// particular protocol, files and interfaces, output.
package decode
