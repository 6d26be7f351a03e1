package split_test

import (
	"math"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// TestClock tells engines that share a capture only of a frame each second besides their own. They find the same as one,
// if later: what a silence means does not depend on whose packet is the first one after it.
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
	want := tellAll(frames, func(int) bool { return true })
	var got []string
	engines := min(count+1, 50)
	for n := range engines {
		got = append(got, tellAll(frames, func(i int) bool { return of[i]%engines == n })...)
	}
	sameTold(t, got, want)
}

// tellAll returns what an engine tells that is given its own frames, and told of others a second behind the last one.
func tellAll(frames []decode.Frame, mine func(i int) bool) []string {
	x, last := newTeller(), int64(math.MinInt64)
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
	return x.told
}
