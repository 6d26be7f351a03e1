// Package tcp joins segments to streams of bytes, as far as a capture has them.
//
// A Segment is parsed from the bytes of a packet (segment.go) and given to its Connection, which has two Streams
// (connection.go, stream.go). Bytes in order go to the connection's Receiver at once and in place. Bytes that the
// receiver leaves unused, or that wait after a gap, are kept (backlog.go, gap.go). A retransmission is compared with
// the bytes that came first (delivered.go). An Assembler is what all connections share: packet time (waiting.go), and
// one bound for the memory of all (assembler.go).
//
// The package knows neither the content of streams nor addresses, and of this module only buffers and packet times.
//
// Other programs find no promise here, see docs/api.md.
package tcp
