package main

import (
	"slices"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// addTotals adds the sink that counts. What it counted is shown unless standard output is for something else.
func (d *dissection) addTotals(taken bool, schema *filter.Schema) error {
	s := &d.statistics
	form := d.text.form
	taken = taken || d.write.name == "-" || s.file == "-" || form != "tree" && form != "none" && len(s.tables) == 0
	memory := &d.decode.reading.memory
	tables, err := newTableForm(d.text.tables, d.text.fields.options, d.terminal.width)
	if err != nil {
		return err
	}
	d.totals = &totals{
		out: d.out, form: tables, clock: d.run.clock, memory: memory.megabytes, want: *s, shown: !taken, behind: !d.textless,
		files: newFileNames(slices.Concat(d.input.names, d.live.names)),
	}
	d.totals.Memory = memory.statistics()
	d.run.add(d.totals)
	if s.gathers() {
		d.run.values = append(d.run.values, gatherer{d.totals})
	}
	if slices.Contains(s.tables, timelineName) {
		d.addTimeline()
	}
	for _, of := range s.io {
		t, err := newIntervals(of, d.run.clock, d.run.gate.display, schema)
		if err != nil {
			return err
		}
		d.totals.intervals = append(d.totals.intervals, t)
		d.run.sinks = append(d.run.sinks, t)
		if len(t.measures) > 0 {
			d.run.values = append(d.run.values, t)
		}
	}
	if !d.totals.tellsForgotten() {
		d.run.forgotten = memory.notice(d.std.err)
	}
	return nil
}

// addTimeline adds the sink of -z timeline. Where it waits for messages that are shown, it keeps a part of what lists
// have.
func (d *dissection) addTimeline() {
	room := 0
	switch {
	case !d.textless:
		room = d.totals.Memory / 2
		d.totals.Memory -= room
	case !d.out.eager && !d.live.given(): // there is time to see whether there are several servers
		room = waitingRoom
	}
	d.totals.timeline = newTimeline(d.out, &d.totals.form, d.run.clock, d.totals.files, !d.textless, room)
	d.run.add(d.totals.timeline)
}
