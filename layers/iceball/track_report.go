package iceball

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Times in nanoseconds. The protocol document defines the times of announces, and the real game follows it.
const (
	burstStep   = int64(time.Second)
	burstPeriod = int64(40 * time.Second)
	burstEnd    = int64(5 * time.Second) // after a pause this long, the next announce begins a burst
	promptly    = int64(time.Second)     // the game answers MSOK (an acceptance) within this time

	// oneWay is longer than the travel time of a message. An answer to a message from before the capture arrives within
	// this time.
	oneWay = int64(300 * time.Millisecond)

	// soon is the time within which a heartbeat server answers an announce. The game sends its next announce later.
	soon = int64(900 * time.Millisecond)

	// grace is the time within which a heartbeat server reads a datagram and lists show the result. The server reads
	// one datagram every 50 ms.
	grace = int64(2 * time.Second)

	// A server stays in the list for 120 seconds after its last announce. Both limits leave a margin of one second.
	stillListed = int64(119 * time.Second)
	goneBy      = int64(121 * time.Second)
)

// headerSize is the size of the four letters that name a message.
const headerSize = 4

// captureTime keeps the times that limit what the tracker knows.
type captureTime struct {
	start clock.Moment
	since clock.Moment // the tracker has all later messages: the capture's start, or the last loss of state
	now   int64
	quiet clock.Moment // the end of the last silence that was too long for any announcing server
}

// forget records that the tracker dropped state. Later messages may refer to the dropped state.
func (c *captureTime) forget() { c.since = clock.At(c.now) }

// isEarly reports whether now is within span of the capture's start, or of the last time when the tracker dropped
// state. In this time, a message may answer a message that the tracker does not know.
func (c *captureTime) isEarly(now, span int64) bool {
	return clock.Elapsed(c.since.When(), now) <= span
}

// later returns the later of two moments.
func later(a, b clock.Moment) clock.Moment {
	if !a.Known() || b.Known() && b.When() > a.When() {
		return b
	}
	return a
}

// seconds converts nanoseconds to seconds.
func seconds(d int64) float64 { return float64(d) / float64(time.Second) }

// route is a pair of endpoints: an announcer or HTTP client, and a heartbeat server.
type route struct {
	from, to netip.AddrPort
}

// serverTable is the table of measured values.
const serverTable = "servers"

// measureTime measures a duration of a game server.
func measureTime(r *wire.Reporter, p *wire.Place, game netip.AddrPort, what string, d int64, answer bool) {
	if d >= 0 {
		r.Measured(wire.Value{Place: *p, Table: serverTable, Server: game, What: what, Number: seconds(d), Unit: "s",
			Answer: answer})
	}
}
