package view

import "math"

// An extent has the number of packets read so far, and the times of the first and the last one, in nanoseconds since
// 1970.
type extent struct{ packets, first, last int64 }

func (e *extent) packet(now int64) {
	if e.packets == 0 {
		e.first = now
	}
	e.packets++
	e.last = max(e.last, now)
}

// seconds converts a time to seconds since the first packet.
func (e *extent) seconds(ns int64) float64 {
	d := ns - e.first
	if (d < 0) != (ns < e.first) { // the subtraction overflowed
		return math.Copysign(math.MaxInt32, float64(ns)-float64(e.first))
	}
	return float64(d) / 1e9
}

// nanoseconds is the inverse of seconds.
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

// span converts the two times in a request to nanoseconds since 1970. A nil time means no limit.
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
