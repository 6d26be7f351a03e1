package message

import (
	"testing"
	"time"
)

// Times have the same text as with package time, whichever time was written before.
func TestJSONSeconds(t *testing.T) {
	var s jsonSeconds
	for _, ns := range []int64{0, 1, 999_999_999, 1e9, -1, -1e9, -1_000_000_001, 988718401_000_000_100, 988718401_100_000_000, 1 << 62} {
		want := time.Unix(0, ns).UTC().Format(`,"time":"2006-01-02T15:04:05.000000000Z"`)
		if got := string(s.append([]byte("> "), ns)); got != "> "+want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
