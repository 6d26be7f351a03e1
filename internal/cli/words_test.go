package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// Every name that a filter may use is listed once. Every name that belongs to no message has a description.
func TestFieldsListsAll(t *testing.T) {
	out, stderr, code := dissect("fields", "-V")
	if code != term.ExitDone || stderr != "" {
		t.Fatal(code, stderr)
	}
	var names []string
	for line := range strings.Lines(out) {
		name, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if kind, meaning, two := strings.Cut(rest, "\t"); !ok || !two || kind == "" || strings.Contains(meaning, "\t") {
			t.Errorf("%q does not have three columns", line)
		} else if meaning == "" && !strings.Contains(name, ".") {
			t.Errorf("%s has no meaning", name)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	if want := session.NewSchema().Names(); !slices.Equal(names, want) {
		t.Errorf("%d names, want the %d of the schema", len(names), len(want))
	}
}

// Lists and help fit the width, lose nothing, and have no Markdown marks. A word wider than the line is not broken, and
// neither is an example, because users copy it.
func TestWordsFit(t *testing.T) {
	commands := [][]string{{"rules"}, {"fields", "-V", "bzflag24", "frame"}, {"protocols"}, {"explain", "iceball", "tcp"}, {"--help"},
		{"fields", "--help"}, {"man", "--help"}}
	for _, args := range commands {
		t.Setenv("COLUMNS", "100000")
		wide, _, _ := dissect(args...)
		if strings.Contains(wide, "`") {
			t.Errorf("%s has marks of Markdown", args)
		}
		for _, width := range []int{40, 80} {
			t.Setenv("COLUMNS", map[int]string{40: "40", 80: "80"}[width])
			out, stderr, code := dissect(args...)
			if code != term.ExitDone || stderr != "" {
				t.Fatal(args, code, stderr)
			}
			if got, want := strings.Join(strings.Fields(out), ""), strings.Join(strings.Fields(wide), ""); args[0] != "explain" && got != want {
				t.Errorf("%s at %d columns does not have the same words as at 100,000 columns", args, width)
			}
			for line := range strings.Lines(out) {
				line = strings.TrimSuffix(line, "\n")
				words := strings.Fields(line)
				if len([]rune(line)) > width && len(words) > 1 && !slices.Contains(words, "gamedissect") && (width == 80 || args[0] != "--help") {
					t.Errorf("%s at %d columns: %s", args, width, line)
				}
			}
		}
	}
}

// The manual page has the usual sections.
func TestManual(t *testing.T) {
	page, _, _ := dissect("man")
	within, _, _ := dissect("man", "check")
	for _, title := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "FILTERS", "EXIT STATUS", "SIGNALS", "ENVIRONMENT", "FILES",
		"EXAMPLE", "SEE ALSO"} {
		if n := strings.Count(page, "\n.SH "+title+"\n"); n != 1 {
			t.Errorf("the manual has %d sections %s", n, title)
		}
		if has := strings.Contains(within, "\n.SH "+title+"\n"); has == slices.Contains([]string{"FILTERS", "FILES"}, title) {
			t.Errorf("section %s in the manual of a command: %v", title, has)
		}
	}
}
