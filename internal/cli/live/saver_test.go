package live

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// streaming opens a streamed output.
func streaming(t *testing.T, name string) (*outfile.Outputs, *outfile.File) {
	t.Helper()
	o := outfile.NewOutputs(term.Streams{})
	f := o.Stream("-w", name)
	clitest.NoError(t, o.Open())
	t.Cleanup(o.Abandon)
	return o, f
}

// A streamed file appears under its name with its first packet, and a crash leaves it there. Until then, an earlier
// capture with this name stays.
func TestStreamedOutput(t *testing.T) {
	earlier := filepath.Join(t.TempDir(), "x.pcap")
	clitest.NoError(t, os.WriteFile(earlier, []byte("an earlier capture"), 0o644))
	o, f := streaming(t, earlier)
	s, err := new(WriteOptions{Name: earlier}).NewSaver(f, false, true)
	clitest.NoError(t, err)
	if got, _ := os.ReadFile(earlier); string(got) != "an earlier capture" {
		t.Errorf("before the first packet: %q", got)
	}
	p := &capture.Packet{Data: make([]byte, 60), Length: 60, LinkType: 1, Number: 1}
	s.packet(p)
	clitest.NoError(t, s.writePacket(p))
	if info, err := os.Stat(earlier); err != nil || info.Size() != 24+16+60 {
		t.Errorf("after the first packet: %v, %v", info, err)
	}
	o.Abandon() // as after an error: captured packets are kept
	if info, err := os.Stat(earlier); err != nil || info.Size() != 24+16+60 {
		t.Errorf("at the end: %v, %v", info, err)
	}
}

// If the file is new, it exists from the beginning, so other programs can read it.
func TestNewStreamedOutput(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.pcapng")
	_, f := streaming(t, name)
	if _, err := new(WriteOptions{Name: name}).NewSaver(f, false, true); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.HasPrefix(got, []byte("\n\r\r\n")) {
		t.Errorf("%q, %v", got, err)
	}
}

// If a streamed output is abandoned before Begin, no new file is left. After Begin, the file stays.
func TestUnusedStreamedOutputIsRemoved(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.pcapng")
	o, _ := streaming(t, name)
	o.Abandon()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
	o, f := streaming(t, name)
	if _, err := new(WriteOptions{Name: name}).NewSaver(f, false, true); err != nil {
		t.Fatal(err)
	}
	o.Abandon()
	if _, err := os.Stat(name); err != nil {
		t.Errorf("the file that was begun is removed: %v", err)
	}
}
