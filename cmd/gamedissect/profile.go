package main

import (
	"os"
	"runtime/pprof"
)

// startProfile begins a CPU profile of this run, if a file is named. It is how the profile is made
// that builds are guided by, see make pgo.
func startProfile(name string) (stop func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		_ = f.Close() // a profile that is cut is told by who reads it
	}, nil
}
