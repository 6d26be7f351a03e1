package view

import "math"

// extent is how many packets were read, and when the first one and the last one came, in nanoseconds since 1970.
type extent struct{ packets, first, last int64 }

func (e *extent) packet(now int64) {
	if e.packets == 0 {
		e.first = now
	}
	e.packets++
	e.last = max(e.last, now)
}

// seconds returns a time in seconds since the first packet.
func (e *extent) seconds(ns int64) float64 {
	d := ns - e.first
	if (d < 0) != (ns < e.first) { // it overflowed
		return math.Copysign(math.MaxInt32, float64(ns)-float64(e.first))
	}
	return float64(d) / 1e9
}

// nanoseconds returns the time that is so many seconds after the first packet.
func (e *extent) nanoseconds(seconds float64) int64 {
	ns := float64(e.first) + seconds*1e9
	switch {
	case !(ns > math.MinInt64):
		return math.MinInt64
	case ns >= math.MaxInt64:
		return math.MaxInt64
	}
	return e.first + int64(seconds*1e9)
}

// span returns two times of a request in nanoseconds since 1970; nil stands for no bound.
func (e *extent) span(from, to *float64) (first, last int64) {
	first, last = math.MinInt64, math.MaxInt64
	if from != nil {
		first = e.nanoseconds(*from)
	}
	if to != nil {
		last = e.nanoseconds(*to)
	}
	return first, last
}
