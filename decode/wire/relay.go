package wire

// A Relay is a Tracker of a protocol whose servers tell all their clients what happens, so that a capture of
// several connections has it several times.
type Relay interface {
	// Told says what a message tells, right after the Tracker saw it. It appends the event to room.
	Told(room []byte, l Layer, p *Place) Told
}

// Told is what a message tells that others may tell as well. The zero value is that of one that is for somebody alone:
// a lag ping, an answer.
type Told struct {
	// Event is what happened, as bytes that are the same in each message that tells it, and that no message of
	// another server has.
	Event []byte

	// Teller is one side of a client's connection, whichever transport carries what it says. It tells each event
	// once.
	Teller uint32

	// Elsewhere says that it is told elsewhere. It is how things stand, told to a newcomer, and another connection
	// was there when it happened; or a client asks for it, and if it comes true the server tells everybody.
	Elsewhere bool
}
