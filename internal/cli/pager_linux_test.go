package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// Messages on a terminal go through a pager. Totals do not, and neither do messages that appear one by one.
func TestPager(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("PAGER", "sed s/^/PAGER:/")
	in := filepath.Join(clitest.Captures, "bz24-ctf-capture.pcap")
	for _, test := range []struct {
		pager string // value of GAMEDISSECT_PAGER
		args  []string
		want  string // expected at the beginning of lines
	}{
		{"sed s/^/own:/", []string{"-T", "line"}, "own:"},
		{"exit 3", []string{"-T", "line"}, ""}, // as if the user quit it at once
		{"cat", []string{"-T", "line"}, "  "},
		{"sed s/^/own:/", []string{"-T", "line", "--no-pager"}, "  "},
		{"sed s/^/own:/", []string{"-T", "line", "-l"}, "  "},
		{"sed s/^/own:/", []string{"-q", "--color", "never"}, "protocol"},
		{"sed s/^/own:/", []string{"-T", "json"}, "{"},
	} {
		t.Setenv("GAMEDISSECT_PAGER", test.pager)
		near, far := clitest.PseudoTerminal(t, 80, 24)
		code := execute(append(test.args, "-r", in, "-c", "6"), term.Streams{In: strings.NewReader(""), Out: far, Err: far})
		_, err := far.WriteString("the end")
		clitest.NoError(t, err)
		shown := clitest.Shows(t, near, "the end")
		if !strings.HasPrefix(shown, test.want) || test.want == "" && shown != "the end" || code != term.ExitDone {
			t.Errorf("%q %v: exit %d, %q", test.pager, test.args, code, shown)
		}
	}
}
