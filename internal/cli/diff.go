package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/diff"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// newDiff makes the command that compares a capture with good ones.
func newDiff(std term.Streams) *cobra.Command {
	var o diff.Options
	c := &cobra.Command{
		Use:   "diff GOOD... NOW",
		Short: "show what became worse, and what else differs, between good captures and another",
		Long: `diff compares a capture with good ones and shows one screen: the verdict, then what differs, the weightiest first.

The verdict is worse, different (nothing is worse), same, or not comparable: the capture is cut, begins in the
middle of connections or has holes, and no good one does. Such a capture is worse only by what no hole explains.

What makes a capture worse is marked by !. --worse chooses among
  rules      a rule that no good capture breaks, or that is broken more than twice as often; bytes in no message
  questions  more of them unanswered or asked again; more lists not complete; refused for a new reason
  times      an answer time or lag twice as long and 10 ms more, for all but the slowest twentieth
  loss       packets that the capture or the network lost
and these, which only explain unless they are named: notes, messages, sizes, values, players, sequences.

Several good captures make a band: what one of them has, or what lies between them, is no difference, and a time needs
to be a quarter longer only. Each is a session of its own. A folder stands for the captures in it; if NOW is a folder,
each of its captures is compared.

The exit code is 0; 1 if a capture is worse; or 2 if one is not comparable or could not be read to its end.`,
		Example: `  gamedissect diff good.pcap bad.pcap
  gamedissect diff monday.pcap tuesday.pcap friday.pcap bad.pcap
  gamedissect diff healthy tonight --junit report.xml      two folders
  gamedissect diff good.pcap bad.pcap --worse rules,loss
  gamedissect diff good.pcap bad.pcap --rules '-tribes.underfilled'
  gamedissect diff good.pcap bad.pcap -T json | jq '.differences[] | select(.worse)'`,
		ValidArgsFunction: completeFiles,
		RunE: func(c *cobra.Command, args []string) error {
			if taken := slices.Contains([]string{o.Junit, o.Sarif}, "-"); taken && c.Flags().Changed("type") {
				return fmt.Errorf("-T %s: standard output is taken by --junit or --sarif; name a file there", o.Form)
			}
			err := o.Run(std, args)
			if errors.Is(err, diff.ErrWorse) {
				return errFindings
			}
			return err
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.Form, "type", "T", "text", "show it in the `FORM`: text or json (an object for each capture)")
	f.StringSliceVar(&o.Worse, "worse", diff.KindNames()[:4], "`KINDS` of differences that make a capture worse")
	f.Var((*option.FileName)(&o.Junit), "junit",
		"write a JUnit report to `FILE`; - is standard output, instead of the text")
	f.Var((*option.FileName)(&o.Sarif), "sarif",
		"write a SARIF report to `FILE`; - is standard output, instead of the text")
	o.Findings.SelectFlags(c)
	o.Reading.Flags(c)
	term.ColourFlag(c, &o.Color)
	option.CompleteWith(c, "type", diff.Forms...)
	option.CompleteWith(c, "worse", diff.KindNames()...)
	option.Must(c.MarkFlagFilename("junit", "xml"))
	option.Must(c.MarkFlagFilename("sarif", "sarif", "json"))
	return c
}
