package view

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/layers"
)

// A large capture, for who names one.
func TestLarge(t *testing.T) {
	name := os.Getenv("GAMEDISSECT_LARGE")
	if name == "" {
		t.Skip("GAMEDISSECT_LARGE names no capture")
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, _ := f.Stat()
	begun := time.Now()
	v, err := Open(f, info.Size(), name, Options{Protocols: layers.All()})
	if err != nil {
		t.Fatal(err)
	}
	first := time.Duration(0)
	for v.Step(1<<20, 30*time.Millisecond) {
		if first == 0 && v.Rows() > 0 {
			first = time.Since(begun)
		}
	}
	all := time.Since(begun)
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	x := &v.index
	per := float64(v.memory()) / float64(v.Rows())
	t.Logf("%d bytes, %d rows: first after %v, all after %v; heap %d of %d MB, %.1f bytes a row", info.Size(), v.Rows(),
		first, all, m.HeapAlloc>>20, m.Sys>>20, per)
	t.Logf("copies %d, kept %d, ends %d, arounds %d, found %d, events %d, values %d", len(x.copies.chunks), len(x.kept),
		len(x.ends), len(x.arounds), len(x.found), len(v.noted.events), v.noted.values)
}
