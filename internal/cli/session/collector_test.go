package session

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestGarbagePercent(t *testing.T) {
	for _, c := range []struct {
		inUse, limit int64
		want         int
	}{
		{0, maxGarbage, 333}, {4 << 20, maxGarbage, 333}, {14 * Megabyte, maxGarbage, 100}, {28 * Megabyte, maxGarbage, 50},
		{80 * Megabyte, maxGarbage, 25}, {240 * Megabyte, maxGarbage, 10}, {1 << 40, maxGarbage, 1}, {20 << 20, 4 << 20, 20},
	} {
		if got := garbagePercent(c.inUse, c.limit); got != c.want {
			t.Errorf("%d%% with %d bytes in use, want %d%%", got, c.inUse, c.want)
		}
	}
}

// The percentage changes after each collection.
func TestCollectorIsAdjusted(t *testing.T) {
	before := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(before) })
	SaveMemory()
	memory := make([]byte, 100<<20)
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		runtime.GC()
		percent := debug.SetGCPercent(1000)
		if percent == garbagePercent(inUse(), maxGarbage) && percent < 50 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the collector has %d%% with %d MB in use", percent, inUse()>>20)
		}
	}
	runtime.KeepAlive(memory)
}
