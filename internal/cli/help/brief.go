package help

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// allOptions is the topic that describes all flags of the program.
const allOptions = "options"

// groups lists the program's flags by purpose. The common ones, which the short help describes, come before the rare
// ones.
var groups = []struct {
	title          string
	usual, further []string
}{
	{"Input", []string{"read", "interface", "decode-as"},
		[]string{"count", "protocol", "once", "dialect", "memory", "unpack-all"}},
	{"Selection", []string{"capture-filter", "display-filter"}, []string{"rules", "severity"}},
	{"Output", []string{"type", "field", "quiet", "verbose", "statistics", "write"},
		[]string{"hex", "time", "fields-option", "mask-secrets", "color", "no-pager", "line-buffered", "numeric", "sort",
			"top", "stats", "metrics", "file-type", "comments"}},
	{"Live", nil, []string{"list-interfaces", "snapshot-length", "buffer-size", "no-promiscuous-mode",
		"relinquish-privileges", "status", "autostop", "ring-buffer"}},
	{"Checks", []string{"fail-on"}, nil},
	{"The program", []string{"help"}, []string{"version"}},
}

// flagUsages describes the program's flags in groups, either all of them or only the common ones.
func flagUsages(root *cobra.Command, width int, all bool) string {
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	list := pflag.NewFlagSet("", pflag.ContinueOnError)
	list.SortFlags = false
	heading := make(map[string]string) // heading by the first flag of the group
	for _, g := range groups {
		names := g.usual
		if all {
			names = slices.Concat(names, g.further)
		}
		for i, name := range names {
			f := root.Flags().Lookup(name)
			if f == nil {
				continue // not available on this operating system
			}
			list.AddFlag(f)
			if i == 0 {
				heading[name] = g.title
			}
		}
	}
	var b strings.Builder
	for line := range strings.Lines(list.FlagUsagesWrapped(width)) {
		if m := flagLine.FindStringSubmatch(line); m != nil && heading[m[1]] != "" {
			fmt.Fprintf(&b, "\n%s:\n", heading[m[1]])
		}
		b.WriteString(line)
	}
	return strings.Trim(b.String(), "\n")
}

// flagLine matches the first line of a flag's description.
var flagLine = regexp.MustCompile(`^ {2}(?:-.,| {3}) --([a-z-]+)`)

func showOptions(root *cobra.Command, std term.Streams) error {
	t, err := term.NewTerminal(std.Out, "never")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(std.Out, flagUsages(root, term.ProseWidth(t.Width), true))
	return err
}
