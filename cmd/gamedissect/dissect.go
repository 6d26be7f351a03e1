package main

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A dissection is the run of the program's own command: text, totals, and what else the options ask for.
type dissection struct {
	*dissectOptions
	std      streams
	terminal terminal
	out      *output
	run      *run
	totals   *totals
	textless bool
	drops    func(int64) // told how many packets the kernel dropped

	outputs  *outputs
	written  *outfile // packets
	profiled *outfile
}

// errFindings is the error of --fail-on. What was found is shown already.
var errFindings = errors.New("there are findings")

// run dissects what the options name, where only holds. Another sink may stand in for text and totals.
func (o *dissectOptions) run(outputs *outputs, only func(*wire.Place) bool, instead ...sink) (err error) {
	std := outputs.std
	defer outputs.abandon()
	if slices.Contains(o.statistics.tables, "help") {
		t, err := newTerminal(std.out, "never")
		must(err)
		_, err = io.WriteString(std.out, statisticsHelp(proseWidth(t.width)))
		return err
	}
	if o.live.list {
		return listInterfaces(std, &o.text)
	}
	d, err := o.prepare(outputs, only, instead...)
	if err != nil {
		return err
	}
	if o.live.given() {
		return joined(d.capture(), outputs.trouble())
	}
	return joined(d.read(), outputs.trouble())
}

// prepare makes what does not depend on where packets come from.
func (o *dissectOptions) prepare(outputs *outputs, only func(*wire.Place) bool, instead ...sink) (*dissection, error) {
	o.text.quiet = o.text.quiet || len(instead) > 0
	if err := o.check(); err != nil {
		return nil, err
	}
	std := outputs.std
	d := &dissection{
		dissectOptions: o, std: std, outputs: outputs, textless: o.text.form == "none", drops: func(int64) {},
	}
	var err error
	if d.terminal, err = newTerminal(std.out, o.color); err != nil {
		return nil, err
	}
	g := o.decode.gate(new(display))
	g.only = only
	if g.selection, err = o.findings.selection(); err != nil {
		return nil, err
	}
	engine, err := o.decode.engine()
	if err != nil {
		return nil, err
	}
	var schema *filter.Schema
	if o.decode.filter != "" || o.text.columns() || o.statistics.measures() {
		schema = newSchema()
		if g.display, err = newDisplay(schema, o.decode.filter); err != nil {
			return nil, err
		}
	}
	if o.text.tables != "text" {
		d.terminal.width = 0 // programs want it whole, and people who copy it from a terminal do
	}
	d.out = newOutput(outputs, d.terminal.width)
	d.out.eager = d.terminal.is || o.text.eager
	engine.Others = o.statistics.countsOthers()
	d.run = newRun(engine, g)
	d.run.clock.form, d.run.count = o.text.times, o.input.count
	if err := d.addTotals(len(instead) > 0, schema); err != nil {
		return nil, err
	}
	d.name()
	for _, s := range instead {
		d.run.add(s)
	}
	return d, o.text.add(d.run, d.out, schema, slices.Concat(o.input.names, o.live.names), d.terminal)
}

// name names the files that are written.
func (d *dissection) name() {
	d.written = d.write.output(d.outputs, d.watched())
	d.totals.file = d.outputs.file("--stats", d.statistics.file)
	d.profiled = d.outputs.file("--cpuprofile", d.profile)
}

// watched reports whether others may look at packets that are written while more come.
func (o *dissectOptions) watched() bool {
	return o.live.given() || o.text.eager || slices.ContainsFunc(o.input.names, func(name string) bool {
		info, err := os.Stat(name)
		return name == "-" || err == nil && !info.Mode().IsRegular()
	})
}

// begin opens what is written, and begins to serve metrics.
func (d *dissection) begin() (end func() error, err error) {
	if err := d.outputs.open(); err != nil {
		return nil, err
	}
	unserve, err := d.serve()
	if err != nil {
		return nil, err
	}
	stop, err := startProfile(d.profiled)
	if err != nil {
		unserve()
		return nil, err
	}
	return func() error {
		unserve()
		return stop()
	}, nil
}

