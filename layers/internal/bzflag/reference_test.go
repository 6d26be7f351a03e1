package bzflag

import (
	"math"
	"testing"
)

// A connection that was silent for too long is no longer the reference, even after the longest possible silence.
func TestReference(t *testing.T) {
	for _, c := range []struct {
		from, to int64
		want     bool // the first connection is still the reference
	}{
		{0, referenceIdle, true}, {0, referenceIdle + 1, false}, {math.MinInt64, math.MaxInt64, false}, {math.MaxInt64, math.MinInt64, true},
	} {
		var e Reference
		if e.Meet(1, true, c.from) {
			t.Errorf("at %d: the first connection does not become the reference", c.from)
		}
		if got := e.Meet(2, true, c.to); got != c.want {
			t.Errorf("from %d to %d: the first connection is still the reference: %t", c.from, c.to, got)
		}
	}
}
