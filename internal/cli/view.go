package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/serve"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// newView makes the command that shows a capture in the browser.
func newView(std term.Streams) *cobra.Command {
	var o serve.ViewOptions
	c := &cobra.Command{
		Use:   "view FILE...",
		Short: "show captures in the browser",
		Long: `view opens captures in the browser. The page shows an overview, the messages with trees and
bytes, a sequence diagram, time lines of players and servers, findings, statistics with plots, and worlds with the
tanks in them. Several files are shown as one capture: packets are in time order, and numbered across all files.
With --diff the page says what is worse than in good captures, as gamedissect diff does, and shows the messages of
both. gamedissect serves the page until it is interrupted, only to this machine, and only under an address with a
secret.`,
		Example: `  gamedissect view capture.pcap
  gamedissect view monday.pcap tuesday.pcap
  gamedissect view capture.pcap -Y 'bzflag24.killed'
  gamedissect view today.pcap --diff monday.pcap --diff tuesday.pcap
  gamedissect view capture.pcap --no-browser --listen 8080    on a server: ssh -L 8080:127.0.0.1:8080 SERVER`,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.SetArgs(args); err != nil {
				return err
			}
			return o.Run(std)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&o.Names, "read", "r", nil, "read `FILE`, as for other commands")
	option.Must(c.MarkFlagFilename("read", "pcap", "pcapng", "cap", "gz", "zst"))
	f.StringVarP(&o.Filter, "display-filter", "Y", "", "begin with messages that match the display `FILTER`")
	option.CompleteBy(c, "display-filter", session.CompleteNames)
	f.StringArrayVar(&o.Diff, "diff", nil, "compare with the good capture `GOOD`, or with the captures in a folder; "+
		"may repeat")
	option.Must(c.MarkFlagFilename("diff", "pcap", "pcapng", "cap", "gz", "zst"))
	o.Reading.Flags(c)
	f.BoolVar(&o.Mask, "mask-secrets", false, "show asterisks for passwords and tokens, also in the bytes")
	f.Var((*option.FileName)(&o.Notes), "notes", serve.NotesUsage)
	option.Must(c.MarkFlagFilename("notes", "json"))
	f.StringVar(&o.Listen, "listen", "127.0.0.1:0", "serve the page at `ADDRESS` of this machine; a port alone is "+
		"enough; port 0 means any free port")
	option.CompleteWith(c, "listen", "127.0.0.1:0", "[::1]:0")
	f.BoolVar(&o.Quiet, "no-browser", false, "only print the address of the page")
	return c
}
