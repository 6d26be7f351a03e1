package bzflag24

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Tolerances, in nanoseconds.
const (
	lagUDP   = int64(500 * time.Millisecond) // difference in delay between UDP and TCP
	lagLife  = int64(time.Second)            // delay until a client knows that its tank died
	disorder = int64(50 * time.Millisecond)  // a capture may show a request this long before the message that permits it
	overdue  = int64(5 * time.Second)        // time until a missing segment is considered lost
)

// message is a message and its place in the capture.
type message struct {
	layer *Layer
	place *wire.Place
}

// unreadable reports whether the fields of a message are unreliable, because the message has errors or was cut.
func (m message) unreadable() bool { return m.layer.Fault() != nil || m.layer.Truncated() }

func (m message) tcp() bool { return m.place.Transport == wire.TCP }

// since returns the time from an earlier moment to the message, in nanoseconds.
func (m message) since(moment int64) int64 { return clock.Elapsed(moment, m.place.Time) }

// seconds converts nanoseconds to seconds.
func seconds(d int64) float64 { return time.Duration(d).Seconds() }
