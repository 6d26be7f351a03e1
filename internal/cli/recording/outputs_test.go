package recording

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// written makes a file in a folder of the test.
func written(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	clitest.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}

// holds checks that a file has a text, and that there is no temporary file in its folder.
func holds(t *testing.T, name, want string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("%s: %q, %v; want %q", name, got, err, want)
	}
	if beside, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".gamedissect-*")); beside != nil {
		t.Errorf("there is %s as well", beside)
	}
}

// opened opens one output.
func opened(t *testing.T, name string, stream bool) (*outfile.Outputs, *outfile.File) {
	t.Helper()
	o := outfile.NewOutputs(term.Streams{})
	f := o.File("-w", name)
	f.Streamed = stream
	clitest.NoError(t, o.Open())
	t.Cleanup(o.Abandon)
	return o, f
}

// Until a file is whole, the one before stays; what is given up leaves nothing.
func TestOutputIsReplacedWhenWhole(t *testing.T) {
	name := written(t, "x", "before")
	o, f := opened(t, name, false)
	w, err := f.Begin()
	clitest.NoError(t, err)
	if _, err := w.Write([]byte("half")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(name); string(got) != "before" {
		t.Errorf("while it is written: %q", got)
	}
	o.Abandon()
	holds(t, name, "before")
	_, f = opened(t, name, false)
	if err := f.WriteAll([]byte("after")); err != nil {
		t.Error(err)
	}
	holds(t, name, "after")
}

// A new file is there when it is whole, and not before.
func TestNewOutput(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	o, _ := opened(t, name, false)
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is there at once: %v", err)
	}
	o.Abandon()
	if left, _ := os.ReadDir(filepath.Dir(name)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	_, f := opened(t, name, false)
	if err := f.WriteAll([]byte("new")); err != nil {
		t.Error(err)
	}
	holds(t, name, "new")
}

// Where a name cannot get another file, what was written goes over the one that is there.
func TestOutputThatCannotBeRenamed(t *testing.T) {
	name := written(t, "x", "before, and longer")
	o, f := opened(t, name, false)
	if _, err := f.Begin(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.File.WriteString("after"); err != nil {
		t.Fatal(err)
	}
	if err := f.CopyOver(errors.New("device or resource busy")); err != nil {
		t.Error(err)
	}
	o.Abandon()
	holds(t, name, "after")
}

// A folder that takes no further file lets its own be written.
func TestOutputInFullFolder(t *testing.T) {
	name := written(t, "x", "before")
	clitest.NoError(t, os.Chmod(filepath.Dir(name), 0o555))
	if trial, err := outfile.NewBeside(name); err == nil {
		trial.Close()
		t.Skip("this user may write everywhere")
	}
	o, f := opened(t, name, false)
	holds(t, name, "before")
	if err := f.WriteAll([]byte("after")); err != nil {
		t.Error(err)
	}
	o.Abandon()
	holds(t, name, "after")
}

// The first packet publishes a file that other programs may read. Until then the earlier file stays.
func TestStreamedOutput(t *testing.T) {
	earlier := written(t, "x.pcap", "an earlier capture")
	o, f := opened(t, earlier, true)
	s, err := new(Options{Name: earlier}).NewSaver(f, false, true)
	clitest.NoError(t, err)
	if got, _ := os.ReadFile(earlier); string(got) != "an earlier capture" {
		t.Errorf("before the first packet: %q", got)
	}
	p := &capture.Packet{Data: make([]byte, 60), Length: 60, LinkType: 1, Number: 1}
	s.Packet(p)
	clitest.NoError(t, s.WritePacket(p))
	if info, err := os.Stat(earlier); err != nil || info.Size() != 24+16+60 {
		t.Errorf("after the first packet: %v, %v", info, err)
	}
	o.Abandon() // as after an error: what was captured is kept
	if info, err := os.Stat(earlier); err != nil || info.Size() != 24+16+60 {
		t.Errorf("at the end: %v, %v", info, err)
	}
}

// If there is no earlier file, the file is there from the beginning.
func TestNewStreamedOutput(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.pcapng")
	_, f := opened(t, name, true)
	if _, err := new(Options{Name: name}).NewSaver(f, false, true); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.HasPrefix(got, []byte("\n\r\r\n")) {
		t.Errorf("%q, %v", got, err)
	}
}

// If another output or an input cannot be opened, a new file is removed.
func TestNewStreamedOutputIsTakenBack(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.pcapng")
	o, _ := opened(t, name, true)
	o.Abandon()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	o, f := opened(t, name, true)
	if _, err := new(Options{Name: name}).NewSaver(f, false, true); err != nil {
		t.Fatal(err)
	}
	o.Abandon()
	if _, err := os.Stat(name); err != nil {
		t.Errorf("what was begun is gone: %v", err)
	}
}

// What cannot be put in its place nor written over it is not lost.
func TestOutputThatFitsNowhereIsKept(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no disk without room: ", err)
	}
	beside := written(t, "beside", "all of it")
	f := &outfile.File{Flag: "-w", Name: "x", Path: "/dev/full", Beside: beside}
	err := f.CopyOver(errors.New("it is mounted"))
	f.Abandon()
	if err == nil || !strings.Contains(err.Error(), "no space left on device; "+beside+" is whole") {
		t.Error(err)
	}
	holds(t, beside, "all of it")
}
