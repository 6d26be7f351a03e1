package bzflag

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// EventWindow is the largest time between messages about the same event: streams wait five seconds for lost bytes, and
// TCP retransmits for seconds.
const EventWindow = 10 * time.Second

// A Reference is the reference connection of a game: its client is in the game and was told of every event. While a
// game has one, the state that the server sends to a newcomer is not news.
type Reference struct {
	serial uint32 // of the connection; 0: there is none
	seen   int64
}

// referenceIdle is how long the connection may be silent. Servers ping players every ten seconds.
const referenceIdle = int64(30 * time.Second)

// Meet notes a message of the server on a connection; able says that this connection may be the reference. Meet reports
// whether another connection is the reference.
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

// Leave notes that a connection has ended.
func (e *Reference) Leave(serial uint32) {
	if e.serial == serial {
		e.serial = 0
	}
}
