package wiretest

import (
	"os"
	"runtime"
	"testing"
)

// Full reports whether GAMEDISSECT_FULL=1 asks for large tests in full. By default they run with a tenth.
func Full() bool { return os.Getenv("GAMEDISSECT_FULL") != "" }

// Heap returns the bytes of the live heap, for tests that bound memory.
func Heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// WithoutDetector skips a test if the race detector is on. It is for tests that take ten times as long with it
// and in which it finds nothing, because they have one goroutine or repeat other tests.
func WithoutDetector(t testing.TB) {
	t.Helper()
	if RaceDetector {
		t.Skip("runs without the race detector")
	}
}
