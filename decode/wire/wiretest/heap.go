package wiretest

import "runtime"

// Heap is the number of bytes that can be reached, for tests that bound what is remembered.
func Heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
