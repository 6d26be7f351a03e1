package decode

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A captureClock detects jumps in the packet times of a capture. It depends only on packet times, so all engines that
// share a capture detect the same jumps.
type captureClock struct {
	last    clock.Moment // time of the newest packet; Engine.Time also advances it
	steady  int64        // start of the current period of steady traffic
	silence int64        // the longest time without a packet so far
	count   int          // number of jumps
	notable int          // number of jumps that are worth reporting
}

const (
	// maxBack is how far the time may go back without a jump. Packets of two interfaces or two processors are not
	// always captured in order.
	maxBack = int64(100 * time.Millisecond)

	// A pause in steady traffic is a gap in the capture if it is longer than maxSilence, or longer than both
	// usualSilence and twice any earlier pause. Traffic is steady if no pause within steadyTime was longer than lull.
	// In other traffic, such as a heartbeat every two minutes, only a pause longer than maxQuiet is a gap.
	usualSilence = int64(40 * time.Second)
	maxSilence   = int64(5 * time.Minute)
	maxQuiet     = int64(15 * time.Minute)
	lull         = int64(10 * time.Second)
	steadyTime   = int64(30 * time.Second)

	// maxJumps is the maximum number of jumps. It bounds the work if packets are in random order.
	maxJumps = 1000
)

// jumps handles the time of the next packet, and reports whether the time jumps back or forward. A jump means that the
// clock was set, that the capture was interrupted, or that two captures were joined.
func (c *captureClock) jumps(now int64) bool {
	if !c.last.Known() {
		c.last, c.steady, c.silence = clock.At(now), now, usualSilence/2
		return false
	}
	passed, most := clock.Elapsed(c.last.When(), now), maxQuiet
	if clock.Elapsed(c.steady, c.last.When()) >= steadyTime {
		most = min(2*c.silence, maxSilence)
	}
	jumps := c.count < maxJumps && (passed < -maxBack || passed > most)
	if jumps {
		c.count++
	}
	if jumps || passed > lull {
		c.steady = now
	}
	if jumps || passed > 0 {
		c.last, c.silence = clock.At(now), max(c.silence, passed)
	}
	return jumps
}
