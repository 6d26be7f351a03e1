package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
)

// Glob sorts files by name. If a file is named exactly like the pattern, Glob returns only that file. It returns a name
// without wildcards unchanged.
func TestGlob(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"b/2.pcap", "a/2.pcap", "a/1.pcap", "a/[1].pcap", "x[y", "a/3.txt", "a-b/1.pcap"} {
		clitest.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		clitest.NoError(t, os.WriteFile(name, nil, 0o600))
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
		{"link*", "link*"}, // a dangling link, which causes an error when opened
		{"-", "-"},
		{"a", "a"},
		{"nosuch", "nosuch"},
		{"nosuch*", "nosuch*: no file matches this pattern"},
		{"nosuch[", "nosuch[: there is no such file, and as a pattern it lacks a ] after ["},
	} {
		found, err := Glob(filepath.FromSlash(test.pattern))
		got := filepath.ToSlash(strings.Join(found, " "))
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.pattern, got, test.want)
		}
	}
}

// Briefly replaces many files with the patterns that a shell expanded to them.
func TestBriefly(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, folder := range []string{"a", "b"} {
		clitest.NoError(t, os.Mkdir(folder, 0o777))
		for i := range 6 {
			clitest.NoError(t, os.WriteFile(fmt.Sprintf("%s/x%d.pcap", folder, i), nil, 0o666))
		}
	}
	all, err := Glob("a/*")
	clitest.NoError(t, err)
	for _, c := range []struct{ names, want []string }{
		{all[:4], all[:4]},
		{all, []string{"a/x*.pcap"}},
		{all[:5], nil},
		{append(slices.Clone(all), "b/x1.pcap"), []string{"a/x*.pcap", "b/x1.pcap"}},
	} {
		if got := Briefly(c.names); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
}