// serve begins to serve metrics, if they are asked for.
func (d *dissection) serve() (end func(), err error) {
	if d.listen == "" {
		return func() {}, nil
	}
	server, err := serveMetrics(d.listen, d.std.err)
	if err != nil {
		return nil, err
	}
	server.metrics.engine = func() forgetful { return d.run.engine }
	d.run.add(server.metrics)
	d.drops = server.metrics.drops
	return server.close, nil
}

// read dissects files.
func (d *dissection) read() (err error) {
	end, err := d.begin()
	if err != nil {
		return err
	}
	defer func() { err = joined(err, end()) }()
	stop := onInterrupt()
	defer stop.release()
	d.run.wanted = d.decode.packets.wanted(func(err error) { complain(d.std.err, err) })
	d.run.until = autostop{at: d.write.until}
	err = d.input.withFiles(d.std.in, stop, func(from *fileSource) error {
		if d.write.name != "" {
			s, err := d.write.newSaver(d.written, d.text.eager, d.decode.all())
			if err != nil {
				return err
			}
			d.run.add(s)
			d.run.until.written = s.written
		}
		from.showProgress(d.std.err, d.terminal, d.textless)
		return errors.Join(d.run.over(from, stop), d.out.flush())
	})
	return d.verdict(err)
}

// capture dissects what an interface brings.
func (d *dissection) capture() error {
	from, err := d.live.open(d.decode.packets.live(d.run.options.DecodeAs), d.std.err)
	if err != nil {
		return err
	}
	defer from.Close()
	return withoutRights(d.watch(from))
}

// watch dissects what comes.
func (d *dissection) watch(from *capture.Lives) (err error) {
	end, err := d.begin() // behind the opening, which begins the program again
	if err != nil {
		return err
	}
	defer func() { err = joined(err, end()) }()
	begun := time.Now()
	d.run.until = autostop{at: d.write.until, begun: begun}
	saver, err := d.saveLive(from, begun)
	if err != nil {
		return err
	}
	stop := onInterrupt()
	defer stop.release()
	asked, release := onAsked()
	defer release()
	l := &live{
		from: from, run: d.run, totals: d.totals, out: d.out, err: d.std.err, asked: asked, drops: d.drops, saver: saver,
	}
	if d.text.quiet && d.live.status == "auto" && watched(d.std.err, d.terminal, d.textless) {
		l.screen = openLiveScreen(d.std, strings.Join(d.live.names, ", "), d.terminal.style, stop)
	}
	if l.screen != nil {
		d.run.add(l.screen.overview)
	}
	defer l.endScreen() // a panic passes here
	if l.screen == nil && d.live.status != "none" {
		l.status = newStatus(d.std.err, d.terminal, d.textless)
	}
	err = d.verdict(errors.Join(d.run.over(l, stop), d.out.flush()))
	if d.live.silent {
		return err
	}
	return errors.Join(err, l.kernelCounts())
}

// saveLive has packets written, if they are to be.
func (d *dissection) saveLive(from *capture.Lives, begun time.Time) (*liveSaver, error) {
	if d.write.name == "" {
		return nil, nil //nolint:nilnil // nobody who writes is a good answer
	}
	s, err := d.write.newSaver(d.written, d.text.eager, d.decode.all())
	if err != nil {
		return nil, err
	}
	to := newLiveSaver(s, from, d.decode.packets.filter, begun)
	d.run.add(to)
	d.run.until.written = to.written
	return to, nil
}

// joined adds an error to one that may be a verdict, which is to stay what it is.
func joined(err, further error) error {
	if further == nil {
		return err
	}
	return errors.Join(err, further)
}

// verdict adds that findings make the program fail. A run that something went wrong with has its own error.
func (d *dissection) verdict(err error) error {
	if err == nil && d.run.gate.selection.failed {
		return errFindings
	}
	return err
}
