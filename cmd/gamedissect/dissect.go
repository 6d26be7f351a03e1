package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// sink takes what the engine finds.
type sink interface {
	message(*decode.Message)
	finding(*wire.TrafficFinding)
}

// A dissection is a run over packets: what they become, and who sees it.
type dissection struct {
	o       *dissectOptions
	shown   *selection
	shows   *display
	out     *output
	writer  *deferred // nil: who decodes writes
	total   *totals
	clock   *clock
	options decode.Options
	engine  *decode.Engine
	stop    *interrupt
	asked   *atomic.Bool // for the statistics so far
	status  *status
	saver   *saver
	ender   ender
	err     io.Writer // messages for people
}

// run dissects what the options name.
func (o *dissectOptions) run(std streams) error {
	if slices.Contains(o.tables, "help") {
		_, err := io.WriteString(std.out, statisticsHelp)
		return err
	}
	if o.live.list {
		return listInterfaces(std)
	}
	if err := o.check(); err != nil {
		return err
	}
	t, err := o.terminal(std)
	if err != nil {
		return err
	}
	d, err := o.prepare(std, t)
	if err != nil {
		return err
	}
	stop, err := startProfile(o.profile)
	if err != nil {
		return err
	}
	defer stop()
	if o.live.name != "" {
		return d.capture(t)
	}
	return d.read(std, t)
}

// prepare makes what does not depend on where packets come from.
func (o *dissectOptions) prepare(std streams, t terminal) (*dissection, error) {
	d := &dissection{o: o, err: std.err, clock: &clock{form: o.times}, total: &totals{files: len(o.read) > 1, want: o.tables}}
	var err error
	if d.shown, err = newSelection(o.rules, o.severity, o.failOn); err != nil {
		return nil, err
	}
	if d.options, err = o.engine(); err != nil {
		return nil, err
	}
	var columns *columnWriter
	if d.shows, columns, err = o.display(); err != nil {
		return nil, err
	}
	d.out = newOutput(std.out, t.width)
	d.out.eager = t.is || o.flush
	columns.begin(d.out)
	d.options.Parallel = d.apart()
	d.deliver(d.aside(o.sink(d.out, d.clock, t, columns)))
	d.engine = decode.New(d.options)
	return d, nil
}

// apart reports whether what is done with a packet is spread over several goroutines: where there are
// processors for them, and nobody who waits for every packet or has to see it at the same time.
func (d *dissection) apart() bool {
	o := d.o
	alone := o.live.name == "" && o.to == nil && o.raw == nil && o.metrics == nil && o.listen == "" && o.write.name == ""
	return alone && d.shows == nil && (o.form == "none" || !d.out.eager) && runtime.GOMAXPROCS(0) > 1
}

// aside has forms that take long to write written in a goroutine.
func (d *dissection) aside(s sink) sink {
	o := d.o
	if !d.options.Parallel {
		return s
	}
	var keep decode.Keep
	switch o.form {
	case "line":
		keep.Summary = true
	case "tree":
		keep.Summary, keep.Tree, keep.Folded = true, o.all, !o.all
	case "json":
		keep.Tree = true
	default:
		return s
	}
	d.writer = newDeferred(s, d.out, keep)
	return d.writer
}

// flows sees to the output after a packet, and reports whether somebody takes it.
func (d *dissection) flows() bool {
	if d.writer != nil {
		return !d.writer.failed.Load()
	}
	d.out.packet()
	return d.out.err == nil
}

// serve begins to serve metrics, if they are asked for.
func (d *dissection) serve() (*metricsServer, error) {
	server, err := d.o.serve(d.err)
	d.total.metrics = d.o.metrics
	return server, err
}

// save creates the file of -w. It is the last thing before packets come: what is wrong elsewhere must not
// cost a file.
func (d *dissection) save() (err error) {
	d.saver, err = d.o.write.newSaver(d.o.flush, d.o.filter == "")
	d.ender = ender{until: d.o.write.until, saver: d.saver}
	return err
}

// pump makes what moves packets to the engine.
func (d *dissection) pump() *pump {
	p := &pump{engine: d.engine, stop: d.stop, count: d.o.count}
	p.start = func(packet *capture.Packet) {
		d.clock.start(packet.Time)
		d.shows.packet(packet.Time)
		d.saver.begin(packet.Number, packet.File)
		d.o.metrics.packet(packet)
	}
	p.taken = func(packet *capture.Packet) error {
		d.ender.packet(packet.Time)
		if d.saver == nil {
			return nil
		}
		return d.saver.packet(packet)
	}
	return p
}

// read dissects files.
func (d *dissection) read(std streams, t terminal) error {
	server, err := d.serve()
	if err != nil {
		return err
	}
	defer server.close()
	d.stop = onInterrupt()
	defer d.stop.release()
	files, trouble := open(d.o.read, std.in, d.stop)
	if len(files) == 0 {
		return trouble
	}
	defer closeAll(files)
	if err := d.save(); err != nil {
		return errors.Join(trouble, err)
	}
	bar := newProgress(std.err, t, d.o.form, files)
	p := d.pump()
	p.from = capture.Merge(files...)
	p.wanted = d.o.packets.wanted(d.say)
	p.pause = func(bool) bool {
		bar.update()
		return d.flows() && !d.ender.over()
	}
	d.writer.begin()
	err = p.run()
	d.writer.close()
	bar.done()
	return d.end(trouble, err)
}

