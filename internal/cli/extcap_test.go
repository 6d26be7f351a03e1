package cli

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/tshark"
)

// Each argument of the dialog is a flag with the same name and default.
func TestExtcapDialog(t *testing.T) {
	c := newExtcap(term.Streams{})
	for _, a := range tshark.Arguments {
		f := c.Flags().Lookup(a.Flag)
		if f == nil {
			t.Errorf("the dialog asks for --%s, which is not a flag", a.Flag)
			continue
		}
		if a.Choices != nil && f.DefValue != a.Choices()[0][0] {
			t.Errorf("--%s is %q without the dialog and %q with it", a.Flag, f.DefValue, a.Choices()[0][0])
		}
	}
	form := regexp.MustCompile(`^(arg|value) (\{[a-z]+=[^{}]+\})+$`)
	for line := range strings.SplitSeq(strings.TrimSuffix(tshark.Dialog(), "\n"), "\n") {
		if !form.MatchString(line) {
			t.Errorf("Wireshark cannot read the line %s", line)
		}
	}
	root := newRoot(term.Streams{})
	for _, a := range tshark.Arguments {
		if root.Flags().Lookup(a.Flag) == nil {
			t.Errorf("the program's own command has no --%s", a.Flag)
		}
	}
}

// Errors name the lines of Wireshark's dialog, since the dialog does not show the letters of options. The test checks
// the options directly, because a complete call opens the socket first, and drops privileges.
func TestExtcapErrorsNameDialog(t *testing.T) {
	for text, want := range map[string]string{"-w x: is a directory": "--fifo x: is a directory", "lo: -f is down": "lo: -f is down"} {
		if err := tshark.ForDialog(errors.New(text)); err.Error() != want {
			t.Error(err)
		}
	}
	if err := tshark.ForDialog(nil); err != nil {
		t.Error(err)
	}
}

// If a packet is already written, a finding about it becomes a comment of the next packet that is written, and of no
// other.
func TestLateComments(t *testing.T) {
	from := filepath.Join(clitest.Captures, "bloodmasters-malformed.pcap")
	lines, _, _ := dissect("-r", from, "-T", "json")
	for _, args := range [][]string{{}, {"-Y", "bloodmasters"}} {
		to := filepath.Join(t.TempDir(), "x.pcapng")
		if out, stderr, code := dissect(append(args, "-r", from, "-w", to, "--comments", "messages")...); code != term.ExitDone {
			t.Fatal(out, stderr)
		}
		var comments []string
		for _, p := range clitest.ReadCapture(t, to) {
			comments = append(comments, slices.Clone(p.Comments)...)
		}
		late := slices.DeleteFunc(slices.Clone(comments), func(c string) bool { return !strings.Contains(c, " (about packet ") })
		form := regexp.MustCompile(`^bloodmasters\.(unanswered-query note|echo-mismatch warning): .* \(about packet \d+ of .*bloodmasters-malformed\.pcap, \d+\.\d{3} s before\)$`)
		for i, c := range late {
			if !form.MatchString(c) || slices.Contains(late[:i], c) {
				t.Error(c)
			}
		}
		want := strings.Count(lines, "bloodmasters.unanswered-query") + strings.Count(lines, "bloodmasters.echo-mismatch")
		if len(late) == 0 || len(late) > want {
			t.Errorf("%q: %d late findings, of %d", args, len(late), want)
		}
		if !slices.ContainsFunc(comments, func(c string) bool { return strings.HasPrefix(c, "bloodmasters ServerInfoRequest  echo ") }) {
			t.Errorf("%q: no message: %q", args, comments)
		}
	}
}
