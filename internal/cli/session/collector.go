package session

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Bounds of the garbage that may accumulate before the collector runs. Between the bounds, the limit is a quarter of
// the bytes in use. The lower bound keeps the collector from running all the time if little is in use. The upper bound
// limits the memory for large captures.
const (
	minGarbage = 14 * Megabyte
	maxGarbage = 24 * Megabyte
)

// garbageLimit replaces maxGarbage. --memory may lower it.
var garbageLimit atomic.Int64

// limitGarbage limits the bytes of garbage that may accumulate.
func limitGarbage(limit int64) { garbageLimit.Store(limit) }

// limitMemory sets the runtime's memory limit in bytes. Near the limit the collector runs more often, for example while
// a world is unpacked. The environment variable GOMEMLIMIT overrides it.
func limitMemory(limit int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

// SaveMemory makes the collector keep the garbage between minGarbage and maxGarbage until the program ends. The
// environment variable GOGC overrides this.
func SaveMemory() {
	if os.Getenv("GOGC") == "" {
		limitGarbage(maxGarbage)
		adjustCollector()
	}
}

// makeRoom collects garbage if a lot of memory was in use, so the next step can use the freed memory.
func makeRoom() {
	if inUse() > minGarbage {
		runtime.GC()
	}
}

// adjustCollector sets the collector's percentage, based on the bytes that were in use at the last collection. It runs
// again after each collection, as the cleanup of an object that immediately becomes garbage.
func adjustCollector() {
	debug.SetGCPercent(garbagePercent(inUse(), garbageLimit.Load()))
	type collection struct{ _ *int }
	runtime.AddCleanup(new(collection), func(int) { adjustCollector() }, 0)
}

// garbagePercent returns how much garbage may accumulate, as a percentage of the bytes in use.
func garbagePercent(inUse, limit int64) int {
	const smallest = 4 << 20 // the collector does not run for a smaller heap
	garbage := min(max(inUse/4, minGarbage), limit)
	return max(int(garbage*100/max(inUse, smallest)), 1)
}

// inUse returns how many bytes were in use at the last collection.
func inUse() int64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return int64(live[0].Value.Uint64())
}
