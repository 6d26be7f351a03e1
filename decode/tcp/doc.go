// Package tcp joins segments to streams of bytes, as far as a capture contains them.
//
// A Segment is parsed from the bytes of a packet (segment.go) and passed to its Connection, which has two Streams
// (connection.go, stream.go). Bytes in order go to the connection's Receiver at once and without a copy. Bytes that the
// receiver leaves unused, or that wait after a gap, are kept (backlog.go, gap.go). A retransmission is compared with
// the bytes that came first (delivered.go). All connections share an Assembler: packet time (waiting.go), and one
// memory limit for all (assembler.go).
//
// The package knows neither the content of streams nor addresses. From this module it uses only buffers and packet
// times.
//
// Other programs must not rely on it, see docs/api.md.
package tcp
