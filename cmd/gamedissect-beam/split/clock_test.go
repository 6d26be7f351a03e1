package split_test

import (
	"math"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// TestClock divides a capture between engines. Each engine sees its own frames, and one time per second of the other
// frames. Together the engines find the same as a single engine, but perhaps later.
func TestClock(t *testing.T) {
	files := captures(t)
	if testing.Short() {
		files = files[:30]
	}
	frames := archive(t, files, 1)
	for i := range frames {
		frames[i].File, frames[i].Number = "", i+1
	}
	of, count := componentsOf(frames)
	want := resultsOf(frames, func(int) bool { return true })
	var got []string
	engines := min(count+1, 50)
	for n := range engines {
		got = append(got, resultsOf(frames, func(i int) bool { return of[i]%engines == n })...)
	}
	sameResults(t, got, want)
}

// resultsOf returns the results of an engine that gets its own frames, and another frame's time at most once per
// second.
func resultsOf(frames []decode.Frame, mine func(i int) bool) []string {
	x, last := newRecorder(), int64(math.MinInt64)
	for i := range frames {
		switch {
		case mine(i):
			x.engine.Frame(&frames[i])
		case i == 0 || i == len(frames)-1 || clock.Elapsed(last, frames[i].Time) >= int64(time.Second):
			x.engine.Skip(&frames[i])
		default:
			continue
		}
		last = frames[i].Time
	}
	x.engine.Close()
	return x.results
}
