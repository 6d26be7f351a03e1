package wiretest

import "testing"

// WithoutDetector skips a test where the race detector is on, with which it takes ten times as long and finds nothing:
// it has one goroutine, or those of other tests and more to do.
func WithoutDetector(t testing.TB) {
	t.Helper()
	if RaceDetector {
		t.Skip("runs without the race detector")
	}
}
