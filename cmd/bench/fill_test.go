package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFilled(t *testing.T) {
	const page = "a\n<!-- bench --x 1 -->\n```\nold\n```\nb\n<!-- bench --y -->\n```\n```\nc\n"
	if got := strings.Join(commandsOf(page), ","); got != "--x 1,--y" {
		t.Errorf("the commands are %q", got)
	}
	for command, want := range map[string]string{
		"--x 1": strings.Replace(page, "old", "new\n\nlines", 1),
		"--y":   strings.Replace(page, "```\n```", "```\nnew\n\nlines\n```", 1),
	} {
		if got, err := filled(page, command, "\nnew\n\nlines\n\n"); got != want || err != nil {
			t.Errorf("%s: %q, %v", command, got, err)
		}
	}
	for _, broken := range []string{"", "<!-- bench --x 1 -->\nno block\n", "<!-- bench --x 1 -->\n```\nno end\n"} {
		if got, err := filled(broken, "--x 1", "new"); err == nil {
			t.Errorf("%q became %q", broken, got)
		}
	}
}

// The page of results has blocks to fill, and their commands can be parsed.
func TestResults(t *testing.T) {
	page, err := os.ReadFile("RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	list := commandsOf(string(page))
	if len(list) == 0 {
		t.Error("RESULTS.md has nothing to fill")
	}
	for _, command := range list {
		if _, err := parse(strings.Fields(command), nil); err != nil {
			t.Errorf("bench %s: %v", command, err)
		}
		if _, err := filled(string(page), command, ""); err != nil {
			t.Error(err)
		}
	}
}

func TestFillTrouble(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.md")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--fill", empty}, {"--fill", empty + "x"}, {"--fill", empty, "--only", "("}} {
		if err := run(t.Context(), args, nil, quiet); err == nil {
			t.Errorf("%v is no error", args)
		}
	}
}
