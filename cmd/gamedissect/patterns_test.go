package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// All commands that read captures take patterns: one that no file fits is an error of each that names it.
func TestPatternsEverywhere(t *testing.T) {
	commands := [][]string{nil}
	for _, c := range newRoot(streams{}).Commands() {
		if c.Flags().Lookup("read") != nil {
			commands = append(commands, []string{c.Name()})
		}
	}
	if len(commands) < 6 {
		t.Fatalf("only %d commands take -r", len(commands))
	}
	for _, command := range commands {
		args := append(command, "-r", "none*.pcap")
		if slices.Contains([]string{"follow", "check"}, strings.Join(command, "")) {
			args = append(args, "tcp,3")
		}
		if _, stderr, code := dissect(args...); code != exitTrouble || !strings.Contains(stderr, "none*.pcap: no file fits this pattern") {
			t.Errorf("%v: exit code %d, %q", args, code, stderr)
		}
	}
}

// What fits a pattern comes in the order of names; a file of that very name goes first, and what is none stays.
func TestFitting(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"b/2.pcap", "a/2.pcap", "a/1.pcap", "a/[1].pcap", "x[y", "a/3.txt", "a-b/1.pcap"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("nowhere", "link*"); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct{ pattern, want string }{
		{"?/[12].pcap", "a/1.pcap a/2.pcap b/2.pcap"},
		{"a*/1.pcap", "a-b/1.pcap a/1.pcap"},
		{"a/*.pcap", "a/1.pcap a/2.pcap a/[1].pcap"},
		{"a/[1].pcap", "a/[1].pcap"},
		{"x[y", "x[y"},
		{"link*", "link*"}, // whoever opens it says that it leads nowhere
		{"-", "-"},
		{"a", "a"},
		{"nosuch", "nosuch"},
		{"nosuch*", "nosuch*: no file fits this pattern"},
		{"nosuch[", "nosuch[: there is no such file, and this is no pattern: a [ has no ]"},
	} {
		found, err := fitting(filepath.FromSlash(test.pattern))
		got := filepath.ToSlash(strings.Join(found, " "))
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.pattern, got, test.want)
		}
	}
}

// What several patterns and arguments name is read once each, as if a shell had written it.
func TestPatternsAreRead(t *testing.T) {
	for _, args := range [][]string{
		{"-r", filepath.Join(captures, "tribes-x-*.pcap")},
		{"-r", filepath.Join(captures, "tribes-x-[cl]*.pcap"), filepath.Join(captures, "tribes-x-[sw]*.pcap")},
	} {
		out, stderr, code := dissect(append(args, "-T", "line")...)
		if code != exitDone || stderr != "" {
			t.Fatalf("%v: exit code %d, %q", args, code, stderr)
		}
		for _, name := range files(t) {
			if named := strings.Contains(out, name+":1 "); named != strings.HasPrefix(name, "tribes-x-") {
				t.Errorf("%v: %t that %s was read", args, named, name)
			}
		}
	}
}
