package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// Duplicates are reported in the order of the names. Each report names the first file with the same content.
func TestWarnDuplicates(t *testing.T) {
	dir := t.TempDir()
	var names, want []string
	for round := range 3 {
		for size := range 6 { // an empty file is not a capture
			name := filepath.Join(dir, fmt.Sprintf("%d-%d", round, size))
			clitest.NoError(t, os.WriteFile(name, []byte(strings.Repeat("x", size)), 0o600))
			names = append(names, name)
			if round > 0 && size > 0 {
				want = append(want, fmt.Sprintf("%s and %s seem to be the same capture: its packets count twice", names[size], name))
			}
		}
	}
	other := filepath.Join(dir, "other")
	clitest.NoError(t, os.WriteFile(other, []byte("xyz"), 0o600))
	var got []string
	WarnDuplicates(append(names, other, filepath.Join(dir, "nosuch"), dir), func(err error) { got = append(got, err.Error()) })
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
