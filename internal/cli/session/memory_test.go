package session

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestGarbagePercent(t *testing.T) {
	for _, c := range []struct {
		inUse, most int64
		want        int
	}{
		{0, mostGarbage, 333}, {4 << 20, mostGarbage, 333}, {14 * Megabyte, mostGarbage, 100}, {28 * Megabyte, mostGarbage, 50},
		{80 * Megabyte, mostGarbage, 25}, {240 * Megabyte, mostGarbage, 10}, {1 << 40, mostGarbage, 1}, {20 << 20, 4 << 20, 20},
	} {
		if got := garbagePercent(c.inUse, c.most); got != c.want {
			t.Errorf("%d%% with %d bytes in use, want %d%%", got, c.inUse, c.want)
		}
	}
}

// The collector is told anew after each collection.
func TestCollectorIsAdjusted(t *testing.T) {
	before := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(before) })
	SaveMemory()
	held := make([]byte, 100<<20)
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		runtime.GC()
		percent := debug.SetGCPercent(1000)
		if percent == garbagePercent(inUse(), mostGarbage) && percent < 50 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the collector has %d%% with %d MB in use", percent, inUse()>>20)
		}
	}
	runtime.KeepAlive(held)
}
