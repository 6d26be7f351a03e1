package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

var queryBlock = regexp.MustCompile("(?s)```sql\n(.*?)\n```\n(?:\n```text\n(.*?)\n```\n)?")

// TestArchives runs the queries of docs/archives.md on tables of the captures, and compares the results with those on
// the page. With -update it writes the results to the page.
func TestArchives(t *testing.T) {
	d := newDuckDB(t)
	name := filepath.Join(clitest.Root, "docs", "archives.md")
	text := clitest.ReadFile(t, name)
	dir := filepath.Join(t.TempDir(), "tables")
	args := []string{"export", "-o", dir}
	for _, file := range files(t, ".cutfile.pcap") {
		args = append(args, "-r", filepath.Join(clitest.Captures, file))
	}
	if _, stderr, _ := dissect(args...); strings.Contains(stderr, "nothing is written") {
		t.Fatal(stderr)
	}
	blocks := 0
	written := queryBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		blocks++
		parts := queryBlock.FindStringSubmatch(block)
		got := queryResult(d.query(strings.ReplaceAll(parts[1], "'tables/", "'"+filepath.ToSlash(dir)+"/")))
		if got != parts[2] && !updating() {
			t.Errorf("%s\nreturns\n%s\nthe page has\n%s", parts[1], got, parts[2])
		}
		return "```sql\n" + parts[1] + "\n```\n\n```text\n" + got + "\n```\n"
	})
	if blocks < 10 {
		t.Errorf("%d queries, want 10", blocks)
	}
	if updating() {
		clitest.NoError(t, os.WriteFile(name, []byte(written), 0o666))
	}
}

// queryResult returns the result of a query as text, in columns.
func queryResult(a answer) string {
	lines := [][]string{a.Columns}
	for _, row := range a.Rows {
		var line []string
		for _, v := range row {
			if v == nil {
				v = "NULL"
			}
			line = append(line, fmt.Sprint(v))
		}
		lines = append(lines, line)
	}
	widths := make([]int, len(a.Columns))
	for _, line := range lines {
		for i, s := range line {
			widths[i] = max(widths[i], len([]rune(s)))
		}
	}
	var b strings.Builder
	for _, line := range lines {
		text := ""
		for i, s := range line {
			text += fmt.Sprintf("%-*s  ", widths[i], s)
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
