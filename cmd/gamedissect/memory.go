package main

import (
	"os"
	"runtime"
	"runtime/debug"
	gometrics "runtime/metrics" // metrics are those of the program here
)

// How much garbage may be there before it is collected. A share of what is in use would be far too little as long
// as that is little: the collector would run all the time. Without a bound a large capture would not fit beside
// whatever else a machine does.
const (
	garbage      = 14 << 20 // bytes
	garbageShare = 25       // percent of what is in use, if that is more
)

// saveMemory has memory collected when so much garbage is there, whatever is in use. GOGC in the environment has
// its way.
func saveMemory() {
	if os.Getenv("GOGC") == "" {
		adjustCollector()
	}
}

// adjustCollector tells the collector how much may be added to what it found in use last. It calls itself after
// each collection: what the cleanup hangs on is garbage at once.
func adjustCollector() {
	debug.SetGCPercent(garbagePercent(inUse()))
	type collection struct{ _ *int }
	runtime.AddCleanup(new(collection), func(int) { adjustCollector() }, 0)
}

// garbagePercent is how much garbage may be there, in percent of the bytes in use.
func garbagePercent(inUse uint64) int {
	const smallest = 4 << 20 // the collector takes less for this
	return max(int(garbage*100/max(inUse, smallest)), garbageShare)
}

// inUse is how many bytes the last collection found in use.
func inUse() uint64 {
	live := []gometrics.Sample{{Name: "/gc/heap/live:bytes"}}
	gometrics.Read(live)
	return live[0].Value.Uint64()
}
