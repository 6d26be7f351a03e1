package session

import (
	"time"

	"github.com/gamedissect/gamedissect/capture"
)

// Autostop ends a run when a condition is met (-a). The zero value never ends a run.
type Autostop struct {
	At      capture.Stop
	Written func(now int64) (bytes int64, files int) // what was written before the time now; nil: nothing
	Begun   time.Time                                // start of a live capture; zero: use the packets' times
	first   int64                                    // time of the first packet, in nanoseconds since 1970
	last    int64                                    // time of the last packet
	count   int64                                    // packets so far
}

func (a *Autostop) packet(time int64) {
	if a.count++; a.count == 1 {
		a.first = time
	}
	a.last = time
}

// Full reports whether the condition is met.
func (a *Autostop) Full() bool {
	if a.At == (capture.Stop{}) {
		return false
	}
	elapsed := time.Duration(0)
	if a.Begun.IsZero() {
		elapsed = time.Duration(a.last - a.first)
	}
	bytes, files := int64(0), 0
	if a.Written != nil {
		bytes, files = a.Written(a.last)
	}
	return a.At.After(a.count, bytes, elapsed, files)
}

// late reports whether the duration of a live capture is over. The run still reads the packets that are already
// waiting.
func (a *Autostop) late() bool {
	return !a.Begun.IsZero() && a.At.Duration > 0 && time.Since(a.Begun) >= a.At.Duration
}
