package decode

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A captureClock follows the clock of a capture. It depends only on packet times, so all engines that share a capture
// have the same result.
type captureClock struct {
	last    clock.Moment // the newest time; also advanced by the caller when no packet comes
	steady  int64        // start of the current period of steady traffic
	silence int64        // the longest time without a packet so far
	count   int          // number of jumps
	told    int          // number of jumps that were worth reporting
}

const (
	// maxBack is how much a packet time may be before the previous one. Packets of two interfaces or two processors are
	// not always captured in order.
	maxBack = int64(100 * time.Millisecond)

	// A pause in steady traffic is a gap in the capture if it is longer than maxSilence, or longer than both
	// usualSilence and twice any earlier pause. Traffic is steady if no pause within steadyTime was longer than lull.
	// Other traffic is irregular, such as a heartbeat every two minutes, so only a pause of maxQuiet is a gap.
	usualSilence = int64(40 * time.Second)
	maxSilence   = int64(5 * time.Minute)
	maxQuiet     = int64(15 * time.Minute)
	lull         = int64(10 * time.Second)
	steadyTime   = int64(30 * time.Second)

	// maxJumps bounds the work caused by packets in random order.
	maxJumps = 1000
)

// jumps handles the time of a packet. It reports whether the clock jumped: it was set back, or the pause since the
// previous packet shows that it was set forward, that the capture was interrupted, or that captures of two days were
// joined.
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
