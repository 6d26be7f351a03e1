package expect

import (
	"math"
	"testing"
	"time"
)

const year = 365 * 24 * int64(time.Hour)

// TestCounters checks that the counter of parts must increase from one part to the next, and must begin with the same
// number each time.
func TestCounters(t *testing.T) {
	row := func(numbers ...uint64) extent {
		var e extent
		for i, n := range numbers {
			one := extent{most: 1, before: int64(n), between: -1, counter: &counter{first: n, last: n, always: true, rises: true}}
			if i == 0 {
				e = one
				continue
			}
			e.follow(&one)
		}
		return e
	}
	for _, test := range []struct {
		rows           [][]uint64
		counts, always bool
		most           int
		before         int64
		between        int64
	}{
		{[][]uint64{{1}}, false, true, 1, 1, -1},
		{[][]uint64{{1, 2, 4}}, true, true, 3, 1, 4},
		{[][]uint64{{1, 3, 2}}, false, true, 3, 1, 3},
		{[][]uint64{{1, 1}}, false, true, 2, 1, 1},
		{[][]uint64{{1, 2}, {1, 2, 3}}, true, true, 3, 1, 3},
		{[][]uint64{{1, 2}, {2, 3}}, true, false, 2, 2, 3},
		{[][]uint64{{1, 2}, {7}}, true, false, 2, 7, 2},
		{[][]uint64{{1, 2}, {1, 4, 3}}, false, true, 3, 1, 4},
	} {
		e := row(test.rows[0]...)
		for _, numbers := range test.rows[1:] {
			other := row(numbers...)
			e.widen(&other)
		}
		if e.counter.counts() != test.counts || e.counter.always != test.always || e.most != test.most ||
			e.before != test.before || e.between != test.between {
			t.Errorf("%v: %+v, %+v", test.rows, e, e.counter)
		}
	}
	with, without := row(1, 2), extent{most: 1}
	with.widen(&without)
	if with.counter != nil {
		t.Error("a counter is used although some parts do not have it")
	}
}

// TestMargin checks that time limits are written with two digits, and are longer than the recorded times.
func TestMargin(t *testing.T) {
	for longest, want := range map[int64]string{
		0: "250ms", 83e6: "250ms", 84e6: "260ms", 333e6: "1s", 334e6: "1.1s", 20e9: "60s", 34e9: "110s",
	} {
		if got := margin(longest, minLimit); got != want {
			t.Errorf("%d: %s, want %s", longest, got, want)
		}
	}
	for _, longest := range []int64{-1, int64(24*time.Hour) + 1, 90 * year, 98 * year, math.MaxInt64} {
		if got := margin(longest, minLimit); got != "" {
			t.Errorf("%d: %s", longest, got)
		}
	}
}
