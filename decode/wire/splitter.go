package wire

// What Splitter.Next returns when there is no message to cut off.
const (
	NeedMore  = 0  // the size does not show yet
	NoMessage = -1 // no message begins here: bytes are lost, or this is something else
)

// A Splitter cuts the two directions of a connection into messages. There is one a connection,
// so it may remember what was said.
type Splitter interface {
	// Next gives the size of the message at the start of data, which may be more than there
	// is. ended tells that nothing follows the data.
	Next(way Direction, data []byte, ended bool) int

	// Plausible counts the whole messages at the start of data that are beyond doubt. broken
	// tells that something else follows them, not just the beginning of another one. With
	// it a stream of which bytes are lost is picked up again.
	Plausible(way Direction, data []byte) (messages int, broken bool)

	// Lost tells that bytes of a direction are missing.
	Lost(way Direction)
}
