package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/expect"
)

// recordOptions are what the command line of record asks for.
type recordOptions struct {
	input  inputOptions
	decode decodeOptions
	record expect.RecordOptions
	file   string
}

// newRecord makes the command that writes expectations.
func newRecord(std streams) *cobra.Command {
	var o recordOptions
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
		Args: o.input.noWords,
		RunE: func(*cobra.Command, []string) error { return o.run(std) },
	}
	o.input.flags(c)
	o.decode.flags(c)
	f := c.Flags()
	o.file = "-"
	f.VarP((*fileName)(&o.file), "output", "o", "write to `FILE`; - is standard output")
	f.StringVar(&o.record.Per, "per", expect.Units()[0],
		"`WHAT` has to fulfil the expectations by itself: conversation, client, server or capture")
	f.BoolVar(&o.record.Exact, "exact", false, "compare what clients choose, names and numbers as well")
	f.BoolVar(&o.record.All, "all", false, "record messages that come at any time as well")
	f.BoolVar(&o.record.Loose, "loose", false, "be content with some conversations that do as was recorded, "+
		"whatever else they do")
	completeWith(c, "per", expect.Units()...)
	must(c.MarkFlagFilename("output", "yaml"))
	return c
}

func (o *recordOptions) run(std streams) error {
	if !slices.Contains(expect.Units(), o.record.Per) {
		return oneOf("--per", o.record.Per, expect.Units())
	}
	if err := errors.Join(o.input.check(), o.decode.packets.check(true)); err != nil {
		return err
	}
	engine, err := o.decode.engine()
	if err != nil {
		return err
	}
	shows, err := newDisplay(newSchema(), o.decode.filter)
	if err != nil {
		return err
	}
	o.record.All = o.record.All || o.decode.filter != ""
	o.record.Filter = o.decode.filter
	outputs := newOutputs(std, o.input.names...)
	to := outputs.file("-o", o.file)
	if err := outputs.open(); err != nil {
		return err
	}
	defer outputs.abandon()
	stop := onInterrupt()
	defer stop.release()
	return o.input.withFiles(std.in, stop, func(from *fileSource) error {
		r := newRun(engine, o.decode.gate(shows))
		r.count, r.wanted = o.input.count, o.decode.packets.wanted(func(err error) { complain(std.err, err) })
		r.forgotten = o.decode.reading.memory.trouble("what is recorded may be wrong")
		s := &recorder{shows, expect.NewRecorder(o.record)}
		r.add(s)
		return errors.Join(r.over(from, stop), o.save(s.to, to))
	})
}

// save writes the expectations.
func (o *recordOptions) save(rec *expect.Recorder, to *outfile) error {
	from := strings.Join(o.input.names, ", ")
	if o.decode.filter != "" {
		from += " with -Y " + o.decode.filter
	}
	if o.decode.once {
		from += " with --once"
	}
	text := rec.Text(from)
	if text == "" {
		return errors.New("there is nothing to record: no message of ours that does not come at any time (-Y or --all " +
			"takes those as well)")
	}
	return to.writeAll([]byte(text))
}

// recorder is the sink that writes expectations of what comes.
type recorder struct {
	display *display
	to      *expect.Recorder
}

func (r *recorder) message(*decode.Message)      { r.to.Message(r.display.subject()) }
func (r *recorder) finding(*wire.TrafficFinding) { r.to.Finding(r.display.subject()) }
