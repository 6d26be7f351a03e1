package wire

// A Relay is a Tracker of a protocol in which servers send each event to all their clients. A capture of several
// connections then contains the event several times.
type Relay interface {
	// Told returns the event of a message, right after the Tracker saw the message. It appends the event to room.
	Told(room []byte, l Layer, p *Place) Told
}

// Told is the event that a message carries. It is the zero value if the server sends the message only to one client: a
// lag ping, an answer.
type Told struct {
	// Event identifies the event: all messages that carry it have the same bytes, and no message of another server
	// has them.
	Event []byte

	// Source is one side of a client's connection, over UDP and TCP alike. It sends each event once.
	Source uint32

	// Skip says that another message is the event. A server may repeat to a newcomer what another captured connection
	// received when it happened. Or a client asks for the event, and the server sends it to all clients if it happens.
	Skip bool
}
