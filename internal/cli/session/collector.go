package session

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Bounds of the garbage that may accumulate before the collector runs; between them it is a quarter of the bytes in
// use. Without the lower bound the collector would run all the time while little is in use. The upper bound limits the
// memory for large captures.
const (
	minGarbage = 14 * Megabyte
	maxGarbage = 24 * Megabyte
)

// garbageLimit replaces maxGarbage; --memory may lower it.
var garbageLimit atomic.Int64

// limitGarbage sets how many bytes of garbage may accumulate.
func limitGarbage(limit int64) { garbageLimit.Store(limit) }

// limitMemory sets the memory limit of the runtime in bytes. Near the limit the collector runs more often, as when a
// world is unpacked. The environment variable GOMEMLIMIT overrides it.
func limitMemory(limit int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

// SaveMemory makes the collector use these bounds until the program ends. The environment variable GOGC overrides it.
func SaveMemory() {
	if os.Getenv("GOGC") == "" {
		limitGarbage(maxGarbage)
		adjustCollector()
	}
}

// makeRoom collects garbage if much was in use, so the next step can use the freed memory.
func makeRoom() {
	if inUse() > minGarbage {
		runtime.GC()
	}
}

// adjustCollector sets the collector's percentage for the bytes that the last collection found in use. It runs again
// after each collection, as the cleanup of an object that becomes garbage at once.
func adjustCollector() {
	debug.SetGCPercent(garbagePercent(inUse(), garbageLimit.Load()))
	type collection struct{ _ *int }
	runtime.AddCleanup(new(collection), func(int) { adjustCollector() }, 0)
}

// garbagePercent returns how much garbage may accumulate, in percent of the bytes in use.
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
