package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/gamedissect/gamedissect/docs"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// The help command lists and shows each page. If the output is not a terminal, it has no colours.
func TestHelpTopics(t *testing.T) {
	listed, _, _ := dissect("help")
	for _, p := range docs.Pages() {
		if strings.Contains(listed, "\n  "+p.Name+" ") == (p.Name == docs.Index) {
			t.Errorf("help must list all pages but the index: %s", p.Name)
		}
		out := shown(t, "help", p.Name)
		title, _, _ := strings.Cut(strings.TrimPrefix(p.Text, "# "), "\n")
		title = strings.ReplaceAll(title, "`", "")
		if strings.Contains(out, "\x1b") || !strings.Contains(strings.Join(strings.Fields(out), " "), title) {
			t.Errorf("%s has colours, or lacks its title: %s", p.Name, out)
		}
	}
}

func TestHelpCompletion(t *testing.T) {
	out, _, _ := dissect("__complete", "help", "")
	lines := strings.Split(out, "\n")
	for _, want := range []string{"check\tcompare captures with expected sequences of messages", "lag\tWho lagged?"} {
		if !slices.Contains(lines, want) {
			t.Errorf("%q is not among %q", want, lines)
		}
	}
	if n := strings.Count("\n"+out, "\nwireshark\t"); n != 1 { // both a command and a page
		t.Errorf("wireshark is listed %d times", n)
	}
	if out, _, _ := dissect("__complete", "help", "completion", ""); !strings.Contains(out, "bash\t") || strings.Contains(out, "lag\t") {
		t.Error(out)
	}
}

// A page with the same name as a command comes after the command's help.
func TestHelpOfBoth(t *testing.T) {
	options, _, _ := dissect("wireshark", "--help")
	both, _, _ := dissect("help", "wireshark")
	page, after := strings.CutPrefix(both, options+"\n")
	if options == "" || !after || !strings.Contains(page, "\n===") {
		t.Error(both)
	}
}

// The help describes the common flags, and "help options" describes all.
func TestHelpOfOptions(t *testing.T) {
	all, _, _ := dissect("help", "options")
	newRoot(term.Streams{}).Flags().VisitAll(func(f *pflag.Flag) {
		if described := strings.Contains(all, "--"+f.Name+" "); described == f.Hidden {
			t.Errorf("--%s is described %v, hidden %v: do the groups of package help have it?", f.Name, described, f.Hidden)
		}
	})
	brief, _, _ := dissect("--help")
	if !strings.Contains(brief, "\nSelection:\n  -f, --capture-filter FILTER") || strings.Contains(brief, "--ring-buffer") {
		t.Error(brief)
	}
}
