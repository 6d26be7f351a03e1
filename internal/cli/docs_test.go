package cli

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/layers"
)

var (
	consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)\n```")
	goBlock      = regexp.MustCompile("(?s)<!-- ([^ ]+) -->\n```go\n(.*?)```")
	anyBlock     = regexp.MustCompile("(?s)```.*?```")
	inlineCode   = regexp.MustCompile("`gamedissect ([^`]+)`")
	word         = regexp.MustCompile(`'[^']*'|\S+`)
)

// A docPage is a page of the documentation, or another text for people.
type docPage struct {
	name string // path from the repository's root
	text string
}

// pages reads all pages.
func pages(t *testing.T) []docPage {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(clitest.Root, "docs", "*.md"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no pages in docs: %v", err)
	}
	var list []docPage
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md"} {
		names = append(names, filepath.Join(clitest.Root, name))
	}
	for _, name := range names {
		text := clitest.ReadFile(t, name)
		short, err := filepath.Rel(clitest.Root, name)
		clitest.NoError(t, err)
		list = append(list, docPage{filepath.ToSlash(short), strings.ReplaceAll(string(text), "\r\n", "\n")})
	}
	return list
}

// TestDocsCommands runs the commands of all pages and compares their output. In the expected output, a line of three
// dots stands for any number of lines. COLUMNS=80 before a command sets the terminal's width. With -update the output
// replaces the text on the page, unless that text has three dots.
func TestDocsCommands(t *testing.T) {
	list := pages(t)
	root, err := filepath.Abs(clitest.Root)
	clitest.NoError(t, err)
	inDocs(t)
	for _, p := range list {
		made := p.text
		blocks := consoleBlock.FindAllStringSubmatch(p.text, -1)
		if len(blocks) == 0 && p.name == "README.md" {
			t.Fatal("the README has no commands")
		}
		for _, block := range blocks {
			command, want, _ := strings.Cut(block[1], "\n")
			width, args, ok := strings.Cut(strings.TrimPrefix(command, "$ "), "gamedissect ")
			columns, narrow := strings.CutPrefix(strings.TrimSpace(width), "COLUMNS=")
			ok = ok && strings.HasPrefix(command, "$ ") && (narrow || width == "")
			if !ok {
				t.Errorf("%s: %q is not a gamedissect command", p.name, command)
				continue
			}
			t.Setenv("COLUMNS", columns)
			got, complaints, _ := dissect(words(args)...)
			got += complaints
			lines, got := strings.Split(want, "\n"), strings.TrimSuffix(got, "\n")
			switch {
			case likeLines(lines, strings.Split(got, "\n")):
			case updating() && !slices.Contains(lines, "..."):
				made = strings.Replace(made, block[1], command+"\n"+got, 1)
			default:
				t.Errorf("%s\nprints\n%s\n%s has\n%s", command, got, p.name, want)
			}
		}
		if made != p.text {
			clitest.NoError(t, os.WriteFile(filepath.Join(root, filepath.FromSlash(p.name)), []byte(made), 0o666))
		}
	}
}

// inDocs changes to the folder in which the commands of the pages run. Some of the commands write files.
func inDocs(t *testing.T) {
	t.Helper()
	data, err := filepath.Abs(filepath.Join(clitest.Root, "testdata"))
	clitest.NoError(t, err)
	t.Chdir(t.TempDir())
	clitest.NoError(t, os.Symlink(data, "testdata"))
}

// words splits a command as a shell does.
func words(command string) []string {
	list := word.FindAllString(command, -1)
	for i := range list {
		list[i] = strings.Trim(list[i], "'")
	}
	return list
}

