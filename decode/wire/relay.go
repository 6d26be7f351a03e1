package wire

// A Relay is a Tracker of a protocol in which servers send each event to all of their clients. If a capture contains
// several connections, it contains the same event several times.
type Relay interface {
	// Told returns the event of a message. It is called right after the Tracker received the message. It may append the
	// bytes of the event to room.
	Told(room []byte, l Layer, p *Place) Told
}

// Told is the event that a message carries. It is the zero value if the server sends the message only to one client,
// such as a lag ping or an answer.
type Told struct {
	// Event identifies the event. All messages about the event have the same bytes here, and no message of another
	// server has them.
	Event []byte

	// Source is one side of a client's connection, which includes both UDP and TCP. A source sends each event once.
	Source uint32

	// Skip says that another message reports the event. For example, the server repeats old events to a new client, and
	// another captured connection received them when they happened. Or the message only requests the event; if the
	// event happens, the server sends it to all clients.
	Skip bool
}
