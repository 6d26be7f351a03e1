package cli

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// widths are widths of terminals: a usual one, and one that takes half of the screen.
var widths = []int{80, 40}

// talkative are captures with many kinds of messages and findings.
func talkative() (list []string) {
	for _, name := range []string{"bloodmasters-malformed", "bz17-c-violations", "bz24-reject", "iceball-cookies", "tribes-verify-keys"} {
		list = append(list, filepath.Join(clitest.Captures, name+".pcap"))
	}
	return list
}

// No line of the forms tree and line is wider than the terminal, whatever names the traffic contains.
func TestNoLineIsTooWide(t *testing.T) {
	wiretest.WithoutDetector(t)
	hostile := filepath.Join(t.TempDir(), strings.Repeat("名", 40)+".pcap")
	names := append([]string{
		strings.Repeat("x", 200), strings.Repeat("名", 100), strings.Repeat("שלום ", 40), strings.Repeat("e\u0301", 100),
		strings.Repeat("🎮🇩🇪", 30), strings.Repeat("\x1b[31m", 40), strings.Repeat("\u202e", 40),
	}, clitest.HostileNames...)
	writeReplies(t, hostile, names)
	for _, file := range append(talkative(), hostile) {
		for _, width := range widths {
			t.Setenv("COLUMNS", strconv.Itoa(width))
			for _, args := range [][]string{{"-T", "line"}, {"-T", "line", "-t", "ad"}, {"-T", "tree"}, {"-V", "-x", "-c", "50"}} {
				if file == hostile {
					args = append(args, "-r", filepath.Join(clitest.Captures, "bz17-var-snap96.pcap")) // several files, so the output names them
				}
				out, _, _ := dissect(append(args, "-r", file, "--color", "always")...)
				text, _, _ := strings.Cut(decoloured(out), " packets, ") // tables have their own test
				for line := range strings.Lines(text[:strings.LastIndex(text, "\n")+1]) {
					if n := runewidth.StringWidth(strings.TrimSuffix(line, "\n")); n > width {
						t.Errorf("%s, %v: %d columns: %s", file, args, n, line)
					}
				}
			}
		}
	}
}

// colour matches a change of colour.
var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

func decoloured(s string) string { return colour.ReplaceAllString(s, "") }

// On a terminal of 80 columns, half of each line is for the message, and findings are not cut.
func TestNarrowLines(t *testing.T) {
	wiretest.WithoutDetector(t)
	bare := strings.NewReplacer(" ", "", "\n", "")
	for _, file := range talkative() {
		t.Setenv("COLUMNS", "")
		records, _, _ := dissect("-T", "json", "-r", file)
		for _, width := range widths {
			t.Setenv("COLUMNS", strconv.Itoa(width))
			lines, _, _ := dissect("-T", "line", "-r", file)
			tree, _, _ := dissect("-T", "tree", "-r", file)
			begun := firstHalves(lines, width)
			bareLines, bareTree := bare.Replace(lines), bare.Replace(tree)
			for record := range strings.Lines(records) {
				var m struct {
					Frame    int
					Message  string
					Findings []struct{ Rule, Severity, Text string }
				}
				clitest.NoError(t, json.Unmarshal([]byte(record), &m))
				if begins := begun[m.Frame]; m.Message != "" && width == 80 && !begins[m.Message] {
					t.Errorf("%s: %s of packet %d does not begin in the first half of a line", file, m.Message, m.Frame)
				}
				for _, f := range m.Findings {
					head := bare.Replace("! " + f.Rule + " " + f.Severity)
					text := bare.Replace(": " + f.Text)
					if !strings.Contains(bareTree, head+text) || !strings.Contains(bareLines, head) {
						t.Errorf("%s at %d: %s%s is not complete", file, width, head, text)
					}
				}
			}
		}
	}
}

// Reasons are not cut, and the versions of rejected clients are shown.
func TestReasonsAreNotCut(t *testing.T) {
	bare := strings.NewReplacer(" ", "", "\n", "")
	versions := 0
	for name, table := range map[string]string{"bz24-reject.pcap": "refused", "bloodmasters-real.pcap": "refused",
		"tribes-heartbeats-t1master.pcap": "listing", "iceball-badv.pcapng": "listing"} {
		args := []string{"-r", filepath.Join(clitest.Captures, name), "-q", "-z", table}
		t.Setenv("COLUMNS", "")
		rows, _, _ := dissect(append(args, "-T", "json")...)
		for _, width := range []int{40, 60, 80} {
			t.Setenv("COLUMNS", strconv.Itoa(width))
			text, _, _ := dissect(args...)
			for row := range strings.Lines(rows) {
				var m struct{ Reason, Why, Version string }
				clitest.NoError(t, json.Unmarshal([]byte(row), &m))
				for _, want := range []string{m.Reason, m.Why, m.Version} {
					if want = string(format.AppendPlain(nil, want)); !strings.Contains(bare.Replace(text), bare.Replace(want)) {
						t.Errorf("%s at %d lacks %q:\n%s", name, width, want, text)
					}
				}
				if m.Version != "" {
					versions++
				}
			}
		}
	}
	if versions == 0 {
		t.Error("no client has a version")
	}
}

var placed = regexp.MustCompile(`^ *(\d+) +[0-9.]+ \S+ +\S+ +[<>] +`)

// firstHalves returns, by packet, the messages whose name begins in the first half of the line, or right after it.
func firstHalves(lines string, width int) map[int]map[string]bool {
	begun := make(map[int]map[string]bool)
	for line := range strings.Lines(lines) {
		at := placed.FindStringSubmatch(line)
		if at == nil || len(at[0]) > width/2 {
			continue
		}
		frame, _ := strconv.Atoi(at[1])
		if begun[frame] == nil {
			begun[frame] = make(map[string]bool)
		}
		begun[frame][strings.Fields(line[len(at[0]):])[0]] = true
	}
	return begun
}
