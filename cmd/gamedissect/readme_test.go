package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)\n```")
	goBlock      = regexp.MustCompile("(?s)<!-- ([^ ]+) -->\n```go\n(.*?)```")
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// TestReadmeCommands runs the README's commands and compares what they print. A line of
// three dots stands for any number of lines.
func TestReadmeCommands(t *testing.T) {
	blocks := consoleBlock.FindAllStringSubmatch(readme(t), -1)
	data, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // some commands write files
	if err := os.Symlink(data, "testdata"); err != nil {
		t.Fatal(err)
	}
	if len(blocks) == 0 {
		t.Fatal("the README has no commands")
	}
	for _, block := range blocks {
		command, want, _ := strings.Cut(block[1], "\n")
		args, ok := strings.CutPrefix(command, "$ gamedissect ")
		if !ok {
			t.Errorf("%q is no command of ours", command)
			continue
		}
		got, _, _ := dissect(strings.Fields(args)...)
		if !likeLines(strings.Split(want, "\n"), strings.Split(strings.TrimSuffix(got, "\n"), "\n")) {
			t.Errorf("%s\nprints\n%s\nthe README has\n%s", command, got, want)
		}
	}
}

// likeLines compares lines, with "..." for any number of them.
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

// TestReadmeCode sees that the README's Go code is code of the project that is compiled and
// tested: each block names its file, and stands in it line by line.
func TestReadmeCode(t *testing.T) {
	text := readme(t)
	blocks := goBlock.FindAllStringSubmatch(text, -1)
	if len(blocks) == 0 || len(blocks) != strings.Count(text, "```go\n") {
		t.Fatalf("%d of %d blocks of code name their file", len(blocks), strings.Count(text, "```go\n"))
	}
	for _, block := range blocks {
		source, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(block[1])))
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(withoutIndent(string(source)), withoutIndent(block[2])) {
			t.Errorf("the README's code is not in %s:\n%s", block[1], block[2])
		}
	}
}

func withoutIndent(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}
