package cli

import (
	"encoding/csv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/layers"
)

func tableOf(t *testing.T, args ...string) [][]string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(shown(t, append(args, "-T", "csv")...)))
	r.FieldsPerRecord = -1 // rows of several tables
	rows, err := r.ReadAll()
	clitest.NoError(t, err)
	return rows
}

// TestSortAndTop checks that each table of -z can be sorted by each of its sortable columns, and limited to the first
// rows. CSV and JSON must agree.
func TestSortAndTop(t *testing.T) {
	wiretest.WithoutDetector(t)
	tables := append(report.Names(layers.All()), "io,5")
	sorted := 0
	for _, file := range []string{"pcap/bz24-ctf-capture.pcap", "pcap/tribes-list-40.pcap", "pcap/bz17-c-scorelimit.pcap"} {
		for _, table := range tables {
			args := []string{"-r", filepath.Join(clitest.Captures, "..", file), "-q", "-z", table}
			rows := tableOf(t, args...)
			if len(rows) < 3 || slices.ContainsFunc(rows, func(row []string) bool { return len(row) != len(rows[0]) }) {
				continue // columns of several protocols
			}
			for at, name := range rows[0] {
				got := tableOf(t, append(args, "--sort", name)...)
				for i := 2; i < len(got); i++ {
					if got[i-1][at] == "others" || got[i][at] == "others" {
						continue
					}
					if !mayPrecede(name, got[i-1][at], got[i][at]) {
						t.Fatalf("%s -z %s --sort %s: %q is before %q", file, table, name, got[i-1][at], got[i][at])
					}
				}
				sorted++
			}
			if top := tableOf(t, append(args, "--top", "1")...); !slices.Equal(top[1], rows[1]) || len(top) != 2 {
				t.Errorf("%s -z %s --top 1: %q", file, table, top)
			}
			if lines := shown(t, append(args, "--top", "2", "-T", "json")...); strings.Count(lines, "\n") != 2 {
				t.Errorf("%s -z %s --top 2 -T json:\n%s", file, table, lines)
			}
		}
	}
	if sorted < 50 {
		t.Errorf("only %d columns were sorted", sorted)
	}
}

// mayPrecede reports whether a cell may come before another.
func mayPrecede(column, a, b string) bool {
	number := func(text string) (float64, error) {
		if n, _, ok := stats.Count(text); ok {
			return float64(n), nil
		}
		won, lost, _ := strings.Cut(text, "-")
		w, err := strconv.ParseFloat(won, 64)
		if l, bad := strconv.ParseFloat(lost, 64); err == nil && bad == nil {
			return w - l, nil
		}
		return strconv.ParseFloat(text, 64)
	}
	x, err := number(a)
	y, err2 := number(b)
	switch {
	case b == "" || a == b:
		return true
	case a == "":
		return false
	case err != nil || err2 != nil:
		return stats.CompareNames(a, b) <= 0
	case strings.Contains(column, "frame") || strings.Contains(column, "stream") || strings.Contains(column, "port"):
		return x <= y || column == "stream" // udp,0 comes after tcp,1
	}
	return x >= y
}

// The test covers reverse order, the table for people, and rejected options.
func TestSortDetails(t *testing.T) {
	args := []string{"-r", filepath.Join(clitest.Captures, "..", "games", "bz24-rabbit.pcap.gz"), "-q", "-z", "players"}
	rows := tableOf(t, append(args, "--sort=-kills", "--top", "2")...)
	who, kills := slices.Index(rows[0], "who"), slices.Index(rows[0], "kills")
	if rows[1][who] != "3 gina01" || rows[1][kills] != "1" || rows[2][kills] != "3" {
		t.Errorf("from the least kills: %q", rows)
	}
	lag := tableOf(t, "-r", filepath.Join(clitest.Captures, "bz24-ctf-capture.pcap"), "-q", "-z", "players", "--sort", "lag", "--top", "1")
	if lag[1][who] != "2 frank" {
		t.Errorf("the worst lag: %q", lag)
	}
	if out := shown(t, append(args, "--sort", "kills", "--top", "2")...); !strings.HasSuffix(out, "\nand 4 more rows\n") {
		t.Error(out)
	}
	for _, wrong := range [][]string{{"--sort", "nick"}, {"--top", "-1"}} {
		if _, stderr, code := dissect(append(args, wrong...)...); code != term.ExitTrouble || !strings.Contains(stderr, wrong[0]) {
			t.Errorf("%q: exit code %d, %s", wrong, code, stderr)
		}
	}
	if _, stderr, code := dissect("-r", args[1], "--top", "3"); code != term.ExitTrouble || !strings.Contains(stderr, "-z TABLE") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
