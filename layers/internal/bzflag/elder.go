package bzflag

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// An Elder is a connection of a game whose client is there and was told all that happened since. What a newcomer is
// told of how things stand is nothing new then.
type Elder struct {
	serial uint32 // of the connection; 0: there is none
	seen   int64
}

// elderIdle is how long a connection may be silent and still be there. Servers ping players every ten seconds.
const elderIdle = int64(30 * time.Second)

// Meet takes note of a message of the server, on a connection that may be an elder. It reports whether another one
// is.
func (e *Elder) Meet(serial uint32, able bool, now int64) bool {
	if e.serial == serial && !able || clock.Elapsed(e.seen, now) > elderIdle {
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

// Leave takes note that a connection has ended.
func (e *Elder) Leave(serial uint32) {
	if e.serial == serial {
		e.serial = 0
	}
}
