// Package tcp joins segments to streams of bytes, as far as a capture has them.
//
// A Segment is parsed from the bytes of a packet (segment.go). It is given to its Connection, which has two
// Streams (connection.go, stream.go); what is in order goes to the connection's Receiver at once and in place,
// what the receiver leaves unused and what waits behind a hole is kept (backlog.go, hole.go). A retransmission
// is compared with what came before (delivered.go). An Assembler has what all connections share: packet time,
// and one bound for the memory of all (assembler.go).
//
// What may not enter: what the streams say, addresses and conversations, and anything of ours but buffers and
// packet times.
package tcp
