package cli

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/layers"
)

// worldDatabase is a rule about data outside messages, so no message breaks it.
const worldDatabase = "bzflag17.world-structure"

// TestExamples compares the examples of the explain command with the samples that they are generated from. Every rule
// of a protocol must have an example.
func TestExamples(t *testing.T) {
	var b strings.Builder
	for _, p := range layers.All() {
		examples, err := wiretest.Examples(p, filepath.Join(clitest.Root, "testdata", p.Name))
		clitest.NoError(t, err)
		for _, r := range p.Rules {
			if _, ok := examples[r.ID]; !ok && r.ID != worldDatabase {
				t.Errorf("no sample and no .talk file breaks %s", r.ID)
			}
		}
		for _, id := range slices.Sorted(maps.Keys(examples)) {
			fmt.Fprintf(&b, "== %s\n", id)
			for line := range strings.Lines(examples[id]) {
				b.WriteString("  " + line)
			}
		}
	}
	wiretest.Golden(t, "help/examples.txt", []byte(b.String()))
}

func TestExplain(t *testing.T) {
	for _, r := range session.AllRules() {
		out, stderr, code := dissect("explain", r.ID)
		if code != term.ExitDone || stderr != "" || !strings.HasPrefix(out, r.ID+" ("+r.Severity.String()+"): ") ||
			!strings.Contains(strings.ReplaceAll(out, "\n", " "), ". "+r.Rests.Sentence()+"  ") ||
			!strings.Contains(out, "\nSource: ") {
			t.Errorf("%s: %d %q\n%s", r.ID, code, stderr, out)
		}
		for line := range strings.Lines(out) {
			if n := len(strings.TrimRight(line, "\n")); n > 100 && !strings.HasPrefix(line, "  ") {
				t.Errorf("%s: a line of %d characters", r.ID, n)
			}
		}
	}
}
