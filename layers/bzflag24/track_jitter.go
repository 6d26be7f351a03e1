package bzflag24

import (
	"math"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// jitter is the mean difference between the intervals at which a client's updates arrive and the intervals at which the
// client sent them, by its own clock. The mean is computed as in the server: the weight of each further difference is
// smaller, down to a hundredth.
type jitter struct {
	known   bool // the fields from stamp to order describe the last update
	stamp   float32
	time    int64
	order   int32
	weight  float64 // weight of the next difference; 0: there was no difference yet
	seconds float64
}

// take handles an update. Like the server, it ignores an update that arrives after a newer one, and does not compare
// updates that the client sent two or more seconds apart.
func (j *jitter) take(m message, b *Motion) {
	const most = 2
	if j.known && b.Order-j.order <= 0 {
		return
	}
	if step := b.Timestamp - j.stamp; j.known && j.stamp > 0 && step < most {
		off := math.Abs(seconds(m.since(j.time)) - float64(step))
		if j.weight == 0 {
			j.weight = 1
		}
		j.seconds += j.weight * (off - j.seconds)
		j.weight /= 0.99 + j.weight
	}
	j.known, j.stamp, j.time, j.order = bzflag.Finite(b.Timestamp), b.Timestamp, m.place.Time, b.Order
}

// nanoseconds returns the mean; ok is false if there is none.
func (j *jitter) nanoseconds() (ns int64, ok bool) {
	const most = 1e9 // seconds
	return int64(min(j.seconds, most) * 1e9), j.weight > 0
}
