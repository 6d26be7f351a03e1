package session

import "testing"

// State, program and garbage together take at most as much memory as --memory says, unless it says very little. State
// without statistics may take more than both shares.
func TestSharesOfMemory(t *testing.T) {
	for _, megabytes := range []int64{4, 16, 32, 64, 120, 256, 1024, maxMemory} {
		o := MemoryOptions{Megabytes: megabytes}
		engine, statistics := int64(o.Engine()), int64(o.Statistics())
		all := engine + statistics + o.garbage() + programMemory*Megabyte
		if engine < statistics || statistics < megabytes*Megabyte/50 {
			t.Errorf("%d MB: %d bytes for the engine, %d for statistics", megabytes, engine, statistics)
		}
		if megabytes >= 32 && all > megabytes*Megabyte*102/100 || all < megabytes*Megabyte*11/20 ||
			int64(o.Alone()) < engine+statistics {
			t.Errorf("%d MB: %d bytes in all, %d alone", megabytes, all, o.Alone())
		}
	}
}

// The packet buffers of a live capture are part of --memory.
func TestSharedMemory(t *testing.T) {
	for _, shared := range []int64{1, 32} {
		o := MemoryOptions{Megabytes: defaultMemory, Shared: shared}
		all := int64(o.Engine()+o.Statistics()) + o.garbage() + (programMemory+shared)*Megabyte
		if all > defaultMemory*Megabyte || all < defaultMemory*Megabyte*2/3 {
			t.Errorf("%d MB are shared, and there are %d MB in all", shared, all/Megabyte)
		}
	}
}
