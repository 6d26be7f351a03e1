package bzflag

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// EventWindow is the maximum time between messages about the same event. It is long, because the engine waits five
// seconds for lost bytes of a stream, and TCP may retransmit for several seconds.
const EventWindow = 10 * time.Second

// A Reference selects the reference connection of a game: a connection whose client is in the game and has been
// informed of every event. While a game has such a connection, the state that the server sends to a new client contains
// no new events.
type Reference struct {
	serial uint32 // serial number of the connection; 0: none
	seen   int64
}

// referenceIdle is how long the server may send nothing on the reference connection. Servers ping players every ten
// seconds.
const referenceIdle = int64(30 * time.Second)

// Meet records a message from the server on a connection. able means that this connection may become the reference
// connection. Meet reports whether another connection is the reference connection.
func (e *Reference) Meet(serial uint32, able bool, now int64) bool {
	if e.serial == serial && !able || clock.Elapsed(e.seen, now) > referenceIdle {
		e.serial = 0
	}
	if e.serial == 0 && able {
		e.serial = serial
	}
	if e.serial != serial {
		return e.serial != 0
	}
	e.seen = now
	return false
}

// Leave records that a connection has ended.
func (e *Reference) Leave(serial uint32) {
	if e.serial == serial {
		e.serial = 0
	}
}
