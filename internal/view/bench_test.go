package view

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// BenchmarkCall sends requests about the capture that GAMEDISSECT_LARGE names, or about a small one if the variable is
// not set. No two requests are equal.
func BenchmarkCall(b *testing.B) {
	v := openFile(b, cmp.Or(os.Getenv("GAMEDISSECT_LARGE"), "../../testdata/pcap/bz24-ctf-capture.pcap"))
	for op, request := range map[string]func() string{
		"rows":     func() string { return fmt.Sprintf(`{"from": %d, "count": 50}`, rand.IntN(v.rows.len())) },
		"detail":   func() string { return fmt.Sprintf(`{"row": %d}`, rand.IntN(v.rows.len())) },
		"filter":   func() string { return `{"text": "bzflag24.killed.reason == \"GotShot\"", "ms": 10000}` },
		"sequence": func() string { return `{"clients": ["all"], "ms": 10000}` },
	} {
		b.Run(op, func(b *testing.B) {
			for b.Loop() {
				v.filters.jobs, v.sequences.jobs = nil, nil
				v.Call(op, []byte(request()))
			}
		})
	}
}