// likeLines compares lines. "..." stands for any number of lines.
func likeLines(want, got []string) bool {
	switch {
	case len(want) == 0:
		return len(got) == 0
	case want[0] == "...":
		for i := range len(got) + 1 {
			if likeLines(want[1:], got[i:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && want[0] == got[0] && likeLines(want[1:], got[1:])
}

// TestDocsInlineCommands checks that the commands and flags that pages mention in sentences exist.
func TestDocsInlineCommands(t *testing.T) {
	found := 0
	for _, p := range pages(t) {
		for _, match := range inlineCode.FindAllStringSubmatch(anyBlock.ReplaceAllString(p.text, ""), -1) {
			found++
			line, _, _ := strings.Cut(strings.ReplaceAll(match[1], `\|`, "|"), " |")
			c, rest, err := newRoot(term.Streams{}).Find(words(line))
			if err == nil {
				c.InitDefaultVersionFlag()
				err = c.ParseFlags(rest)
			}
			if err != nil && !errors.Is(err, pflag.ErrHelp) {
				t.Errorf("%s: gamedissect %s: %v", p.name, line, err)
			}
		}
	}
	if found == 0 {
		t.Error("no page names a command")
	}
}

// TestDocsCode checks that the Go code on the pages is compiled and tested. Each block names a file, which must contain
// the block's lines.
func TestDocsCode(t *testing.T) {
	found := 0
	for _, p := range pages(t) {
		blocks := goBlock.FindAllStringSubmatch(p.text, -1)
		if n := strings.Count(p.text, "```go\n"); len(blocks) != n {
			t.Errorf("%s: %d of %d blocks of code name their file", p.name, len(blocks), n)
		}
		found += len(blocks)
		for _, block := range blocks {
			source, err := os.ReadFile(filepath.Join(clitest.Root, filepath.FromSlash(block[1])))
			if err != nil {
				t.Error(err)
				continue
			}
			if !strings.Contains(withoutIndent(string(source)), withoutIndent(block[2])) {
				t.Errorf("%s: this is not in %s:\n%s", p.name, block[1], block[2])
			}
		}
	}
	if found == 0 {
		t.Error("no page has code")
	}
}

func withoutIndent(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

var (
	qualified = regexp.MustCompile("`(ask|bounded|clock|decode|stats|wire|wiretest)\\.([A-Z]\\w*)")
	fileRow   = regexp.MustCompile("(?m)^\\|[^|]*\\|([^|]*)\\| `(\\w+\\.go)` \\|$")
	codeWord  = regexp.MustCompile("`([A-Z]\\w*)`")
	ourPath   = regexp.MustCompile("`((?:capture|cmd|decode|docs|examples|internal|layers|testdata)/[a-z0-9_./]+[a-z0-9])`")
)

// packages are the packages that the pages may mention.
var packages = map[string]string{
	"ask": "decode/wire/ask", "bounded": "decode/wire/bounded", "clock": "decode/wire/clock", "decode": "decode",
	"stats": "internal/stats", "wire": "decode/wire", "wiretest": "decode/wire/wiretest",
}

// TestDocsNames checks that the declarations and paths that the pages mention exist.
func TestDocsNames(t *testing.T) {
	declares := func(name string, files ...string) {
		t.Helper()
		declared := regexp.MustCompile(`(?m)^(?:func(?: \([^)]*\))?|type|var|const|\t)\s*` + name + `\b`)
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil && declared.Match(text) {
				return
			}
		}
		t.Errorf("there is no %s", name)
	}
	found := 0
	for _, p := range pages(t) {
		text := anyBlock.ReplaceAllString(p.text, "")
		for _, match := range qualified.FindAllStringSubmatch(text, -1) {
			found++
			dir := filepath.Join(clitest.Root, filepath.FromSlash(packages[match[1]]))
			files, err := filepath.Glob(filepath.Join(dir, "*.go"))
			clitest.NoError(t, err)
			declares(match[2], files...)
		}
		for _, row := range fileRow.FindAllStringSubmatch(text, -1) {
			for _, name := range codeWord.FindAllStringSubmatch(row[1], -1) {
				found++
				declares(name[1], filepath.Join(clitest.Root, "decode", "wire", row[2]))
			}
		}
		for _, path := range ourPath.FindAllStringSubmatch(text, -1) {
			if strings.Contains(path[1], "/x/") || strings.HasSuffix(path[1], "/x") {
				continue // stands for any protocol
			}
			if _, err := os.Stat(filepath.Join(clitest.Root, filepath.FromSlash(path[1]))); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
		}
	}
	if found == 0 {
		t.Error("no page names anything")
	}
}

// TestReadme checks that the README is short and lists the protocols.
func TestReadme(t *testing.T) {
	const maximum = 150
	list := pages(t)
	for _, p := range list {
		if p.name != "README.md" {
			continue
		}
		if n := strings.Count(p.text, "\n"); n > maximum {
			t.Errorf("the README has %d lines; move lines beyond %d to docs", n, maximum)
		}
		for _, protocol := range layers.All() {
			if !strings.Contains(p.text, "| `"+protocol.Name+"` |") {
				t.Errorf("the README does not list %s", protocol.Name)
			}
		}
	}
}
