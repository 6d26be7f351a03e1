package cli

import (
	"slices"

	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// addTotals adds the sink that counts. What it counted is shown unless standard output is for something else.
func (d *dissection) addTotals(taken bool, schema *filter.Schema) error {
	s := &d.statistics
	form := d.text.Form
	taken = taken || d.write.Name == "-" || s.File == "-" || form != "tree" && form != "none" && len(s.Tables) == 0
	memory := &d.decode.Reading.Memory
	tables, err := table.NewForm(d.text.Tables, d.text.Fields.Options, d.terminal.Width)
	if err != nil {
		return err
	}
	d.totals = &tally.Totals{
		Out: d.out, Form: tables, Clock: d.run.Clock, Megabytes: memory.Megabytes, Want: *s, Shown: !taken, Behind: !d.textless,
		Files: message.NewFileNames(slices.Concat(d.input.Names, d.live.Names)),
	}
	d.totals.Stats.Memory = memory.Statistics()
	d.run.Add(d.totals)
	if s.Gathers() {
		d.run.Values = append(d.run.Values, tally.Gatherer{Totals: d.totals})
	}
	if slices.Contains(s.Tables, tally.TimelineName) {
		d.addTimeline()
	}
	for _, of := range s.Io {
		t, err := tally.NewIntervals(of, d.run.Clock, d.run.Gate.Display, schema)
		if err != nil {
			return err
		}
		d.totals.Intervals = append(d.totals.Intervals, t)
		d.run.Sinks = append(d.run.Sinks, t)
		if len(t.Measures) > 0 {
			d.run.Values = append(d.run.Values, t)
		}
	}
	if !d.totals.TellsForgotten() {
		d.run.Forgotten = memory.Notice(d.std.Err)
	}
	return nil
}

// addTimeline adds the sink of -z timeline. Where it waits for messages that are shown, it keeps a part of what lists
// have.
func (d *dissection) addTimeline() {
	room := 0
	switch {
	case !d.textless:
		room = d.totals.Stats.Memory / 2
		d.totals.Stats.Memory -= room
	case !d.out.Eager && !d.live.Given(): // there is time to see whether there are several servers
		room = tally.WaitingRoom
	}
	d.totals.Timeline = tally.NewTimeline(d.out, &d.totals.Form, d.run.Clock, d.totals.Files, !d.textless, room)
	d.run.Add(d.totals.Timeline)
}
