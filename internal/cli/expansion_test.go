package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// bomb writes a file of 25 KB that expands to 300 MB: a capture and then zeros. The zeros are inside a pcapng block
// whose header has a length above 300 MB, so they are read quickly.
func bomb(t *testing.T) string {
	t.Helper()
	whole := clitest.ReadFile(t, filepath.Join(clitest.Captures, "tribes-v-list-40-pcapng.pcapng"))
	w, err := zstd.NewWriter(nil)
	clitest.NoError(t, err)
	start := w.EncodeAll(append(whole, "\x04\x00\x00\x00\xfc\xff\xff\xff"...), nil)
	const zeros = "\x28\xb5\x2f\xfd\x00\x48\x03\x00\x10\x00" // a frame of 128 KiB: RFC 8878, section 3.1.1
	name := filepath.Join(t.TempDir(), "bomb.pcapng.zst")
	clitest.NoError(t, os.WriteFile(name, append(start, strings.Repeat(zeros, 2_300)...), 0o600))
	return name
}

// Every command processes the packets before the expansion, says why it stops, and fails. With --unpack-all it
// continues.
func TestCommandsBoundExpansion(t *testing.T) {
	wiretest.WithoutDetector(t)
	file, dir := bomb(t), t.TempDir()
	stdin := clitest.ReadFile(t, file)
	expectations := filepath.Join(clitest.Root, "testdata", "expect", "tribes-list.yaml")
	for _, args := range some(t, [][]string{
		{"-q", "-r", "-"},
		{"check", "-r", file, expectations},
		{"-q", "--unpack-all", "-r", file},
		{"-q", "-r", filepath.Join(clitest.Captures, "bloodmasters-real.pcap"), "-r", file},
		{"follow", "udp,0", "-T", "line", "-r", file},
		{"record", "-o", filepath.Join(dir, "x.yaml"), "-r", file},
		{"anonymize", "-w", filepath.Join(dir, "x.pcapng"), "-r", file},
		{"export", "-o", filepath.Join(dir, "tables"), "-r", file},
		{"world", "-o", filepath.Join(dir, "worlds"), "-r", file},
		{"check", "--unpack-all", "-r", file, expectations},
	}, 3) {
		var out, stderr bytes.Buffer
		code := execute(args, term.Streams{In: bytes.NewReader(stdin), Out: &out, Err: &stderr})
		bounded := strings.Contains(stderr.String(), "the zstd data decompress to more than 250 times the compressed size") &&
			strings.Contains(stderr.String(), "--unpack-all")
		all := strings.Contains(stderr.String(), "the file ends inside a block")
		if want := slices.Contains(args, "--unpack-all"); code != term.ExitTrouble || bounded == want || all != want {
			t.Errorf("%q: exit code %d: %s", args, code, &stderr)
		}
		if slices.Contains(args, "-q") && !strings.Contains(out.String(), "MasterListReply") {
			t.Errorf("%q: %s", args, &out)
		}
	}
}
