package iceball

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Times, in nanoseconds. The rhythm of announces is the document's, which the real game keeps.
const (
	burstStep   = int64(time.Second)
	burstPeriod = int64(40 * time.Second)
	burstEnd    = int64(5 * time.Second) // pause after which the next announce begins a burst
	promptly    = int64(time.Second)     // time in which the game answers MSOK

	// oneWay is longer than the travel time of a message. Answers to messages before the capture come within it.
	oneWay = int64(300 * time.Millisecond)

	// soon is the time in which a heartbeat server answers an announce, before the game sends the next one.
	soon = int64(900 * time.Millisecond)

	// grace is the time in which a heartbeat server handles a datagram, so that lists show it. The server reads one
	// datagram every 50 ms.
	grace = int64(2 * time.Second)

	// A server is listed for 120 seconds after its last announce.
	stillListed = int64(119 * time.Second)
	goneBy      = int64(121 * time.Second)
)

// headerSize is the number of letters that name a message.
const headerSize = 4

// captureTime is the time of the capture.
type captureTime struct {
	start clock.Moment
	since clock.Moment // the tracker knows everything from then on: the start, or when it last dropped something
	now   int64
	quiet clock.Moment // the end of the last silence in which a server would have announced itself
}

// forget records that something was dropped to which the next messages may belong.
func (c *captureTime) forget() { c.since = clock.At(c.now) }

// isEarly reports whether a time is so soon after the capture's start, or after the tracker dropped something, that a
// message may answer an unknown one.
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
