package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// wrapped are captures that hold the traffic of another one in another wrapping, or have less.
var wrapped = regexp.MustCompile(`^bz17-var-|^tribes-v-|\.gz$|bigendian|\.frag\.|qinq|cutfile`)

// maxGolden is the size of captures whose trees are kept. Those of larger ones would be megabytes;
// the records hold them.
const maxGolden = 50_000

// TestGolden holds the trees and totals of real captures against those looked at before.
func TestGolden(t *testing.T) {
	for _, name := range files(t) {
		if wrapped.MatchString(name) {
			continue
		}
		if info, err := os.Stat(filepath.Join(clitest.Captures, name)); err != nil || info.Size() > maxGolden {
			continue
		}
		t.Run(name, func(t *testing.T) {
			got, stderr, code := dissect("-r", filepath.Join(clitest.Captures, name))
			if code != term.ExitDone || stderr != "" {
				t.Errorf("exit code %d, standard error %q", code, stderr)
			}
			wiretest.Golden(t, filepath.Join(clitest.Captures, name+".golden"), []byte(got))
		})
	}
}
