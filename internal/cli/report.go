package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/screen"
	"github.com/gamedissect/gamedissect/internal/cli/serve"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/view/web/engine"
)

// newSummary makes the command that summarizes captures on one screen.
func newSummary(std term.Streams) *cobra.Command {
	var o screen.Options
	c := &cobra.Command{
		Use:   "summary FILE...",
		Short: "show what is in captures and what failed, on one screen",
		Long: `summary reads captures once and shows one screen: the captures and their times; the servers
and masters; the players; findings and failures; answer times; and commands that show more. gamedissect FILE does
the same. FILE may be a folder.

The screen has at most 24 lines and the width of the terminal, or 80 columns if there is no terminal. If there are
more servers or players than fit, those that need attention come first. -T json prints everything as data.`,
		Example: `  gamedissect night.pcap.gz
  gamedissect summary monday.pcap tuesday.pcap
  gamedissect summary captures
  gamedissect summary night.pcap --fail-on error
  gamedissect summary night.pcap -T json | jq .health`,
		Args: func(_ *cobra.Command, args []string) error {
			o.Input.Names = append(o.Input.Names, args...)
			return nil
		},
		RunE: func(*cobra.Command, []string) error { return summarize(&o, std) },
	}
	files := c.Args
	o.Input.Flags(c)
	c.Args = files // arguments are files too, whether or not -r precedes them
	f := c.Flags()
	f.StringVarP(&o.Form, "type", "T", "", "show it in the `FORM`: text or json")
	option.CompleteWith(c, "type", screen.Forms...)
	o.Findings.Flags(c)
	o.Reading.Flags(c)
	term.ColourFlag(c, &o.Color)
	return c
}

// summarize shows a summary. It returns errFindings if something happened that --fail-on includes.
func summarize(o *screen.Options, std term.Streams) error {
	failed, err := o.Run(std)
	if err == nil && failed {
		return errFindings
	}
	return err
}

func newReport(std term.Streams) *cobra.Command {
	var o serve.ReportOptions
	c := &cobra.Command{
		Use:   "report [-r FILE] -o FILE.html",
		Short: "write a page with a capture in it, for any browser",
		Long: `report writes one file that shows a capture in any browser, without a network and without
gamedissect: the page of gamedissect view, the packets, and the engine that dissects them, as WebAssembly. The page
contacts no server, so nothing leaves the reader's machine. Asterisks replace passwords and tokens in the packets,
and other traffic, whose content is unknown, is left out. --anonymize also replaces names, texts and addresses, as
gamedissect anonymize does; --no-mask leaves the packets unchanged.

Without -r the page contains no capture and opens captures that the user drops on it. It works as a local file and on
any web server.

A released gamedissect contains the engine. Other builds need Go to make it once, and keep it in the user's cache.`,
		Example: `  gamedissect report -r lag.pcapng -o lag.html
  gamedissect report -r lag.pcapng -o lag.html --no-mask
  gamedissect report -r lag.pcapng -o lag.html --anonymize
  gamedissect report -r day.pcap.zst -o kills.html -Y 'bzflag24.killed'
  gamedissect report -o viewer.html`,
		Args: o.Input.OptionsOnly,
		RunE: func(*cobra.Command, []string) error { return o.Run(std) },
	}
	o.Input.Flags(c)
	f := c.Flags()
	f.VarP((*option.FileName)(&o.Output), "output", "o", "write the page to `FILE`; - is standard output")
	f.VarP(&option.OnceText{To: &o.Filter}, "display-filter", "Y",
		"put only packets with messages that match `FILTER` into the page")
	f.BoolVar(&o.Mask, "mask-secrets", false, "replace passwords and tokens with asterisks, and leave out "+
		"packets of no game, whose content is unknown; this is the default without --no-mask and --anonymize")
	f.BoolVar(&o.Bare, "no-mask", false, "leave the packets unchanged, with passwords and tokens")
	f.BoolVar(&o.Anonymize, "anonymize", false, "replace names, texts and addresses, as gamedissect anonymize does")
	f.BoolVar(&o.Large, "large", false, "put more than 50 MB of packets into a page; browsers may refuse it")
	f.Var((*option.FileName)(&o.Notes), "notes", serve.NotesUsage)
	f.StringVar(&o.Engine, "engine", "", "take the engine from the folder `DIR`: "+engine.Wasm+" and "+engine.Exec+
		", as go generate ./internal/view makes them")
	o.Reading.Flags(c)
	option.CompleteBy(c, "display-filter", session.CompleteNames)
	option.Must(c.MarkFlagFilename("output", "html"))
	option.Must(c.MarkFlagFilename("notes", "json"))
	option.Must(c.MarkFlagDirname("engine"))
	return c
}
