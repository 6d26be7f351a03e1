package clock_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// times are the smallest and largest times, their neighbours, and some times in between.
var times = []int64{
	math.MinInt64, math.MinInt64 + 1, math.MinInt64 / 2, math.MinInt64/2 - 1, -2, -1,
	0, 1, 2, 1_700_000_000_000_000_000, math.MaxInt64 / 2, math.MaxInt64/2 + 1, math.MaxInt64 - 1, math.MaxInt64,
}

// TestArithmetic compares sums and differences with results from math/big.
func TestArithmetic(t *testing.T) {
	for _, a := range times {
		for _, b := range times {
			x, y := big.NewInt(a), big.NewInt(b)
			if got, want := clock.Elapsed(a, b), nearest(new(big.Int).Sub(y, x)); got != want {
				t.Errorf("from %d to %d: %d, want %d", a, b, got, want)
			}
			if got, want := clock.Add(a, b), nearest(new(big.Int).Add(x, y)); got != want {
				t.Errorf("%d after %d: %d, want %d", b, a, got, want)
			}
		}
	}
}

func nearest(n *big.Int) int64 {
	switch {
	case n.IsInt64():
		return n.Int64()
	case n.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// Within is true from the moment until the duration has passed. The zero Moment has no time.
func TestMoment(t *testing.T) {
	if (clock.Moment{}).Within(0, math.MaxInt64) {
		t.Error("now is within a duration of the zero Moment")
	}
	if (clock.Moment{}).Known() {
		t.Error("the zero Moment is known")
	}
	for _, when := range times {
		if m := clock.At(when); !m.Known() || m.When() != max(when, math.MinInt64+1) {
			t.Errorf("%d: known %t, at %d", when, m.Known(), m.When())
		}
	}
	m := clock.At(10)
	for now, want := range map[int64]bool{9: false, 10: true, 15: true, 16: false, math.MinInt64: false, math.MaxInt64: false} {
		if m.Within(now, 5) != want {
			t.Errorf("Within(%d) is %t", now, !want)
		}
	}
}
