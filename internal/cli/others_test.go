package cli

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// TestOther checks that -Y other selects as many packets of each port as -z other counts, and that -w writes them.
func TestOther(t *testing.T) {
	wiretest.WithoutDetector(t)
	packets := 0
	for _, file := range small(t) {
		file = filepath.Join(clitest.Captures, file)
		want := make(map[string]int)
		out, _, _ := dissect("-r", file, "-q", "-z", "other", "-T", "fields")
		for line := range strings.Lines(out) {
			cells := strings.Split(line, "\t") // columns what, in, port, packets
			n, err := strconv.Atoi(cells[3])
			clitest.NoError(t, err)
			want[cells[2]] += n
		}
		got, frames := make(map[string]int), make(map[string]bool)
		out, _, _ = dissect("-r", file, "-Y", "other", "-T", "fields", "-e", "other.port", "-e", "frame.number", "-e", "protocol")
		for line := range strings.Lines(out) {
			cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if got[cells[0]]++; cells[2] != "other" || frames[cells[1]] {
				t.Fatalf("%s: %q", file, line)
			}
			frames[cells[1]] = true
		}
		packets += len(frames)
		for port := range want {
			if got[port] != want[port] {
				t.Errorf("%s: %d packets of port %q are shown, %d counted", file, got[port], port, want[port])
			}
			delete(got, port)
		}
		if len(got) > 0 {
			t.Errorf("%s: -z other does not count %v", file, got)
		}
		out, _, _ = dissect("-r", file, "-T", "fields", "-e", "frame.number", "-Y", "!other")
		for frame := range strings.Lines(out) {
			if frames[strings.TrimSpace(frame)] {
				t.Errorf("%s: packet %s is both of a game and of none", file, frame)
			}
		}
	}
	if packets < 20 {
		t.Errorf("only %d packets are of no game", packets)
	}
}

// The test covers lines of packets of no game, the output file of -w, and rejected options.
func TestOtherShown(t *testing.T) {
	file := filepath.Join(clitest.Captures, "tribes-noise-tribes2-and-others.pcap")
	lines := shown(t, "-r", file, "-T", "line", "-Y", `other.port == 28000 && other.transport == "udp"`)
	if first, _, _ := strings.Cut(lines, "\n"); !strings.HasSuffix(first, "udp  0e 02 01 02 03 04") || strings.Count(lines, "\n") != 7 {
		t.Error(lines)
	}
	written := filepath.Join(t.TempDir(), "others.pcap")
	shown(t, "-r", file, "-Y", "other", "-w", written)
	if out := shown(t, "-r", written, "-q"); !strings.HasPrefix(out, "7 packets, 0 messages, 7 packets of other traffic") {
		t.Error(out)
	}
	for _, wrong := range [][]string{
		{"-r", "-", "-Y", "other"}, {"-r", file, "-Y", "other", "--mask-secrets"},
		{"export", "-r", file, "-o", filepath.Join(t.TempDir(), "tables"), "-Y", "other"},
	} {
		if _, stderr, code := dissect(wrong...); code != term.ExitTrouble || !strings.Contains(stderr, "-Y other") {
			t.Errorf("%q: exit code %d, %s", wrong, code, stderr)
		}
	}
}
