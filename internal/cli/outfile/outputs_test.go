package outfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// createFile creates a file in a temporary folder of the test.
func createFile(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	clitest.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}

// checkContent checks that a file contains the text want, and that no temporary file is left.
func checkContent(t *testing.T, name, want string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("%s: %q, %v; want %q", name, got, err, want)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".gamedissect-*")); left != nil {
		t.Errorf("temporary files are left: %v", left)
	}
}

// openOutput opens one output.
func openOutput(t *testing.T, name string, stream bool) (*Outputs, *File) {
	t.Helper()
	o := NewOutputs(term.Streams{})
	f := o.File("-w", name)
	f.Streamed = stream
	clitest.NoError(t, o.Open())
	t.Cleanup(o.Abandon)
	return o, f
}

// The old file stays until the new one is complete. Abandoning a file leaves nothing.
func TestOutputIsReplacedWhenComplete(t *testing.T) {
	name := createFile(t, "x", "before")
	o, f := openOutput(t, name, false)
	w, err := f.Begin()
	clitest.NoError(t, err)
	if _, err := w.Write([]byte("half")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(name); string(got) != "before" {
		t.Errorf("before the file is complete: %q", got)
	}
	o.Abandon()
	checkContent(t, name, "before")
	_, f = openOutput(t, name, false)
	if err := f.WriteAll([]byte("after")); err != nil {
		t.Error(err)
	}
	checkContent(t, name, "after")
}

// A new file appears only when it is complete, and not at all if it is abandoned.
func TestNewOutput(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	o, _ := openOutput(t, name, false)
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it exists before it is complete: %v", err)
	}
	o.Abandon()
	if left, _ := os.ReadDir(filepath.Dir(name)); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
	_, f := openOutput(t, name, false)
	if err := f.WriteAll([]byte("new")); err != nil {
		t.Error(err)
	}
	checkContent(t, name, "new")
}

// If the existing file cannot be replaced, the new content overwrites the old.
func TestOutputThatCannotBeRenamed(t *testing.T) {
	name := createFile(t, "x", "before, and longer")
	o, f := openOutput(t, name, false)
	if _, err := f.Begin(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("after")); err != nil {
		t.Fatal(err)
	}
	if err := f.copyOver(errors.New("device or resource busy")); err != nil {
		t.Error(err)
	}
	o.Abandon()
	checkContent(t, name, "after")
}

// An existing file can be written even in a folder in which no new file can be created.
func TestOutputInFullFolder(t *testing.T) {
	name := createFile(t, "x", "before")
	clitest.NoError(t, os.Chmod(filepath.Dir(name), 0o555))
	trial := &File{path: name}
	if trial.openTemporary() == nil {
		trial.Abandon()
		t.Skip("this user may write everywhere")
	}
	o, f := openOutput(t, name, false)
	checkContent(t, name, "before")
	if err := f.WriteAll([]byte("after")); err != nil {
		t.Error(err)
	}
	o.Abandon()
	checkContent(t, name, "after")
}

// If a temporary file can be neither renamed nor copied, it is kept.
func TestUnpublishableOutputIsKept(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full: ", err)
	}
	temporary := createFile(t, "temporary", "all of it")
	f := &File{Flag: "-w", Name: "x", path: "/dev/full", temporary: temporary}
	err := f.copyOver(errors.New("it is mounted"))
	f.Abandon()
	if err == nil || !strings.Contains(err.Error(), "no space left on device; the complete output is in "+temporary) {
		t.Error(err)
	}
	checkContent(t, temporary, "all of it")
}
