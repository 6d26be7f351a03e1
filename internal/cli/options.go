package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/live"
	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/report"
)

type dissectOptions struct {
	input      session.InputOptions
	decode     session.DecodeOptions
	text       message.TextOptions
	findings   session.FindingOptions
	statistics tally.Options
	listen     string // address for metrics; "": none
	color      string
	profile    string // file for a CPU profile; "": none
	numeric    bool
	unpaged    bool
	live       live.Options
	write      live.WriteOptions
	summarized []string // files given without -r
}

func (o *dissectOptions) flags(c *cobra.Command) {
	f := c.Flags()
	o.input.Flags(c)
	o.decode.Flags(c)
	o.text.Flags(c)
	o.findings.Flags(c)
	o.statistics.Protocols = option.Protocols()
	o.statistics.Flags(c)
	f.StringVar(&o.listen, "metrics", "", "serve metrics to Prometheus at `ADDRESS` while packets are read: "+
		"127.0.0.1:9744; :9744 is open to other machines")
	term.ColourFlag(c, &o.color)
	f.BoolVar(&o.unpaged, "no-pager", false, "do not show messages through a pager on a terminal; "+
		"the pager is $GAMEDISSECT_PAGER, $PAGER or less")
	f.BoolVarP(&o.text.Eager, "line-buffered", "l", false, "write after every packet")
	f.Var((*option.FileName)(&o.profile), "cpuprofile", "write a CPU profile to `FILE`, for go tool pprof")
	option.Must(f.MarkHidden("cpuprofile"))
	f.BoolVarP(&o.numeric, "numeric", "n", false, "accepted because tshark has it: names are never resolved")
	option.CompleteWith(c, "metrics", "127.0.0.1:9744", "[::1]:9744", ":9744")
}

func (o *dissectOptions) check() error {
	if o.write.Name == "-" && (!o.text.Settled("none") || len(o.statistics.Tables) > 0 || o.statistics.File == "-") {
		return errors.New("-w -: packets go to standard output, so nothing else can be printed there")
	}
	if o.text.Form != "" && !slices.Contains(message.Forms, o.text.Form) {
		return option.OneOf("-T", o.text.Form, message.Forms)
	}
	o.text.Settle(o.write.Name != "")
	if err := o.live.Check(); err != nil {
		return err
	}
	o.decode.Reading.Memory.Shared = o.live.Shared()
	switch form := o.text.Form; {
	case o.decode.Mask && o.write.Name != "":
		return errors.New("-w writes packets unchanged, so --mask-secrets cannot hide anything in them; gamedissect " +
			"anonymize writes captures that can be shared")
	case len(o.input.Names) == 0 && !o.live.Given():
		return session.ErrNoInput
	case len(o.input.Names) > 0 && o.live.Given():
		return errors.New("-i and -r: packets come from an interface or from files, not from both")
	case o.text.Times != "" && !slices.Contains(session.TimeForms, o.text.Times):
		return option.OneOf("-t", o.text.Times, session.TimeForms)
	case form == "none" && len(o.text.Fields.Names) > 0:
		return errors.New("-e selects fields of messages, but -q and -T none show no messages")
	case !o.text.Columns() && len(o.text.Fields.Names) > 0:
		return errors.New("-e: name fields with -T fields or -T csv")
	case o.text.Tables != "fields" && o.text.Tables != "csv" && len(o.text.Fields.Options) > 0:
		return errors.New("-E needs -T fields or -T csv")
	case form == "fields" && len(o.text.Fields.Names) == 0:
		return errors.New("-T fields: name the fields with -e FIELD (gamedissect fields lists them)")
	case len(o.statistics.Tables) > 0 && o.statistics.File == "-":
		return errors.New("-z: --stats - already writes to standard output; name a file for it")
	case o.statistics.File == "-" && o.text.ForPrograms():
		return fmt.Errorf("--stats -: -T %s already writes to standard output; name a file", form)
	}
	for _, check := range []func() error{
		o.input.CheckCount,
		o.write.Check,
		o.statistics.Check,
		o.decode.Packets.Check,
		func() error { return session.ReadOnce(o.input.Names) },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// addTotals adds the sink that counts. The sink prints its totals only if nothing else goes to standard output.
func (d *dissection) addTotals(taken bool, schema *filter.Schema) error {
	s := &d.statistics
	form := d.text.Form
	taken = taken || d.write.Name == "-" || s.File == "-" || form != "tree" && form != "none" && len(s.Tables) == 0
	memory := &d.decode.Reading.Memory
	tables, err := term.NewTableForm(d.text.Tables, d.text.Fields.Options, d.terminal.Width)
	if err != nil {
		return err
	}
	tables.More, tables.Style = "-T csv has all", d.terminal.Style
	d.totals = &tally.Totals{
		Out: d.out, Form: tables, Clock: d.run.Clock, Megabytes: memory.Megabytes, Want: *s, Shown: !taken,
		Behind: !d.textless,
		Files:  message.NewFileNames(slices.Concat(d.input.Names, d.live.Names)),
	}
	needs := s.Needs()
	d.totals.Stats.Memory, d.totals.Stats.Brief = memory.Statistics(), !needs.Rows
	d.run.Add(d.totals.Sink(needs.Values))
	if slices.Contains(s.Tables, report.TimelineName) {
		d.addTimeline()
	}
	for _, t := range s.Intervals {
		if err := t.Compile(d.run.Clock, d.run.Selection.Subjects, schema, s.Protocols); err != nil {
			return err
		}
		d.run.Add(t.Sink())
	}
	if !d.totals.TellsForgotten() {
		d.run.Forgotten = memory.Notice(d.std.Err)
	}
	return nil
}

// addTimeline adds the sink of -z timeline. If messages are printed too, the sink keeps its rows and prints them after
// the messages. The rows may use half of the memory of the statistics.
func (d *dissection) addTimeline() {
	room, waits := 0, !d.textless || d.statistics.Order.Given()
	switch {
	case waits:
		room = d.totals.Stats.Memory / 2
		d.totals.Stats.Memory -= room
	case !d.out.Eager && !d.live.Given(): // rows may wait until the number of servers is known
		room = tally.WaitingRoom
	}
	d.totals.Timeline = tally.NewTimeline(d.out, &d.totals.Form, d.run.Clock, d.totals.Files, waits, room)
	d.run.Add(session.Sink{Event: d.totals.Timeline.Event})
}
