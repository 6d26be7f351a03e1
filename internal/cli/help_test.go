package cli

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/docs"
	"github.com/gamedissect/gamedissect/internal/cli/help"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/print"
)

var (
	unseen = regexp.MustCompile("```\\w+|<!-- .* -->|\\]\\([^)]*\\)")
	letter = regexp.MustCompile(`[A-Za-z]+`)
)

// Pages are listed, keep to the width but for code and single words, lose no word, have no blanks at the ends of lines,
// and no colours where nobody sees them.
func TestHelpTopics(t *testing.T) {
	listed, _, _ := dissect("help")
	for _, p := range help.Topics() {
		if !strings.Contains(listed, "\n  "+p.Name+" ") {
			t.Errorf("help does not list %s", p.Name)
		}
		all := string(help.AppendPage(nil, p.Text, 100_000, &print.Style{}))
		for _, word := range letter.FindAllString(unseen.ReplaceAllString(p.Text, ""), -1) {
			if !strings.Contains(all, word) {
				t.Errorf("%s lacks %q", p.Name, word)
			}
		}
		for _, width := range []int{40, 80} {
			t.Setenv("COLUMNS", strconv.Itoa(width))
			out, stderr, code := dissect("help", p.Name)
			page := string(help.AppendPage(nil, p.Text, width, &print.Style{}))
			if code != term.ExitDone || stderr != "" || !strings.HasSuffix(out, page) {
				t.Fatalf("%s: %d %s", p.Name, code, stderr)
			}
			for line := range strings.Lines(page) {
				line = strings.TrimSuffix(line, "\n")
				own := strings.Contains(p.Text, strings.TrimLeft(line, " ")) // code, or a word
				if !own && (table.TextWidth(line) > width || strings.TrimRight(line, " ") != line) {
					t.Errorf("%s at %d columns: %q", p.Name, width, line)
				}
			}
		}
	}
}

// Where there is no room beside the names of topics, their questions stand below.
func TestHelpTopicsNarrow(t *testing.T) {
	p := docs.Page{Name: "lag", Title: "Who lagged, and when?"}
	for width, want := range map[int]string{
		80: "  lag               Who lagged, and when?\n",
		32: "  lag               Who lagged,\n                    and when?\n",
		31: "  lag\n    Who lagged, and when?\n",
		20: "  lag\n    Who lagged, and\n    when?\n",
	} {
		if got := string(help.AppendTopic(nil, &p, width)); got != want {
			t.Errorf("at %d columns it is\n%swant\n%s", width, got, want)
		}
	}
}

// Each part of a page, as a terminal has it.
func TestHelpPage(t *testing.T) {
	const markdown = "# What is `it`?\n\nA text, [about what](live.md#rights), [elsewhere](https://example.org), [the README](../README.md) and\n" +
		"![a map](images/x.png) to *fill* lines.\n\n<!-- not shown -->\n```sh\nls -l\n\n  indented\n```\n\n## Lists\n\n- one\n- two that is longer than " +
		"the line is\n  - within\n\n3. third\n4. fourth\n\n| name | what it is |\n|---|---|\n| `a\\|b` | short |\n| c | long enough to go on below itself |\n\n> said\n"
	want := `What is it?
===========

A text, about what (help live),
elsewhere (https://example.org),
the README (README.md) and (a
picture: a map) to fill lines.

    ls -l

      indented

Lists
-----

- one
- two that is longer than the line
  is
  - within

3. third
4. fourth

name  what it is
----  ----------------------------
a|b   short
c     long enough to go on below
      itself

  said
`
	if got := string(help.AppendPage(nil, markdown, 34, &print.Style{})); got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
	if got := string(help.AppendPage(nil, "# A\n", 34, &term.Colours)); got != term.Colours.Name+"A"+term.Colours.Reset+"\n=\n" {
		t.Errorf("in colours %q", got)
	}
}

// Code keeps its lines: those of a block stand behind four blanks or none, those of a sentence are its words. Columns of
// tables are as wide as their longest word, where there is room.
func TestHelpPageFits(t *testing.T) {
	for markdown, want := range map[string]string{
		"```\nls\n```\n":                        "    ls\n",
		"```\n12345678901234567890\n```\n":      "    12345678901234567890\n",
		"```\n123456789012345678901\n```\n":     "123456789012345678901\n",
		"```\n1234567890123456789012345\n```\n": "1234567890123456789012345\n",
		"Say `ls\n-l` twice.\n":                 "Say ls -l twice.\n",
		"|n|m|\n|-|-|\n|a word of them all|gamedissect.deb|\n": "n        m\n" +
			"-------  ---------------\na word   gamedissect.deb\nof them\nall\n",
		"|n|m|\n|-|-|\n|a word of|gamedissect_linux_amd64.deb|\n": "n          m\n" +
			"---------  -------------\na word of  gamedissect_l\n           inux_amd64.de\n           b\n",
	} {
		if got := string(help.AppendPage(nil, markdown, 24, &print.Style{})); got != want {
			t.Errorf("%q is\n%swant\n%s", markdown, got, want)
		}
	}
}

func TestHelpCompletion(t *testing.T) {
	out, _, _ := dissect("__complete", "help", "")
	lines := strings.Split(out, "\n")
	for _, want := range []string{"check\thold captures against expected sequences of messages", "lag\tWho lagged?"} {
		if !slices.Contains(lines, want) {
			t.Errorf("%q is not among %q", want, lines)
		}
	}
	if n := strings.Count("\n"+out, "\nwireshark\t"); n != 1 { // it is both
		t.Errorf("wireshark is there %d times", n)
	}
	if out, _, _ := dissect("__complete", "help", "completion", ""); !strings.Contains(out, "bash\t") || strings.Contains(out, "lag\t") {
		t.Error(out)
	}
}

// A page that is called like a command stands behind the command's help.
func TestHelpOfBoth(t *testing.T) {
	options, _, _ := dissect("wireshark", "--help")
	both, _, _ := dissect("help", "wireshark")
	page := help.AppendPage(nil, help.PageNamed("wireshark").Text, 80, &print.Style{})
	if options == "" || both != options+"\n"+string(page) {
		t.Error(both)
	}
}
