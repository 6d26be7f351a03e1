package session

import (
	"testing"
	"time"
)

// TestClockZone checks that a time of day includes its zone.
func TestClockZone(t *testing.T) {
	before := time.Local
	t.Cleanup(func() { time.Local = before })
	time.Local = time.FixedZone("somewhere", 2*60*60)
	const at = 1_000_000_123_456_000
	for form, want := range map[string]string{
		"a": "15:46:40.123456 +02:00", "ad": "1970-01-12 15:46:40.123456 +02:00", "u": "13:46:40.123456",
		"ud": "1970-01-12 13:46:40.123456",
	} {
		c := Clock{Form: form}
		if got := string(c.Append(nil, at)); got != want {
			t.Errorf("-t %s: %s, want %s", form, got, want)
		}
	}
}
