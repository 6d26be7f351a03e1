package serve

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// TestViewBrowser opens a fake browser, or none if there is no display.
func TestViewBrowser(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems open pages with their own programs")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("WAYLAND_DISPLAY", "")
	var warn bytes.Buffer
	t.Setenv("DISPLAY", "")
	openBrowser(&warn, "http://127.0.0.1:1/")
	if !strings.Contains(warn.String(), "no browser was opened (there is no display here): open the address above") {
		t.Errorf("without a display: %q", warn.String())
	}
	t.Setenv("DISPLAY", ":9")
	warn.Reset()
	openBrowser(&warn, "http://127.0.0.1:1/")
	if !strings.Contains(warn.String(), "no browser was opened (xdg-open is not installed)") {
		t.Errorf("without a program: %q", warn.String())
	}
	warn.Reset()
	seen := filepath.Join(dir, "seen")
	program := "#!/bin/sh\necho \"$1\" > " + seen + ".new && " + "/bin/mv " + seen + ".new " + seen + "\n"
	clitest.NoError(t, os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(program), 0o700))
	openBrowser(&warn, "http://127.0.0.1:1/open?ticket=A")
	clitest.Eventually(t, "the browser has the address", func() bool {
		b, _ := os.ReadFile(seen)
		return string(b) == "http://127.0.0.1:1/open?ticket=A\n"
	})
	if warn.Len() > 0 {
		t.Errorf("a warning although a browser was opened: %q", warn.String())
	}
}

// TestViewPrograms checks that a started program is not in this program's process group, which Ctrl-C interrupts.
func TestViewPrograms(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the test needs Linux")
	}
	if _, err := exec.LookPath("ps"); err != nil {
		t.Skip("the test needs ps")
	}
	to := filepath.Join(t.TempDir(), "group")
	clitest.NoError(t, launch([]string{"sh", "-c", "ps -o pid=,pgid= -p $$ > " + to}))
	var is []string
	for end := time.Now().Add(time.Minute); len(is) < 2 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		b, _ := os.ReadFile(to)
		is = strings.Fields(string(b))
	}
	if len(is) != 2 || is[0] != is[1] {
		t.Errorf("the program and its group are %v", is)
	}
}
