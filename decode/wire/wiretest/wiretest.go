package wiretest

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Run runs all checks of a protocol with the samples in a folder. without lists the rules and messages for which there
// is no sample.
func Run(t *testing.T, p *wire.Protocol, dir string, without ...string) {
	samples, err := Samples(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		t.Run(s.Name, func(t *testing.T) {
			checkGolden(t, p, s, dir)
			for _, c := range checks {
				t.Run(c.name, func(t *testing.T) { c.check(t, p, s) })
			}
			t.Run("reuse", func(t *testing.T) { checkReuse(t, p, s, samples) })
		})
	}
	t.Run("work", func(t *testing.T) { checkWork(t, p, samples) })
	t.Run("orphans", func(t *testing.T) { checkOrphans(t, samples, dir) })
	t.Run("coverage", func(t *testing.T) { checkCoverage(t, p, samples, without) })
}

// checks are the checks of a single sample.
var checks = []struct {
	name  string
	check func(reporter, *wire.Protocol, *Sample)
}{
	{"breaks", checkBreaks},
	{"bytes", checkBytes},
	{"summary", checkSummary},
	{"roundtrip", checkRoundTrip},
	{"annotate", checkAnnotate},
	{"changed", checkChanged},
	{"schema", checkSchema},
	{"allocations", checkAllocations},
	{"short", checkShort},
	{"cut", checkCut},
	{"probe", checkProbe},
	{"splits", checkSplits},
	{"kept", checkKept},
}
