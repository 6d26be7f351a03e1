// Package tcp joins TCP segments into streams of bytes, as far as a capture contains them.
//
// A Segment is parsed from the bytes of a packet (segment.go) and passed to its Connection, which has two Streams
// (connection.go, stream.go). Bytes that are in order go to the connection's Receiver at once, without a copy. Bytes
// that the receiver leaves unused, and bytes that wait after a gap, are kept (backlog.go, gap.go). Retransmissions are
// compared with the bytes that arrived first (delivered.go). All connections share an Assembler, which has the packet
// time (waiting.go) and the memory limit (assembler.go).
//
// This package must not depend on the content of streams or on addresses. The only packages of this module that it
// imports are for buffers and packet times.
//
// Other programs must not rely on it, see docs/api.md.
package tcp
