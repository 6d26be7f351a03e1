package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// TestUnit lets systemd check the unit file of the examples, if systemd is installed.
func TestUnit(t *testing.T) {
	unit := clitest.ReadFile(t, filepath.Join(clitest.Root, "examples", "systemd", "gamedissect@.service"))
	self, err := os.Executable()
	clitest.NoError(t, err)
	const start = "\nExecStart=gamedissect " // no path, since packages and go install use different ones; systemd searches
	if !strings.Contains(string(unit), start) {
		t.Fatal("the unit does not run gamedissect")
	}
	tried := filepath.Join(t.TempDir(), "gamedissect@lo.service")
	clitest.NoError(t, os.WriteFile(tried, []byte(strings.Replace(string(unit), start, "\nExecStart="+self+" ", 1)), 0o644))
	path, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip(err)
	}
	if out, err := exec.CommandContext(t.Context(), path, "verify", tried).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
