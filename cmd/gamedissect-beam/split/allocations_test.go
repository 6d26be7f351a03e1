package split_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/cmd/gamedissect-beam/split"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers"
)

// TestAllocations checks that packets of known hosts cause no allocation. Each packet of a capture is examined twice.
func TestAllocations(t *testing.T) {
	if wiretest.RaceDetector {
		t.Skip("the race detector itself allocates memory")
	}
	all := archive(t, captures(t)[:20], 3)
	s, known := split.New(layers.All(), nil), split.New(layers.All(), nil)
	for i := range all {
		s.Frame(&all[i])
		known.Frame(&all[i])
	}
	asker := known.Parts().Asker()
	for what, take := range map[string]func(*decode.Frame){
		"splitter": s.Frame, "asker": func(f *decode.Frame) { asker.Of(f) },
	} {
		n := testing.AllocsPerRun(3, func() {
			for i := range all {
				take(&all[i])
			}
		})
		if n > 0 {
			t.Errorf("%s: %.0f allocations for %d packets", what, n, len(all))
		}
	}
}
