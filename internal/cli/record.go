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
		Long: `record writes the sequence of messages of each conversation as expectations for gamedissect check. Read
and shorten them before you keep them. Equal conversations share an expectation. Values that the other side sends
back are saved and compared; other times, keys and addresses, and what a client chooses, are left out. Repeated
sequences become repeats. Messages that come at any time, such as the moves of players, are left out, unless -Y
selects what is recorded.

Check then fails for anything that the recording did not have: a conversation that begins like a recorded one must
continue like one, with no more repeats than the recording had. An answer may take three times as long as the longest
recorded answer, or 250 ms if that is longer. Only the rules broken in the recording may be broken. --loose asks only
that some conversation does as recorded, in any time, with any other messages in between.`,
		Example: `  gamedissect record -r session.pcap -o join.yaml
  gamedissect record -r session.pcap -Y 'bzflag24.alive or bzflag24.killed'
  gamedissect record -r session.pcap --loose -o join.yaml      some conversation is enough
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
		"each `WHAT` by itself must fulfil the expectations: conversation, client, server or capture")
	f.BoolVar(&o.Record.Exact, "exact", false, "compare what clients choose, names and numbers as well")
	f.BoolVar(&o.Record.All, "all", false, "record messages that come at any time as well")
	f.BoolVar(&o.Record.Loose, "loose", false, "require only that some conversation does as recorded, "+
		"with any other messages in between")
	option.CompleteWith(c, "per", expect.Units()...)
	option.Must(c.MarkFlagFilename("output", "yaml"))
	return c
}
