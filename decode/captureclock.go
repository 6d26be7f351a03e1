package decode

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A captureClock is what an engine knows of the clock of its capture. It knows that from the times of packets alone, so
// that all engines that share a capture know the same.
type captureClock struct {
	last    clock.Moment // the newest time, and when the caller said that no packet came
	steady  int64        // since when packets came without a lull
	silence int64        // the longest time without a packet
	count   int          // of jumps
	told    int          // of those that are worth telling
}

const (
	// maxBack is by how much a packet may be older than one before it: the packets of two interfaces, or of two
	// processors, are not always captured in order.
	maxBack = int64(100 * time.Millisecond)

	// Steady traffic that stops for usualSilence, and for twice as long as ever before, has a hole, and always if it
	// stops for maxSilence. It is steady if no pause was longer than a lull for steadyTime. Other traffic comes now and
	// then, such as a heartbeat each two minutes or a server's list that someone looks at, so a silence of maxQuiet has to
	// show the hole.
	usualSilence = int64(40 * time.Second)
	maxSilence   = int64(5 * time.Minute)
	maxQuiet     = int64(15 * time.Minute)
	lull         = int64(10 * time.Second)
	steadyTime   = int64(30 * time.Second)

	// maxJumps bounds the work that packets without any order make.
	maxJumps = 1000
)

// jumps takes the time of a packet. It reports whether the clock was set back, or so much time passed without a packet
// that the clock was set, the capture was interrupted, or captures of two days were put together.
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
