package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A habit is an expression to avoid, because readers stumble over it.
type habit struct {
	found   string // a regular expression
	instead string
	fine    string // a regular expression of correct uses, or ""
	bad     string // an example that must be found
	good    string // an example that must not be found
}

// patterns are the compiled habits.
var patterns = compile(habits)

type pattern struct {
	*habit
	found, fine *regexp.Regexp
}

func compile(list []habit) (made []pattern) {
	for i := range list {
		h := &list[i]
		made = append(made, pattern{h, regexp.MustCompile(`(?:^|[^\pL])(?:` + h.found + `)`), regexp.MustCompile(h.fine)})
	}
	return made
}

// habits are the expressions that comments, help and documentation must not use.
var habits = []habit{
	{`without a word`, "silently", "", "Servers drop it without a word.", "Servers silently drop it."},
	{`all the same\b`, "still, anyway", "", "They get an answer all the same.", "They all have the same length."},
	{`other way (a)?round`, "the reverse, exchanged", "", "The document has it the other way round.", "It goes another way."},
	{`any more\b`, "no longer", "", "No program sends it any more.", "No program sends it any longer than needed."},
	{`anew\b`, "again", "", "The lists begin anew.", "A new list begins."},
	{`for want of`, "for lack of", "", "It was dropped for want of memory.", "It was dropped for lack of memory."},
	{`as well\b`, "also", `as well as`, "Links are read as well.", "It reads files as well as interfaces."},
	{`(is|are|was|were) no [a-z]`, "is not a",
		`[Tt]?here (is|are|was|were) no |(is|are|was|were) no (longer|more|faster|better|worse)\b`,
		"The name is no file.", "There is no file, and it is no longer read."},
	{`(lines?|objects?|rows?|bytes|[KM]i?B|packets|messages|times) an? (second|minute|line|row|message|packet|player)\b`,
		"per", `times a second|how many bytes a`, "It reads 50 MB a second.", "It reads 50 MB per second, and writes a line."},
	{`tells? [a-z ]{1,30} apart\b`, "distinguishes", "", "A hash tells the copies apart.", "A hash distinguishes the copies."},
	{`behind\b`, "after", `behind (NAT|a|an|one|the same)\b|(falls|fall|is|are) behind|behind (by|returns|handles)`, "The text behind the count is empty.",
		"The server behind NAT falls behind."},
	{`gives\b`, "returns, has, contains", `gives (up|away)\b`, "Next gives the size.", "It gives up."},
	{`(asked|asking) end\b`, "side, server, client", "", "The asked end is silent.", "The list is asked, and ends."},
	{`throws? (him|it|the player|the client) out\b`, "removes", "", "The server throws the player out.", "It throws an error."},
	{`(wants|has) (him|it|them) to be\b`, "must be, expects", "", "The rule wants it to be zero.", "It must be zero."},
	{`what (is|was|are|were) not of\b`, "everything outside of", "", "It hides what is not of the games.", "It hides other traffic."},
}

// excepted are folders whose comments are not checked yet.
var excepted []string

// This method returns the first such expression in a text, or "".
func (p *pattern) in(text string) string {
	got := p.found.FindString(text)
	if got == "" || p.habit.fine == "" {
		return got
	}
	return p.found.FindString(p.fine.ReplaceAllString(text, ""))
}

func TestHabitsAreFound(t *testing.T) {
	for _, p := range patterns {
		if p.in(p.bad) == "" {
			t.Errorf("%s is not found in %q", p.found, p.bad)
		}
		if got := p.in(p.good); got != "" {
			t.Errorf("%s finds %q in %q", p.found, got, p.good)
		}
	}
}

// TestWords reads the comments of all Go files, the sentences of rules and commands, and all pages.
func TestWords(t *testing.T) {
	check := func(path, text string) {
		text = strings.Join(strings.Fields(text), " ")
		for _, p := range patterns {
			if got := p.in(text); got != "" {
				t.Errorf("%s: write %q instead of %q in: %s", path, p.instead, got, around(text, got))
			}
		}
	}
	top := os.DirFS("..")
	err := fs.WalkDir(top, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || path == ".git"):
			return fs.SkipDir
		case entry.IsDir() || path == "docs/words_test.go" || path == "CHANGELOG.md": // these files quote old words
			return nil
		case strings.HasSuffix(path, ".md"):
			check(path, prose(readFile(t, top, path)))
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !isExcepted(path):
			for _, text := range comments(t, path, readFile(t, top, path)) {
				check(path, text)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func isExcepted(path string) bool {
	for _, folder := range excepted {
		if strings.HasPrefix(path, folder+"/") {
			return true
		}
	}
	return false
}

func readFile(t *testing.T, from fs.FS, path string) string {
	t.Helper()
	text, err := fs.ReadFile(from, path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var code = regexp.MustCompile("(?s)```.*?```|~~~.*?~~~|`[^`\n]*`|\n    [^\n]*")

// prose returns the text of a page without code.
func prose(page string) string { return code.ReplaceAllString(page, "") }

var help = regexp.MustCompile("(?s)(?:Long|Short|Title|Why):\\s+(?:`([^`]*)`|\"((?:[^\"\\\\]|\\\\.)*)\")")

// comments returns the comments of a Go file, and the sentences of its commands and rules.
func comments(t *testing.T, path, source string) (list []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Base(path), source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range file.Comments {
		list = append(list, group.Text())
	}
	for _, m := range help.FindAllStringSubmatch(source, -1) {
		list = append(list, m[1]+m[2])
	}
	return list
}

// around returns the part of a text around the words that were found.
func around(text, found string) string {
	at := strings.Index(text, found)
	if at < 0 {
		return found
	}
	return text[max(0, at-40):min(len(text), at+len(found)+40)]
}
