package decode

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A captureClock is what an engine knows about the clock of its capture. It depends on packet times alone, so all
// engines that share a capture agree.
type captureClock struct {
	last    clock.Moment // the newest time; the caller reported that no packet came
	steady  int64        // start of the period without a lull
	silence int64        // the longest time without a packet
	count   int          // number of jumps
	told    int          // jumps worth reporting
}

const (
	// maxBack is how much older than its predecessor a packet may be. Packets of two interfaces or two processors are
	// not always captured in order.
	maxBack = int64(100 * time.Millisecond)

	// Steady traffic that stops for usualSilence, and twice as long as ever before, has a hole; if it stops for
	// maxSilence, always. It is steady if no pause in steadyTime was longer than lull. Other traffic is irregular, such
	// as a heartbeat every two minutes, so only a silence of maxQuiet shows a hole.
	usualSilence = int64(40 * time.Second)
	maxSilence   = int64(5 * time.Minute)
	maxQuiet     = int64(15 * time.Minute)
	lull         = int64(10 * time.Second)
	steadyTime   = int64(30 * time.Second)

	// maxJumps bounds the work caused by packets in random order.
	maxJumps = 1000
)

// jumps takes the time of a packet. It reports whether the clock was set back, or the gap since the previous packet
// shows that the clock was set, the capture was interrupted, or captures of two days were joined.
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
