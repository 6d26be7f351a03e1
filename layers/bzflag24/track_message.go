package bzflag24

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Tolerances, in nanoseconds.
const (
	lagUDP   = int64(500 * time.Millisecond) // between messages by UDP and by TCP
	lagLife  = int64(time.Second)            // until a client knows of its own death
	disorder = int64(50 * time.Millisecond)  // by which a capture may show a request before its cause
	overdue  = int64(5 * time.Second)        // until the tracker gives up on a missing segment
)

// message is a message and its place in the capture.
type message struct {
	layer *Layer
	place *wire.Place
}

// unreadable reports whether the fields of a message cannot be trusted.
func (m message) unreadable() bool { return m.layer.Fault() != nil || m.layer.Truncated() }

func (m message) tcp() bool { return m.place.Transport == wire.TCP }

// since returns the nanoseconds from an earlier moment to the message.
func (m message) since(moment int64) int64 { return clock.Elapsed(moment, m.place.Time) }

// seconds converts nanoseconds to seconds.
func seconds(d int64) float64 { return time.Duration(d).Seconds() }
