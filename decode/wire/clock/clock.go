// Package clock calculates with packet times. These are nanoseconds since 1970. They come from captures, so they may
// have any value. Sums and differences saturate at the limits of an int64 instead of wrapping around.
//
// This package must not use the machine's clock, and must not know any rule about durations.
//
// Other programs must not rely on it, see docs/api.md.
package clock

import "math"

// Elapsed returns the number of nanoseconds between two times. It is negative if the second time is earlier.
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

// Add adds nanoseconds to a time.
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

// A Moment is an optional time. The zero value has no time. A Moment is as small as an int64, so one time cannot be
// represented: At(math.MinInt64) returns the time one nanosecond later.
type Moment struct{ sinceFirst uint64 }

const first = 1 << 63 // converts nanoseconds since 1970 to nanoseconds since math.MinInt64, and back

// At returns a Moment with a time.
func At(when int64) Moment { return Moment{max(uint64(when)^first, 1)} }

// Known reports whether the Moment has a time.
func (m Moment) Known() bool { return m != Moment{} }

// When returns the time, or math.MinInt64 if there is none.
func (m Moment) When() int64 { return int64(m.sinceFirst ^ first) }

// Within reports whether now is the moment or at most the given number of nanoseconds later. It returns false if the
// Moment has no time.
func (m Moment) Within(now, nanoseconds int64) bool {
	d := Elapsed(m.When(), now)
	return m.Known() && d >= 0 && d <= nanoseconds
}
