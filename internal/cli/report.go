package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/page"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/view/web/engine"
)

// newReport makes the command that writes a page with a capture in it.
func newReport(std term.Streams) *cobra.Command {
	var o page.ReportOptions
	c := &cobra.Command{
		Use:   "report [-r FILE] -o FILE.html",
		Short: "write a page with a capture in it, for anybody with a browser",
		Long: `report writes one file that shows a capture in any browser, without a network and without gamedissect:
the page of gamedissect view, the packets, and the engine that takes them apart, as WebAssembly. Nothing leaves the
machine of who opens it: the page is forbidden to talk to anybody. The packets are in it as they are, and who has the
page has them: --mask-secrets puts asterisks in the place of passwords and tokens, --anonymize replaces names,
texts and addresses as gamedissect anonymize does.

Without -r there is no capture in the page. It opens those that are dropped on it; put it on any web server, or keep
it on a disk.

A released gamedissect has the engine inside. Another one builds it once, with Go, into the user's cache.`,
		Example: `  gamedissect report -r lag.pcapng -o lag.html
  gamedissect report -r lag.pcapng -o lag.html --mask-secrets
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
		"put only those packets in the page that carry what the `FILTER` is true of")
	f.BoolVar(&o.Mask, "mask-secrets", false, "put asterisks for passwords and tokens into the packets; leave out those "+
		"of no game, of which nobody knows what they are")
	f.BoolVar(&o.Anonymize, "anonymize", false, "replace names, texts and addresses, as gamedissect anonymize does")
	f.BoolVar(&o.Large, "large", false, "put more than 50 MB of packets into a page; browsers may refuse it")
	f.Var((*option.FileName)(&o.Notes), "notes", page.NotesUsage)
	f.StringVar(&o.Engine, "engine", "", "take the engine from the folder `DIR`: "+engine.Wasm+" and "+engine.Exec+
		", as go generate ./view makes them")
	o.Reading.Flags(c)
	option.CompleteBy(c, "display-filter", session.CompleteNames)
	option.Must(c.MarkFlagFilename("output", "html"))
	option.Must(c.MarkFlagFilename("notes", "json"))
	option.Must(c.MarkFlagDirname("engine"))
	return c
}
