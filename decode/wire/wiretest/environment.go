package wiretest

import (
	"os"
	"runtime"
	"testing"
)

// Full reports whether GAMEDISSECT_FULL=1 is set. If not, large tests run at about a tenth of their full size.
func Full() bool { return os.Getenv("GAMEDISSECT_FULL") != "" }

// Heap returns the size of the live heap in bytes, for tests that limit memory.
func Heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// WithoutDetector skips a test if the race detector is on. Use it for tests that take long with the detector and in
// which it cannot find anything, because they have one goroutine or repeat other tests.
func WithoutDetector(t testing.TB) {
	t.Helper()
	if RaceDetector {
		t.Skip("runs without the race detector")
	}
}
