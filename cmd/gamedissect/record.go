package main

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/expect"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// recordOptions are what the command line of record asks for.
type recordOptions struct {
	dissect dissectOptions
	record  expect.RecordOptions
	file    string
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
chooses what is recorded.`,
		Example: `  gamedissect record -r session.pcap -o join.yaml
  gamedissect record -r session.pcap -Y 'bzflag24.alive or bzflag24.killed'
  gamedissect record -r session.pcap --exact | gamedissect check -r session.pcap /dev/stdin`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return o.run(std) },
	}
	o.dissect.inputFlags(c)
	o.dissect.decodeFlags(c)
	f := c.Flags()
	f.StringVarP(&o.file, "output", "o", "-", "write to `FILE`; - is standard output")
	f.StringVar(&o.record.Per, "per", expect.Units()[0], "`WHAT` has to fulfil the expectations by itself: conversation, client, server or capture")
	f.BoolVar(&o.record.Exact, "exact", false, "compare what clients choose, names and numbers as well")
	f.BoolVar(&o.record.All, "all", false, "record messages that come at any time as well")
	must(c.RegisterFlagCompletionFunc("per", cobra.FixedCompletions(expect.Units(), cobra.ShellCompDirectiveNoFileComp)))
	must(c.MarkFlagFilename("output", "yaml"))
	return c
}

func (o *recordOptions) run(std streams) error {
	if !slices.Contains(expect.Units(), o.record.Per) {
		return oneOf("--per", o.record.Per, expect.Units())
	}
	if err := errors.Join(o.dissect.check(), capture.SameFile(o.file, o.dissect.read)); err != nil {
		return err
	}
	engine, err := o.dissect.engine()
	if err != nil {
		return err
	}
	shows, err := newDisplay(newSchema(), o.dissect.filter)
	if err != nil {
		return err
	}
	o.record.All = o.record.All || o.dissect.filter != ""
	stop := onInterrupt()
	defer stop.release()
	files, trouble := open(o.dissect.read, std.in, stop)
	if len(files) == 0 {
		return trouble
	}
	defer closeAll(files)
	rec := expect.NewRecorder(o.record)
	engine.Message = func(m *decode.Message) {
		if shows.message(m) {
			rec.Message(shows.now)
		}
	}
	engine.Finding = func(*wire.TrafficFinding) {}
	e := decode.New(engine)
	p := &pump{from: capture.Merge(files...), engine: e, stop: stop, count: o.dissect.count, start: func(packet *capture.Packet) {
		shows.packet(packet.Time)
	}}
	p.wanted = o.dissect.packets.wanted(func(err error) { complain(std.err, err) })
	err = p.run()
	trouble = errors.Join(trouble, err, unreadLinks(e.Counters()))
	from := strings.Join(o.dissect.read, ", ")
	if o.dissect.filter != "" {
		from += " with -Y " + o.dissect.filter
	}
	text := rec.Text(from)
	if text == "" {
		return errors.Join(trouble, errors.New("there is nothing to record: no message of ours that does not come at any time (-Y or --all takes those as well)"))
	}
	if o.file != "-" {
		return errors.Join(trouble, os.WriteFile(o.file, []byte(text), 0o666))
	}
	_, err = io.WriteString(std.out, text)
	return errors.Join(trouble, err)
}
