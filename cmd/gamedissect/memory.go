package main

import (
	"os"
	"runtime/debug"
)

// saveMemory has memory collected as soon as a quarter more is in use than is needed. There is little to
// collect, since what comes again and again uses memory again, so that costs hardly any time, and a
// capture of any size fits beside whatever else a machine does. GOGC in the environment has its way.
func saveMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(25)
	}
}
