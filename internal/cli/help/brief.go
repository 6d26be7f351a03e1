package help

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// allOptions is the topic that describes all flags of the program.
const allOptions = "options"

// flags lists the program's flags by topic. The help describes those of the first topic, and names the others.
var flags = []struct {
	topic string
	names []string
}{
	{"", []string{"read", "interface", "capture-filter", "display-filter", "type", "field", "quiet", "verbose",
		"statistics", "decode-as", "write", "fail-on", "help"}},
	{"what is read", []string{"count", "protocol", "once", "dialect", "memory", "unpack-all"}},
	{"what is shown", []string{"hex", "time", "fields-option", "mask-secrets", "rules", "severity", "color", "no-pager",
		"line-buffered", "numeric"}},
	{"statistics", []string{"sort", "top", "stats", "metrics"}},
	{"live", []string{"list-interfaces", "snapshot-length", "buffer-size", "no-promiscuous-mode", "relinquish-privileges",
		"status"}},
	{"what is written", []string{"file-type", "comments", "autostop", "ring-buffer"}},
	{"the program", []string{"version"}},
}

// Brief has the help of the program describe the flags that matter most.
func Brief(root *cobra.Command) {
	root.InitDefaultHelpFlag()
	root.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Hidden || !slices.Contains(flags[0].names, f.Name) })
}

// others names the other flags, by topic.
func others(root *cobra.Command, width int) string {
	b := []byte("\n\nFurther flags, which \"gamedissect help " + allOptions + "\" describes:\n")
	for _, of := range flags[1:] {
		var names []string
		for _, name := range of.names {
			if f := root.Flags().Lookup(name); f != nil && f.Shorthand != "" {
				names = append(names, "-"+f.Shorthand)
				continue
			}
			names = append(names, "--"+name)
		}
		const column = 19
		b = fmt.Appendf(b, "  %-*s", column-2, of.topic)
		b = append(term.AppendFitting(b, []byte(strings.Join(names, " ")), column, column, width), '\n')
	}
	return strings.TrimSuffix(string(b), "\n")
}

func showOptions(root *cobra.Command, std term.Streams) error {
	t, err := term.NewTerminal(std.Out, "never")
	if err != nil {
		return err
	}
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	_, err = fmt.Fprint(std.Out, root.Flags().FlagUsagesWrapped(term.ProseWidth(t.Width)))
	return err
}
