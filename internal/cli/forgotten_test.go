package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/gopacket"
	glayers "github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/live"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// writeStrangers writes a capture in which each of the hosts requests a master's list once.
func writeStrangers(t *testing.T, file string, hosts int) {
	t.Helper()
	f, err := os.Create(file)
	clitest.NoError(t, err)
	defer f.Close()
	w := pcapgo.NewWriter(f)
	clitest.NoError(t, w.WriteFileHeader(65535, glayers.LinkTypeRaw))
	buf := gopacket.NewSerializeBuffer()
	for i := range hosts {
		err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true},
			&glayers.IPv4{Version: 4, TTL: 64, Protocol: glayers.IPProtocolUDP, SrcIP: []byte{10, byte(i >> 16), byte(i >> 8), byte(i)}, DstIP: []byte{192, 0, 2, 1}},
			&glayers.UDP{SrcPort: 4000, DstPort: tribes.MasterPort}, gopacket.Payload{0x10, 3, 0xff, 0, 1, 2, 0, 0})
		clitest.NoError(t, err)
		data := buf.Bytes()
		clitest.NoError(t, w.WritePacket(gopacket.CaptureInfo{CaptureLength: len(data), Length: len(data)}, data))
	}
}

// The totals end with what the engine dropped because memory ran out. The metrics include it too.
func TestForgottenIsReported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "strangers.pcap")
	writeStrangers(t, file, 8_000)
	out, stderr, code := dissect("-q", "--memory", "4", "-r", file)
	form := regexp.MustCompile(`\n\nforgotten for lack of memory \(--memory 4\) +count\n([A-Za-z ]+  [0-9]+,[0-9]{3}\n)+$`)
	if code != term.ExitDone || !form.MatchString(out) || stderr != "" {
		t.Errorf("exit code %d, totals end\n%s, standard error is %q", code, out, stderr)
	}
	if out, stderr, _ := dissect("-q", "-r", file); strings.Contains(out+stderr, "forgotten") {
		t.Errorf("with the default memory totals are\n%s, standard error is %q", out, stderr)
	}
	if out, _, _ := dissect("-q", "--memory", "4", "-r", file, "-z", "protocols", "-z", "conv", "-z", "endpoints"); !regexp.MustCompile(`(?s)\ntribes +[0-9,]+\+.*\n +others  .*\nothers  `).MatchString(out) {
		t.Errorf("lists that are full are shown as\n%s", out)
	}
}

// anonymize must replace everything and cannot drop anything, so it rejects a capture with too much to replace and
// writes nothing.
func TestAnonymizeNeedsMemory(t *testing.T) {
	wiretest.WithoutDetector(t)
	dir := t.TempDir()
	file, written := filepath.Join(dir, "strangers.pcap"), filepath.Join(dir, "new.pcap")
	writeStrangers(t, file, 20_000)
	_, stderr, code := dissect("anonymize", "-r", file, "-w", written, "--memory", "4")
	if _, err := os.Stat(written); err == nil || code != term.ExitTrouble ||
		!strings.Contains(stderr, "not enough memory") || !strings.Contains(stderr, "raise --memory above 4\n") {
		t.Errorf("exit code %d, %v: %s", code, err, stderr)
	}
	if _, stderr, code := dissect("anonymize", "-r", file, "-w", written, "--memory", "160"); code != term.ExitDone {
		t.Errorf("with 160 MB: exit code %d: %s", code, stderr)
	}
}

// If no totals are printed, standard error reports what the engine dropped. If a result may be wrong as a consequence,
// the report is an error.
func TestForgottenWithoutTotals(t *testing.T) {
	wiretest.WithoutDetector(t)
	dir := t.TempDir()
	file, query := filepath.Join(dir, "strangers.pcap"), filepath.Join(dir, "query.yaml")
	writeStrangers(t, file, 8_000)
	clitest.NoError(t, os.WriteFile(query, []byte("name: queries\nprotocol: tribes\nsequence:\n  - expect: MasterQuery\n"), 0o666))
	form := regexp.MustCompile(`(?m)^gamedissect: forgotten for lack of memory: [A-Za-z ]+ \([0-9,]+\)(, [A-Za-z ]+ \([0-9,]+\) and others|` +
		` and [A-Za-z ]+ \([0-9,]+\)); [^;]+; raise --memory above 4\n`)
	for _, test := range []struct {
		code int
		args []string
	}{
		{term.ExitDone, []string{"-T", "json"}},
		{term.ExitDone, []string{"-q", "-z", "protocols"}},
		{term.ExitDone, []string{"--stats", "-"}},
		{term.ExitDone, []string{"follow", "udp,0", "-T", "json"}},
		{term.ExitDone, []string{"samples", "-o", dir}},
		{term.ExitTrouble, []string{"world", "-o", dir}}, // no world in the capture
		{term.ExitTrouble, []string{"record", "--per", "capture"}},
		{term.ExitTrouble, []string{"check", query}},
	} {
		_, stderr, code := dissect(append(test.args, "-r", file, "--memory", "4")...)
		if code != test.code || len(form.FindAllString(stderr, -1)) != 1 {
			t.Errorf("%q: exit code %d, standard error is\n%s", test.args, code, stderr)
		}
		if !wiretest.Full() {
			continue
		}
		args := append(slices.Clone(test.args), "-r", file)
		if test.args[0] == "samples" {
			args = append(args, "-o", t.TempDir())
		}
		_, stderr, code = dissect(args...)
		if test.args[0] != "world" && code != term.ExitDone || strings.Contains(stderr, "forgotten") {
			t.Errorf("%q with the default memory: exit code %d, standard error is\n%s", test.args, code, stderr)
		}
	}
}

// --memory includes the kernel's buffer of a live capture up to the default size. A larger size given with -B is not
// included.
func TestMemoryLive(t *testing.T) {
	for buffer, shared := range map[int64]int64{1: 1, live.DefaultBuffer: live.DefaultBuffer, 1000: live.DefaultBuffer} {
		if got := (&live.Options{Names: []string{"eth0"}, Buffer: buffer}).Shared(); got != shared {
			t.Errorf("-B %d: %d MB are shared", buffer, got)
		}
	}
	if n := (&live.Options{Buffer: live.DefaultBuffer}).Shared(); n != 0 {
		t.Errorf("%d MB are shared although nothing is captured", n)
	}
}
