// Package decode is the engine: it takes captured frames and gives the messages of the game
// protocols in them.
//
// A frame goes through link and IP headers (link.go, ip.go), fragments are joined
// (fragment.go), the conversation it belongs to is looked up (flow.go) and recognised
// (detect.go), and its datagrams are cut into messages (engine.go, message.go). Trackers judge them,
// and they are delivered (judge.go), at once or while the next frames are decoded (ahead.go). All state
// is bounded and ages by the time of the packets, never by the clock of the machine.
//
// Whoever writes what is found in a goroutine of his own keeps messages in a Batch (batch.go).
//
// The engine knows protocols only as values of wire.Protocol. What may not enter: a
// particular protocol, files and interfaces, output.
package decode
