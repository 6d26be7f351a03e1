package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/gopacket/pcapgo"

	glayers "github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// TestSummaryScreens compares screens with golden files.
func TestSummaryScreens(t *testing.T) {
	golden, err := filepath.Abs(filepath.Join("testdata", "summary.golden"))
	clitest.NoError(t, err)
	inDocs(t)
	empty, err := os.Create("empty.pcap")
	clitest.NoError(t, err)
	clitest.NoError(t, pcapgo.NewWriter(empty).WriteFileHeader(65535, glayers.LinkTypeEthernet))
	clitest.NoError(t, empty.Close())
	const hostile = "hostile 'name'.pcap"
	writeReplies(t, hostile, clitest.HostileNames)
	var got strings.Builder
	for _, of := range []struct {
		width int
		files []string
	}{
		{80, []string{"testdata/pcap/bloodmasters-real.frag-lost.pcap"}},
		{80, []string{"testdata/pcap/bloodmasters-versions.pcapng"}},
		{80, []string{"testdata/pcap/iceball-real-session.pcap"}},
		{80, []string{"testdata/pcap/tribes-heartbeats-t1master.pcap"}},
		{80, []string{"testdata/pcap/tribes-list-40.pcap"}},
		{80, []string{"testdata/pcap/tribes-x-lost-2.pcap"}},
		{80, []string{"testdata/pcap/bz17-c-refused.pcap"}},
		{80, []string{"testdata/pcap/bz17-var-reorder.pcap"}},
		{80, []string{"testdata/pcap/bz24-ctf-capture.pcap"}},
		{120, []string{"testdata/pcap/bz24-query.pcap"}},
		{80, []string{"testdata/pcap/bz24-ctf-capture.pcap", "testdata/pcap/bz24-reject.pcap", "testdata/pcap/iceball-badf.pcap"}},
		{80, []string{
			"testdata/pcap/bz24-admin.pcap", "testdata/pcap/bz24-ctf-capture.pcap", "testdata/pcap/bz24-query.pcap",
			"testdata/pcap/iceball-badf.pcap", "testdata/pcap/tribes-list-40.pcap", "testdata/pcap/tribes-x-lost-2.pcap",
			"testdata/pcap/bloodmasters-real.pcap",
		}},
		{80, []string{"empty.pcap"}},
		{80, []string{"testdata/odd/http-of-others.pcap"}},
		{80, []string{hostile}},
		{40, []string{hostile}},
		{40, []string{"testdata/pcap/bz24-ctf-capture.pcap"}},
	} {
		t.Setenv("COLUMNS", strconv.Itoa(of.width))
		out, complaints, code := dissect(of.files...)
		fmt.Fprintf(&got, "$ COLUMNS=%d gamedissect %s\n%s%s", of.width, strings.Join(of.files, " "), out, complaints)
		if code != term.ExitDone {
			fmt.Fprintf(&got, "exit code %d\n", code)
		}
		got.WriteByte('\n')
	}
	wiretest.Golden(t, golden, []byte(got.String()))
}

// TestSummaryFits checks that the screen of every capture fits in 80 columns and 24 lines, and that it shows the same
// numbers as JSON and -q.
func TestSummaryFits(t *testing.T) {
	list := small(t)
	inDocs(t)
	t.Setenv("COLUMNS", "80")
	for _, name := range list {
		file := filepath.Join("testdata", "pcap", name)
		screen, _, code := dissect(file)
		if code != term.ExitDone && !strings.Contains(name, "cutfile") {
			t.Errorf("%s: exit code %d", name, code)
		}
		if n := strings.Count(screen, "\n"); n > 24 {
			t.Errorf("%s: %d lines", name, n)
		}
		for line := range strings.Lines(screen) {
			if clitest.LineWidth(strings.TrimSuffix(line, "\n")) > 80 {
				t.Errorf("%s: too wide: %s", name, line)
			}
		}
		text, _, _ := dissect("summary", file, "-T", "json")
		var s summary.Summary
		clitest.NoError(t, json.Unmarshal([]byte(text), &s))
		for _, want := range numbersOf(&s) {
			if !strings.Contains(screen, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, screen)
			}
		}
		totals, _, _ := dissect("-r", file, "-q", "-z", "findings", "-T", "json")
		if n := strings.Count(totals, "\n"); n != len(s.Health.Findings) {
			t.Errorf("%s: %d rules, -z findings has %d", name, len(s.Health.Findings), n)
		}
	}
}

// numbersOf returns texts that a screen must have.
func numbersOf(s *summary.Summary) []string {
	playing := 0
	for _, p := range s.Players {
		if !p.Observer {
			playing++
		}
	}
	list := []string{
		thousands(s.Packets) + " packet",
		fmt.Sprintf("SERVERS %d\n", len(s.Servers)), fmt.Sprintf("PLAYERS %d", playing),
	}
	for i, n := range []int{len(s.Servers), len(s.Players)} {
		if n == 0 {
			list[1+i] = ""
		}
	}
	for what, n := range map[string]int64{"error": s.Health.Errors, "warning": s.Health.Warnings, "note": s.Health.Notes} {
		if n > 0 {
			list = append(list, thousands(n)+" "+what)
		}
	}
	if len(s.Health.Findings) > 0 {
		list = append(list, s.Health.Findings[0].Rule)
	}
	for _, u := range s.Health.Unanswered[:min(len(s.Health.Unanswered), 1)] {
		list = append(list, u.Server.String())
	}
	if len(s.Health.NotListed) > 0 {
		list = append(list, "  not listed ")
	}
	if s.Failures > 0 {
		list = append(list, thousands(s.Failures)+" failure")
	}
	return list
}

func thousands(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// The commands that a screen suggests succeed, and show what they are suggested for.
func TestSummaryCommandsRun(t *testing.T) {
	inDocs(t)
	for _, name := range []string{
		"bloodmasters-real.frag-lost.pcap", "bz24-ctf-capture.pcap", "iceball-real-session.pcap", "tribes-list-40.pcap",
		"bz17-c-scorelimit.pcap", "bz17-var-lost.pcap", "tribes-x-control.pcap",
	} {
		var s summary.Summary
		clitest.NoError(t, json.Unmarshal([]byte(shown(t, "testdata/pcap/"+name, "-T", "json")), &s))
		if len(s.Next) == 0 {
			t.Errorf("%s: no command", name)
		}
		for _, command := range s.Next {
			options, tables, _ := strings.Cut(command, " -z ")
			for table := range strings.SplitSeq(tables, " -z ") {
				if tables != "" && shown(t, words(strings.TrimPrefix(options+" -z "+table, "gamedissect "))...) == "" {
					t.Errorf("%s: %s is empty", command, table)
				}
			}
			out := shown(t, words(strings.TrimPrefix(command, "gamedissect "))...)
			if out == "" || strings.Contains(out, "nothing for") || strings.HasPrefix(out, "0 packets") {
				t.Errorf("%s\nprints\n%s", command, out)
			}
			if strings.Contains(command, "frame.number") && !strings.Contains(out, s.Health.Findings[0].Rule) {
				t.Errorf("%s\ndoes not show %s:\n%s", command, s.Health.Findings[0].Rule, out)
			}
		}
	}
}
