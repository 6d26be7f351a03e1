package help

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/docs"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/layers"
)

var (
	unseen = regexp.MustCompile("```\\w+|<!-- .* -->|\\]\\([^)]*\\)")
	letter = regexp.MustCompile(`[A-Za-z]+`)
)

// Except for code and single words, pages fit the width. They lose no word, and no line ends with a space.
func TestPages(t *testing.T) {
	for _, p := range docs.Pages() {
		all := string(appendPage(nil, p.Text, 100_000, &print.Style{}))
		for _, word := range letter.FindAllString(unseen.ReplaceAllString(p.Text, ""), -1) {
			if !strings.Contains(all, word) {
				t.Errorf("%s lacks %q", p.Name, word)
			}
		}
		for _, width := range []int{40, 80} {
			for line := range strings.Lines(string(appendPage(nil, p.Text, width, &print.Style{}))) {
				line = strings.TrimSuffix(line, "\n")
				own := strings.Contains(p.Text, strings.TrimLeft(line, " ")) // code or a single word
				if !own && (term.CellWidth(line) > width || strings.TrimRight(line, " ") != line) {
					t.Errorf("%s at %d columns: %q", p.Name, width, line)
				}
			}
		}
	}
}

// If there is no room next to the name of a topic, its title goes below.
func TestHelpTopicsNarrow(t *testing.T) {
	p := docs.Page{Name: "lag", Title: "Who lagged, and when?"}
	for width, want := range map[int]string{
		80: "  lag               Who lagged, and when?\n",
		32: "  lag               Who lagged,\n                    and when?\n",
		31: "  lag\n    Who lagged, and when?\n",
		20: "  lag\n    Who lagged, and\n    when?\n",
	} {
		if got := string(appendTopic(nil, &p, width)); got != want {
			t.Errorf("at %d columns it is\n%swant\n%s", width, got, want)
		}
	}
}

// TestHelpPage checks what a terminal shows for each kind of Markdown block.
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
	if got := string(appendPage(nil, markdown, 34, &print.Style{})); got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
	if got := string(appendPage(nil, "# A\n", 34, &term.Colours)); got != term.Colours.Name+"A"+term.Colours.Reset+"\n=\n" {
		t.Errorf("in colours %q", got)
	}
}

// A block of code keeps its lines, with an indentation of four spaces or none. Code in a sentence is wrapped like the
// sentence. Columns of tables are as wide as their longest word if there is room.
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
		if got := string(appendPage(nil, markdown, 24, &print.Style{})); got != want {
			t.Errorf("%q is\n%swant\n%s", markdown, got, want)
		}
	}
}

// The filters in the manual compile.
func TestManualFilters(t *testing.T) {
	option.SetProtocols(layers.All())
	schema := session.NewSchema()
	_, filters, _ := strings.Cut(string(manual), ".SH FILTERS\n")
	filters, _, _ = strings.Cut(filters, ".SH ")
	found := regexp.MustCompile(`(?m)^\.B (.*)$`).FindAllStringSubmatch(filters, -1)
	for _, m := range found {
		if _, err := schema.Compile(strings.ReplaceAll(m[1], `\(dq`, `"`), nil); err != nil {
			t.Error(err)
		}
	}
	if len(found) < 10 {
		t.Errorf("%d filters in the manual", len(found))
	}
}
