package session

import (
	"os"
	"runtime"
	"runtime/debug"
	gometrics "runtime/metrics" // metrics are those of the program here
	"sync/atomic"
)

// How much garbage may be there before it is collected, in bytes: a quarter of what is in use, within bounds. A share
// alone would be far too little as long as that is little: the collector would run all the time. Without a bound a
// large capture would not fit beside whatever else a machine does.
const (
	LeastGarbage = 14 * Megabyte
	mostGarbage  = 24 * Megabyte
)

// garbageLimit is less than these where --memory wants it.
var garbageLimit atomic.Int64

// limitGarbage says how much garbage may be there at most, in bytes.
func limitGarbage(most int64) { garbageLimit.Store(most) }

// limitMemory says how much memory there may be in all, in bytes. Where more than usual is in use for a while, as for a
// world that is unpacked, there is less garbage. GOMEMLIMIT in the environment has its way.
func limitMemory(most int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(most)
	}
}

// SaveMemory has memory collected when so much garbage is there, whatever is in use. GOGC in the environment has
// its way.
func SaveMemory() {
	if os.Getenv("GOGC") == "" {
		limitGarbage(mostGarbage)
		adjustCollector()
	}
}

// makeRoom has collected what is not in use any more, where that may be much: otherwise as much again as garbage may be
// there is taken first.
func makeRoom() {
	if inUse() > LeastGarbage {
		runtime.GC()
	}
}

// adjustCollector tells the collector how much may be added to what it found in use last. It calls itself after
// each collection: what the cleanup hangs on is garbage at once.
func adjustCollector() {
	debug.SetGCPercent(garbagePercent(inUse(), garbageLimit.Load()))
	type collection struct{ _ *int }
	runtime.AddCleanup(new(collection), func(int) { adjustCollector() }, 0)
}

// garbagePercent is how much garbage may be there, in percent of the bytes in use.
func garbagePercent(inUse, most int64) int {
	const smallest = 4 << 20 // the collector takes less for this
	garbage := min(max(inUse/4, LeastGarbage), most)
	return max(int(garbage*100/max(inUse, smallest)), 1)
}

// inUse is how many bytes the last collection found in use.
func inUse() int64 {
	live := []gometrics.Sample{{Name: "/gc/heap/live:bytes"}}
	gometrics.Read(live)
	return int64(live[0].Value.Uint64())
}
