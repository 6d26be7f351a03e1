package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// writeBadCaptures writes captures that cannot be read completely, and one without a game.
func writeBadCaptures(t *testing.T) {
	t.Helper()
	capture := func(link uint32, packet []byte) []byte {
		b := binary.LittleEndian.AppendUint32(nil, 0xa1b2c3d4)
		b = append(b, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0)
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, 65535), link)
		b = append(b, 1, 0, 0, 0, 0, 0, 0, 0)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(packet)))
		return append(binary.LittleEndian.AppendUint32(b, uint32(len(packet))), packet...)
	}
	const rawIP, user0 = 101, 147
	datagram := append([]byte{0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2}, 0, 53, 0, 53, 0, 8, 0, 0)
	whole := clitest.ReadFile(t, filepath.Join(clitest.Captures, "bz24-admin.pcap"))
	for name, data := range map[string][]byte{
		"cut": whole[:len(whole)-1], "unread": capture(user0, datagram), "foreign": capture(rawIP, datagram), "empty": nil,
	} {
		clitest.NoError(t, os.WriteFile(name+".pcap", data, 0o600))
	}
}

// engineFolder writes a folder that looks like the engine of the page.
func engineFolder(t *testing.T) {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte("\x00asm\x01\x00\x00\x00"))
	clitest.NoError(t, err)
	clitest.NoError(t, w.Close())
	clitest.NoError(t, os.Mkdir("engine", 0o700))
	clitest.NoError(t, os.WriteFile(filepath.Join("engine", "engine.wasm.gz"), b.Bytes(), 0o600))
	clitest.NoError(t, os.WriteFile(filepath.Join("engine", "wasm_exec.js"), []byte("globalThis.Go = 1"), 0o600))
}

// TestExitCodes checks that all commands have the same exit code for captures that cannot be read completely. Commands
// that need a game fail for a capture without one.
func TestExitCodes(t *testing.T) {
	wiretest.WithoutDetector(t)
	expectations, err := filepath.Abs(filepath.Join(clitest.Captures, "..", "expect", "bzflag24-join.yaml"))
	clitest.NoError(t, err)
	captures, err := filepath.Abs(clitest.Captures)
	clitest.NoError(t, err)
	good := filepath.Join(captures, "bz24-admin.pcap")
	t.Chdir(t.TempDir())
	writeBadCaptures(t)
	engineFolder(t)
	commands := map[string]int{ // exit codes for a capture without a game
		"FILE": term.ExitDone, "summary FILE": term.ExitDone, "summary -T json FILE": term.ExitDone,
		"-r FILE": term.ExitDone, "-q -r FILE": term.ExitDone, "-T json -r FILE": term.ExitDone,
		"-T csv -r FILE": term.ExitDone, "-q -z other -r FILE": term.ExitDone, "-q -z players --top 1 -r FILE": term.ExitDone,
		"-q -w written.pcap -r FILE": term.ExitDone, "-Y who==3 -T line -r FILE": term.ExitDone,
		"export -o tables --overwrite -r FILE":                    term.ExitDone,
		"anonymize -w anonymous.pcap -r FILE":                     term.ExitDone,
		"report -o page.html --engine engine -r FILE":             term.ExitDone,
		"report -o page.html --engine engine --no-mask -r FILE":   term.ExitDone,
		"report -o page.html --engine engine --anonymize -r FILE": term.ExitDone,
		"report -o page.html --engine engine -Y bzflag24 -r FILE": term.ExitDone,
		"diff " + good + " FILE":                                  term.ExitTrouble,
		"check " + expectations + " -r FILE":                      term.ExitDone,
		"follow tcp,0 -r FILE":                                    term.ExitTrouble,
		"record -r FILE":                                          term.ExitTrouble,
		"world -o worlds -r FILE":                                 term.ExitTrouble,
		"samples -o samples -r FILE":                              term.ExitTrouble,
	}
	for command, foreign := range commands {
		for file, want := range map[string]int{
			"cut": term.ExitTrouble, "unread": term.ExitTrouble, "missing": term.ExitTrouble, "empty": term.ExitTrouble,
			"foreign": foreign,
		} {
			args := strings.Fields(strings.ReplaceAll(command, "FILE", file+".pcap"))
			if _, stderr, code := dissect(args...); code != want || code == term.ExitTrouble && !strings.HasPrefix(lastLine(stderr), "gamedissect: ") {
				t.Errorf("gamedissect %s: exit code %d, want %d: %s", strings.Join(args, " "), code, want, stderr)
			}
		}
	}
}

func lastLine(text string) string {
	text = strings.TrimSuffix(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}
