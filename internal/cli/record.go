package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/verdict"
	"github.com/gamedissect/gamedissect/internal/expect"
)

// newRecord makes the command that writes expectations.
func newRecord(std term.Streams) *cobra.Command {
	var o verdict.RecordOptions
	c := &cobra.Command{
		Use:   "record -r FILE [-o EXPECTATIONS]",
		Short: "write the expectations that a capture fulfils",
		Long: `record writes the sequence of messages of each conversation as expectations for gamedissect check, to
be read, shortened and kept. Conversations that say the same share one. Values that the other side sends back are
saved and compared; times, keys, addresses and the like are left out otherwise, and what a client chooses. Stretches
that repeat become repeats. Messages that come at any time, such as the moves of players, are left out, unless -Y
chooses what is recorded.

What the recording did not have is a failure: every conversation that begins like one of these has to go on like one
of them, with as many parts as came at most, answers may take three times as long as the longest took (250 ms at
least), and no rules may be broken but those that were. --loose asks for less: that some conversation does as was
recorded, in any time, whatever else comes.`,
		Example: `  gamedissect record -r session.pcap -o join.yaml
  gamedissect record -r session.pcap -Y 'bzflag24.alive or bzflag24.killed'
  gamedissect record -r session.pcap --loose -o join.yaml      some do so
  gamedissect record -r session.pcap --exact | gamedissect check -r session.pcap /dev/stdin`,
		Args: o.Input.OptionsOnly,
		RunE: func(*cobra.Command, []string) error { return o.Run(std) },
	}
	o.Input.Flags(c)
	o.Decode.Flags(c)
	f := c.Flags()
	o.File = "-"
	f.VarP((*option.FileName)(&o.File), "output", "o", "write to `FILE`; - is standard output")
	f.StringVar(&o.Record.Per, "per", expect.Units()[0],
		"`WHAT` has to fulfil the expectations by itself: conversation, client, server or capture")
	f.BoolVar(&o.Record.Exact, "exact", false, "compare what clients choose, names and numbers as well")
	f.BoolVar(&o.Record.All, "all", false, "record messages that come at any time as well")
	f.BoolVar(&o.Record.Loose, "loose", false, "be content with some conversations that do as was recorded, "+
		"whatever else they do")
	option.CompleteWith(c, "per", expect.Units()...)
	option.Must(c.MarkFlagFilename("output", "yaml"))
	return c
}
