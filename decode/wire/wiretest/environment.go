package wiretest

import (
	"os"
	"runtime"
	"testing"
)

// Full reports whether GAMEDISSECT_FULL=1 is set. Large tests then run in full, and otherwise at a tenth of their size.
func Full() bool { return os.Getenv("GAMEDISSECT_FULL") != "" }

// Heap returns the size of the live heap in bytes, for tests that limit memory.
func Heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// WithoutDetector skips a test if the race detector is on. Use it for tests that take ten times as long with the
// detector, if it cannot find anything in them because they have one goroutine or repeat other tests.
func WithoutDetector(t testing.TB) {
	t.Helper()
	if RaceDetector {
		t.Skip("runs without the race detector")
	}
}
