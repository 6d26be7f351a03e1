package expect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/expect"
)

// TestRecordedTexts records some captures and compares the resulting expectations with golden files.
func TestRecordedTexts(t *testing.T) {
	exact := expect.RecordOptions{Exact: true}
	all := expect.RecordOptions{Exact: true, All: true, Per: "client"}
	for _, test := range []struct {
		name, capture string
		options       expect.RecordOptions
	}{
		{"tribes", "tribes-x-control.pcap", expect.RecordOptions{}},
		{"tribes-list", "tribes-list-40.pcap", expect.RecordOptions{}},
		{"tribes-keys-exact", "tribes-verify-keys.pcap", exact},
		{"iceball", "iceball-badv.pcapng", expect.RecordOptions{}},
		{"iceball-all", "iceball-real-session.pcap", all},
		{"iceball-server", "iceball-cookies.pcap", expect.RecordOptions{Per: "server"}},
		{"bloodmasters", "bloodmasters-gametypes.pcap", expect.RecordOptions{Per: "capture"}},
		{"bloodmasters-versions", "bloodmasters-versions.pcapng", expect.RecordOptions{}},
		{"bzflag17", "bz17-c-joinleave.pcap", expect.RecordOptions{}},
		{"bzflag17-all", "bz17-c-refused.pcap", all},
		{"bzflag17-exact", "bz17-c-scorelimit.pcap", exact},
		{"bzflag17-violations", "bz17-c-violations.pcap", expect.RecordOptions{}},
		{"bzflag24", "bz24-ctf-players.head.pcap", expect.RecordOptions{}},
		{"bzflag24-all", "bz24-admin.pcap", all},
		{"bzflag24-query", "bz24-query.pcap", expect.RecordOptions{Per: "client"}},
	} {
		wiretest.Golden(t, filepath.Join("testdata", "recorded", test.name+".golden"), record(t, test.capture, test.options))
	}
}

// TestReports compares the results of fulfilled and failed expectations with golden files. The first line of each YAML
// file names the capture.
func TestReports(t *testing.T) {
	files, err := filepath.Glob("testdata/reports/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 5 {
		t.Errorf("only %d files", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		var b strings.Builder
		for _, r := range check(t, loadText(t, filepath.Base(file), text), strings.TrimPrefix(first, "# ")) {
			writeResult(&b, r)
		}
		wiretest.Golden(t, strings.TrimSuffix(file, ".yaml")+".golden", []byte(b.String()))
	}
}

// writeResult writes everything that a result contains.
func writeResult(b *strings.Builder, r *expect.Result) {
	fmt.Fprintf(b, "%s: line %d: %v %q, %d fulfilled, %s\n", r.Name, r.Line, r.OK(), r.Trouble, r.Fulfilled(), r.Summary())
	if !r.OK() {
		fmt.Fprintf(b, "  %s\n", r.Cause())
		for _, g := range r.Telling() {
			fmt.Fprintf(b, "  shown by %s\n", g.Name)
		}
	}
	writeFindings(b, " ", r.Findings)
	for _, g := range r.Groups {
		fmt.Fprintf(b, "  %s: %d messages\n", g.Name, g.Messages)
		for _, f := range g.Failures {
			step := "no step"
			if f.Step != nil {
				step = f.Step.Text
			}
			fmt.Fprintf(b, "    line %d: %s: %s; %d matched\n", f.Line, step, f.Cause, f.Matched)
			if f.Frame != nil {
				fmt.Fprintf(b, "      frame %v\n", numbered(*f.Frame)[0])
			}
			if f.Nearest != nil {
				fmt.Fprintf(b, "      nearest %v, differs %q\n", numbered(*f.Nearest)[0], f.Differs)
			}
			fmt.Fprintf(b, "      before %v, after %v, bound %q\n", numbered(f.Before...), numbered(f.After...), f.Bound)
			writeFindings(b, "      ", f.Findings)
		}
	}
}

// numbered formats messages with their frame numbers.
func numbered(list ...expect.Frame) (texts []string) {
	for _, f := range list {
		texts = append(texts, fmt.Sprintf("{%d %s}", f.Number, f.Line))
	}
	return texts
}

func writeFindings(b *strings.Builder, indent string, list []expect.Finding) {
	for _, f := range list {
		fmt.Fprintf(b, "%sfinding in frame %d: %s: %s\n", indent, f.Frame, f.Rule.ID, f.Text)
	}
}
