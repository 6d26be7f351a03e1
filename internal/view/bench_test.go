package view

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/layers"
)

// large opens the capture that the environment names, or a small one.
func large(b *testing.B) *View {
	name := os.Getenv("GAMEDISSECT_LARGE")
	if name == "" {
		name = "../../testdata/pcap/bz24-ctf-capture.pcap"
	}
	f, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = f.Close() })
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	v, err := Open(f, info.Size(), name, Options{Protocols: layers.All()})
	if err != nil {
		b.Fatal(err)
	}
	for v.Step(1<<30, time.Hour) {
	}
	return v
}

// Fifty rows anywhere.
func BenchmarkRows(b *testing.B) {
	v := large(b)
	for b.Loop() {
		v.Call("rows", fmt.Appendf(nil, `{"from": %d, "count": 50}`, rand.IntN(v.Rows())))
	}
}

// One message anywhere.
func BenchmarkDetail(b *testing.B) {
	v := large(b)
	for b.Loop() {
		v.Call("detail", fmt.Appendf(nil, `{"row": %d}`, rand.IntN(v.Rows())))
	}
}

// A filter over all messages.
func BenchmarkFilter(b *testing.B) {
	v := large(b)
	for b.Loop() {
		v.jobs.filters = nil
		j, err := v.jobFor("bzflag24.killed.reason == \"GotShot\"")
		if err != nil {
			b.Fatal(err)
		}
		if err := v.advance(j, limit{until: time.Now().Add(time.Hour)}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(v.Rows()), "rows/op")
}

// A sequence diagram of all messages.
func BenchmarkSequence(b *testing.B) {
	v := large(b)
	for b.Loop() {
		v.jobs.sequence = nil
		v.Call("sequence", []byte(`{"clients": ["all"], "ms": 10000}`))
	}
	b.ReportMetric(float64(v.Rows()), "rows/op")
}