// capture dissects what an interface brings.
func (d *dissection) capture(t terminal) error {
	from, err := d.o.live.open(d.o.packets.live(d.options.DecodeAs))
	if err != nil {
		return err
	}
	defer from.Close()
	server, err := d.serve() // behind the opening, which begins the program again
	if err != nil {
		return err
	}
	defer server.close()
	if err := d.save(); err != nil {
		return err
	}
	d.saver.announce(from, d.o.packets.filter)
	d.ender.begun = time.Now()
	d.stop = onInterrupt()
	defer d.stop.release()
	asked, release := onAsked()
	defer release()
	d.asked = asked
	d.status = newStatus(d.err, t, d.o.form)
	l := &live{d: d, from: from}
	p := d.pump()
	p.from, p.pause, p.warn = from, l.pause, d.say
	err = p.run()
	d.status.done()
	d.saver.statistics(from.Statistics(), d.ender.begun)
	return errors.Join(d.end(nil, err), l.end())
}

// say tells people of something while packets go on.
func (d *dissection) say(err error) {
	d.status.done()
	complain(d.err, err)
}

// end writes what was counted, and gives the error of the run.
func (d *dissection) end(trouble, err error) error {
	d.shows.release(nil, false, d.total.Value)
	c := d.engine.Counters()
	err = errors.Join(trouble, d.o.sum(d.total, c, d.out), err, unreadLinks(c), d.out.flush(), d.saver.close())
	if err == nil && d.shown.failed {
		return errFindings
	}
	return err
}

// printSoFar prints the statistics in between.
func (d *dissection) printSoFar(dropped int64) {
	d.status.done()
	out := newOutput(d.err, 0)
	d.total.print(out, d.engine.Counters())
	fmt.Fprintf(d.err, "%s dropped by the kernel\n", counted(dropped, "packet"))
}

// sum writes what was counted.
func (o *dissectOptions) sum(total *totals, c decode.Counters, out *output) (err error) {
	total.Count(c)
	if o.stats != "" {
		err = total.write(o.stats, out)
	}
	if !o.silent && o.stats != "-" && (o.form == "tree" || o.form == "none" || len(o.tables) > 0) {
		if o.form != "none" && total.Messages > 0 {
			out.buf = append(out.buf, '\n')
		}
		total.print(out, c)
	}
	return err
}

// display reads -Y, -e and -E. Neither is there without need.
func (o *dissectOptions) display() (*display, *columnWriter, error) {
	rows := o.form == "fields" || o.form == "csv"
	if o.filter == "" && !rows {
		return nil, nil, nil
	}
	schema := newSchema()
	shows, err := newDisplay(schema, o.filter)
	if err != nil || !rows {
		return shows, nil, err
	}
	columns, err := newColumnWriter(&o.fields, schema, o.form == "csv")
	if err != nil {
		return nil, nil, err
	}
	columns.display = shows
	return shows, columns, nil
}

// deliver says where goes what the engine finds.
func (d *dissection) deliver(s sink) {
	o, shows, total := d.o, d.shows, d.total
	d.options.Message = func(m *decode.Message) {
		all := m.Findings
		d.shown.visible(m)
		show := shows.message(m) && (o.only == nil || o.only(&m.Place))
		shows.release(m, show, total.Value)
		if show {
			d.shown.note(m.Findings)
			total.Message(m)
			d.saver.message(m)
			s.message(m)
		}
		m.Findings = all
	}
	d.options.Finding = func(f *wire.TrafficFinding) {
		if (o.only == nil || o.only(&f.Place)) && !d.shown.hidden[f.Rule] && shows.finding(f) {
			d.shown.noteRule(f.Rule)
			total.Finding(f)
			d.saver.finding(f)
			s.finding(f)
		}
	}
	d.options.Value = func(v *wire.Value) { shows.value(v, total.Value) }
	d.options.Raw = o.raw
}

// errFindings is the error of --fail-on. What was found is shown already.
var errFindings = errors.New("there are findings")

// open opens the files that can be opened and tells what is wrong with the others.
func open(names []string, stdin io.Reader, stop *interrupt) (files []*capture.File, trouble error) {
	for _, name := range names {
		f, err := openOne(name, stdin, stop)
		if stop.flag.Load() {
			return nil, errors.Join(trouble, errors.New("interrupted before the first packet"))
		}
		if err != nil {
			trouble = errors.Join(trouble, err)
			continue
		}
		files = append(files, f)
	}
	return files, trouble
}

func openOne(name string, stdin io.Reader, stop *interrupt) (*capture.File, error) {
	if name == "-" {
		return capture.NewReader(newStoppable(stdin, stop), name)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return capture.NewReader(newStoppable(&awaited{name: name}, stop), name)
	}
	return capture.Open(name)
}

func closeAll(files []*capture.File) {
	for _, f := range files {
		_ = f.Close() // read only: nothing can be lost
	}
}

// sink makes the form of output that the options ask for.
func (o *dissectOptions) sink(out *output, c *clock, t terminal, columns *columnWriter) sink {
	files := len(o.read) > 1
	lines := lineWriter{out: out, clock: c, files: files, columns: narrowest}
	if t.color {
		lines.style = colours
	}
	if o.to != nil {
		return o.to
	}
	switch o.form {
	case "fields", "csv":
		return columns
	case "tree":
		return newTreeWriter(lines, o.bytes, o.all)
	case "line":
		return &lines
	case "json":
		out.width = 0
		return &jsonWriter{out: out, files: files}
	}
	return nothing{}
}

// nothing is the form of output of -q.
type nothing struct{}

func (nothing) message(*decode.Message)      {}
func (nothing) finding(*wire.TrafficFinding) {}
