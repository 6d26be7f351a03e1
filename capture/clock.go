package capture

import (
	"math"
	"math/bits"
)

// clock converts the timestamps of an interface to nanoseconds. It supports every resolution that if_tsresol can
// express in 128 bits and rounds down. Resolutions as fine as 10^-80 or 2^-127 of a second are exact too, since all
// their timestamps lie within the first nanosecond.
//
// A timestamp is multiplied by mul, divided by div (one of the two is 1) and shifted right. Then offset seconds are
// added.
type clock struct {
	mul, div uint64
	shift    uint
	offset   int64
}

// newClock makes a clock from the value of if_tsresol: section 4.2.
func newClock(resolution byte) clock {
	if resolution&0x80 == 0 {
		return decimalClock(int(resolution))
	}
	return clock{mul: 1e9, div: 1, shift: uint(resolution & 0x7f)}
}

// decimalClock counts in units of 10^-digits seconds.
func decimalClock(digits int) clock {
	c := clock{mul: 1, div: 1}
	for ; digits < 9; digits++ {
		c.mul *= 10
	}
	for ; digits > 9; digits-- {
		if c.div > math.MaxUint64/10 {
			return clock{mul: 0, div: 1} // 64 bits of such units are less than a nanosecond in all
		}
		c.div *= 10
	}
	return c
}

// nanoseconds converts a timestamp. If 64 bits are too few, about 292 years from 1970, it saturates.
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

// addSeconds adds seconds to ns, which is not negative, and saturates.
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
