package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/verdict"
	"github.com/gamedissect/gamedissect/internal/expect"
)

func newRecord(std term.Streams) *cobra.Command {
	var o verdict.RecordOptions
	c := &cobra.Command{
		Use:   "record -r SESSION -r SESSION -r SESSION [-o EXPECTATIONS]",
		Short: "write the expectations that captures fulfil",
		Long: `record -r A -r B -r C writes what three healthy sessions share as expectations for
gamedissect check. Each file is a session. Conversations that begin the same way must have the messages that all of
them had: the first of each kind, in order, with the values that the other side echoes. Messages that nothing
answers are left out, because clients choose when to send them. Anything else may come in between. An answer may
take three times as long as the longest recorded one, or 2 s if that is longer. Notes are allowed, and warnings of
the rules that a session broke. Something that only one session did is not required.

record -r A, of one session, writes the whole sequence of messages of each conversation, so it also requires things
that happened only by chance. Read and shorten it before you keep it. Equal conversations share an expectation.
Values that the other side echoes are saved and compared. Times, other keys and addresses, and values that a client
chooses are left out. Repeated sequences become repeats. Messages that come at any time, such as the moves of
players, are left out, unless -Y selects what is recorded.

check then fails for everything that the recording did not have. A conversation that begins like a recorded one must
continue like one, with no more repeats than the recording had. An answer may take three times as long as the
longest recorded answer, or 250 ms if that is longer. Only the rules broken in the recording may be broken. If more
than six different conversations begin the same way, record writes what they have in common.

--loose demands less: it is enough if one of the conversations that begin the same way continues as recorded, at any
speed, with any other messages in between, and with any findings.`,
		Example: `  gamedissect record -r monday.pcap -r tuesday.pcap -r friday.pcap -o join.yaml
  gamedissect record -r 'healthy/*.pcap' -o join.yaml           each file is a session
  gamedissect record -r session.pcap -Y 'bzflag24.alive or bzflag24.killed'
  gamedissect record -r 'healthy/*.pcap' --loose -o join.yaml   some conversation is enough
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
	f.BoolVar(&o.Record.Exact, "exact", false, "also compare what clients choose, such as names and numbers")
	f.BoolVar(&o.Record.All, "all", false, "also record messages that come at any time")
	f.BoolVar(&o.Record.Loose, "loose", false, "require only that some conversation continues as "+
		"recorded, at any speed, with any other messages in between")
	option.CompleteWith(c, "per", expect.Units()...)
	option.Must(c.MarkFlagFilename("output", "yaml"))
	return c
}
