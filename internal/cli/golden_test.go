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

// wrapped matches the names of captures that contain the traffic of another capture, or a part of that traffic, in
// another encapsulation.
var wrapped = regexp.MustCompile(`^bz17-var-|^tribes-v-|\.gz$|bigendian|\.frag\.|qinq|cutfile`)

// maxGolden is the largest size of a capture with golden trees. The trees of larger captures would take megabytes, so
// these captures have records instead.
const maxGolden = 50_000

// TestGolden compares the trees and totals of real captures with golden files.
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
