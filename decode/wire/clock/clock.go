// Package clock reckons with packet times: nanoseconds since 1970 as a capture tells them, which may be
// anything. Sums and differences stop at the ends of an int64, where plain arithmetic would wrap around.
//
// What may not enter: the clock of the machine, and any rule about how long something may take.
//
// Other programs find no promise here, see docs/api.md.
package clock

import "math"

// Elapsed is the time from one moment to another in nanoseconds, negative if to is the earlier one. What
// an int64 cannot hold becomes the nearest that it can.
func Elapsed(from, to int64) int64 {
	d := to - from
	switch {
	case to >= from && d < 0:
		return math.MaxInt64
	case to < from && d >= 0:
		return math.MinInt64
	}
	return d
}

// Add is the moment so many nanoseconds after another, before it if they are negative, or the nearest end
// of time.
func Add(when, nanoseconds int64) int64 {
	sum := when + nanoseconds
	switch {
	case nanoseconds >= 0 && sum < when:
		return math.MaxInt64
	case nanoseconds < 0 && sum > when:
		return math.MinInt64
	}
	return sum
}

// A Moment is when something happened, if it did: the empty one is never. It takes no more than its time, since
// there are many: the very first time that there is counts as the next one.
type Moment struct{ sinceFirst uint64 }

const first = 1 << 63 // turns nanoseconds since 1970 into those since the first that there are, and back

// At is a moment that is known.
func At(when int64) Moment { return Moment{max(uint64(when)^first, 1)} }

// Known reports whether it happened.
func (m Moment) Known() bool { return m != Moment{} }

// When is the time at which it happened; of what never did, the first that there is.
func (m Moment) When() int64 { return int64(m.sinceFirst ^ first) }

// Within reports whether the moment is known and now is at most so long after it, and not before it.
func (m Moment) Within(now, nanoseconds int64) bool {
	d := Elapsed(m.When(), now)
	return m.Known() && d >= 0 && d <= nanoseconds
}
