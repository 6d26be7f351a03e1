package capture

import (
	"math"
	"math/bits"
)

// clock converts the timestamps of a pcapng interface to nanoseconds, rounded down. It supports every resolution that
// the option if_tsresol can express. With resolutions as fine as 10^-80 or 2^-127 of a second, all 64-bit timestamps
// are within the first nanosecond.
//
// A timestamp is multiplied by mul, divided by div (one of the two is 1) and shifted right. Then offset seconds are
// added.
type clock struct {
	mul, div uint64
	shift    uint
	offset   int64
}

// newClock makes a clock from the value of if_tsresol: draft-ietf-opsawg-pcapng section 4.2.
func newClock(resolution byte) clock {
	if resolution&0x80 == 0 {
		return decimalClock(int(resolution))
	}
	return clock{mul: 1e9, div: 1, shift: uint(resolution & 0x7f)}
}

// decimalClock makes a clock for timestamps in units of 10^-digits seconds.
func decimalClock(digits int) clock {
	c := clock{mul: 1, div: 1}
	for ; digits < 9; digits++ {
		c.mul *= 10
	}
	for ; digits > 9; digits-- {
		if c.div > math.MaxUint64/10 {
			return clock{mul: 0, div: 1} // all 64-bit timestamps are less than a nanosecond
		}
		c.div *= 10
	}
	return c
}

// nanoseconds converts a timestamp. Times more than about 292 years before or after 1970 saturate.
func (c *clock) nanoseconds(stamp uint64) int64 {
	high, low := bits.Mul64(stamp, c.mul)
	if c.div > 1 {
		low /= c.div
	}
	if c.shift > 0 {
		low = low>>c.shift | high<<(64-c.shift) | high>>(c.shift-64)
		high >>= c.shift
	}
	if high > 0 || low > math.MaxInt64 {
		low = math.MaxInt64
	}
	return addSeconds(int64(low), c.offset)
}

// addSeconds adds seconds to ns, and saturates. ns must not be negative.
func addSeconds(ns, seconds int64) int64 {
	const limit = math.MaxInt64 / 1_000_000_000
	switch {
	case seconds == 0:
		return ns
	case seconds > limit:
		return math.MaxInt64
	case seconds < -limit:
		return math.MinInt64
	}
	seconds *= 1e9
	if seconds > 0 && ns > math.MaxInt64-seconds {
		return math.MaxInt64
	}
	return ns + seconds
}
