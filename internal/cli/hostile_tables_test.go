package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/layers"
)

// renamed copies a capture. It replaces the players' names with other names of the same length.
func renamed(t *testing.T, name string, names ...string) (file string) {
	t.Helper()
	data := clitest.ReadFile(t, filepath.Join(clitest.Captures, name))
	for i := 0; i < len(names); i += 2 {
		if len(names[i]) != len(names[i+1]) || !bytes.Contains(data, []byte(names[i])) {
			t.Fatalf("%q cannot become %q", names[i], names[i+1])
		}
		data = bytes.ReplaceAll(data, []byte(names[i]), []byte(names[i+1]))
	}
	file = filepath.Join(t.TempDir(), "renamed.pcap")
	clitest.NoError(t, os.WriteFile(file, data, 0o600))
	return file
}

// TestHostilePlayers uses players' names that must not reach a terminal unescaped. Every table escapes them exactly
// once. JSON keeps the values.
func TestHostilePlayers(t *testing.T) {
	wiretest.WithoutDetector(t)
	for _, c := range []struct {
		capture        string
		names          []string
		inText, inJSON string // expected names
	}{
		{"bz24-ctf-players.pcap", []string{"erin", "e \"\x1b", "frank", "\x9b3\"1m"}, `1 e "\x1b`, "1 e \"\x1b"},
		{"bz24-ctf-players.pcap", []string{"erin", "\\n \r", "frank", "\u202e\a\t"}, `1 \\n \r`, `1 \n ` + "\r"},
		{"bz17-c-violations.pcap", []string{"Bad again", "B \"\x1b \x9b\x80in"}, `B "\x1b \u009b\u0080in`, "B \"\x1b \u009b\u0080in"},
	} {
		file := renamed(t, c.capture, c.names...)
		for _, table := range report.Specs(layers.All()) {
			checkPlain(t, []string{"-r", file, "-q", "-z", table.Name + strings.Replace(table.Args, "SECONDS", "1", 1)})
		}
		for _, form := range []string{"json", "csv"} {
			checkPlain(t, []string{"-r", file, "-q", "-z", "players", "-z", "timeline", "-T", form})
		}
		if out, _, _ := dissect("-r", file, "-q", "-z", "players"); !strings.Contains(out, c.inText) {
			t.Errorf("no player is called %s:\n%s", c.inText, out)
		}
		out, _, _ := dissect("-r", file, "-q", "-z", "players", "-T", "json")
		found := false
		for line := range strings.Lines(out) {
			var row struct{ Who string }
			clitest.NoError(t, json.Unmarshal([]byte(line), &row))
			found = found || row.Who == c.inJSON
		}
		if !found {
			t.Errorf("no player is called %q:\n%s", c.inJSON, out)
		}
	}
}

// TestQuotesInTables checks that text without quotes stays unchanged.
func TestQuotesInTables(t *testing.T) {
	out, _, _ := dissect("-r", filepath.Join(clitest.Captures, "bz24-admin.pcap"), "-q", "-z", "timeline")
	if !strings.Contains(out, `server: ben has left ("reason")`) {
		t.Errorf("the timeline is\n%s", out)
	}
}
