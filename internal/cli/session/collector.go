package session

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Bounds of the garbage that may be there before the collector runs, which is a quarter of the bytes in use. Without
// the lower bound the collector would run all the time while little is in use; the upper one keeps large captures
// small.
const (
	minGarbage = 14 * Megabyte
	maxGarbage = 24 * Megabyte
)

// garbageLimit takes the place of maxGarbage; --memory may lower it.
var garbageLimit atomic.Int64

// limitGarbage sets how many bytes of garbage there may be.
func limitGarbage(limit int64) { garbageLimit.Store(limit) }

// limitMemory sets how many bytes there may be in all: the collector runs more often while much is in use, as when a
// world is unpacked. The environment's GOMEMLIMIT overrides it.
func limitMemory(limit int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

// SaveMemory makes the collector run by these bounds until the program ends. The environment's GOGC overrides it.
func SaveMemory() {
	if os.Getenv("GOGC") == "" {
		limitGarbage(maxGarbage)
		adjustCollector()
	}
}

// makeRoom collects garbage if much was in use, so that what comes next uses the room of what is no longer in use.
func makeRoom() {
	if inUse() > minGarbage {
		runtime.GC()
	}
}

// adjustCollector sets the collector's percentage for what the last collection found in use. It runs again after each
// collection, as the cleanup of an object that is garbage at once.
func adjustCollector() {
	debug.SetGCPercent(garbagePercent(inUse(), garbageLimit.Load()))
	type collection struct{ _ *int }
	runtime.AddCleanup(new(collection), func(int) { adjustCollector() }, 0)
}

// garbagePercent returns how much garbage there may be, in percent of the bytes in use.
func garbagePercent(inUse, limit int64) int {
	const smallest = 4 << 20 // the collector does not run for a smaller heap
	garbage := min(max(inUse/4, minGarbage), limit)
	return max(int(garbage*100/max(inUse, smallest)), 1)
}

// inUse returns how many bytes the last collection found in use.
func inUse() int64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return int64(live[0].Value.Uint64())
}
