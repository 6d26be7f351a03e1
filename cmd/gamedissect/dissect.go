package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// sink takes what the engine finds.
type sink interface {
	message(*decode.Message)
	finding(*decode.Finding)
}

// run dissects what the options name.
func (o *dissectOptions) run(std streams) error {
	if slices.Contains(o.tables, "help") {
		_, err := io.WriteString(std.out, statisticsHelp)
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	shown, err := newSelection(o.rules, o.severity, o.failOn)
	if err != nil {
		return err
	}
	engine, err := o.engine()
	if err != nil {
		return err
	}
	t, err := o.terminal(std)
	if err != nil {
		return err
	}
	shows, columns, err := o.display()
	if err != nil {
		return err
	}
	server, err := o.serve(std.err)
	if err != nil {
		return err
	}
	defer server.close()
	stop := onInterrupt()
	defer stop.release()
	files, trouble := open(o.read, std.in, stop)
	if len(files) == 0 {
		return trouble
	}
	defer closeAll(files)

	out := newOutput(std.out, t.width)
	out.eager = t.is || o.flush
	total := &totals{files: len(o.read) > 1, want: o.tables, metrics: o.metrics}
	c := &clock{form: o.times}
	columns.begin(out)
	o.deliver(&engine, shows, shown, total, o.sink(out, c, t, columns))
	e := decode.New(engine)

	bar := newProgress(std.err, t, o.form, files)
	err = o.pump(capture.Merge(files...), e, out, stop, bar, func(time int64) {
		c.start(time)
		shows.packet(time)
	}, engine.Finding)
	bar.done()
	shows.release(nil, false, total.Value)
	unread := unreadLinks(e.Counters())
	err = errors.Join(trouble, o.sum(total, e.Counters(), out), err, unread, out.flush())
	if err == nil && shown.failed {
		return errFindings
	}
	return err
}

// sum writes what was counted.
func (o *dissectOptions) sum(total *totals, c decode.Counters, out *output) (err error) {
	total.Count(c)
	if o.stats != "" {
		err = total.write(o.stats, out)
	}
	if !o.silent && o.stats != "-" && (o.form == "tree" || o.form == "none") {
		if o.form == "tree" && total.Messages > 0 {
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
func (o *dissectOptions) deliver(engine *decode.Options, shows *display, shown *selection, total *totals, s sink) {
	engine.Message = func(m *decode.Message) {
		all := m.Findings
		shown.visible(m)
		show := shows.message(m) && (o.only == nil || o.only(&m.Place))
		shows.release(m, show, total.Value)
		if show {
			shown.note(m.Findings)
			total.Message(m)
			s.message(m)
		}
		m.Findings = all
	}
	engine.Finding = func(f *decode.Finding) {
		if (o.only == nil || o.only(&f.Place)) && !shown.hidden[f.Rule] && shows.finding(f) {
			shown.noteRule(f.Rule)
			total.Finding(f)
			s.finding(f)
		}
	}
	engine.Value = func(v *wire.Value) { shows.value(v, total.Value) }
	engine.Raw = o.raw
}

// errFindings is the error of --fail-on. What was found is shown already.
var errFindings = errors.New("there are findings")

// pump moves packets from the source to the engine until it ends, the count is reached, the
// user interrupts or nobody reads the output. Files that are wrong somewhere are read up to
// there.
func (o *dissectOptions) pump(src capture.Source, e *decode.Engine, out *output, stop *interrupt, bar *progress, start func(time int64), finding func(*decode.Finding)) error {
	defer e.Close()
	var (
		p       capture.Packet
		f       decode.Frame
		trouble error
	)
	for n := int64(0); (o.count == 0 || n < o.count) && !stop.flag.Load() && out.err == nil; n++ {
		err := src.Next(&p)
		if err == io.EOF || stop.flag.Load() {
			break
		}
		if err != nil {
			trouble = errors.Join(trouble, err)
			reportCut(err, &f, finding)
			continue
		}
		f = decode.Frame{Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number, File: p.File}
		o.metrics.packet(&p)
		start(f.Time)
		e.Frame(&f)
		out.packet()
		bar.update()
	}
	if stop.flag.Load() {
		trouble = errors.Join(trouble, fmt.Errorf("interrupted after %s; what is shown is of those", counted(e.Counters().Packets, "packet")))
	}
	return trouble
}

// unreadLinks is an error if there were packets that nothing is known of.
func unreadLinks(c decode.Counters) error {
	var unread []error
	for _, l := range c.Links {
		unread = append(unread, fmt.Errorf("%s: %s from packet %d on not read: link type %d (%s); Ethernet, Linux cooked, loopback and raw IP are",
			l.File, counted(l.Packets, "packet"), l.First, l.Type, capture.LinkType(l.Type)))
	}
	return errors.Join(unread...)
}

// reportCut makes findings of files that end inside a record.
func reportCut(err error, last *decode.Frame, finding func(*decode.Finding)) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			reportCut(one, last, finding)
		}
		return
	}
	if bad, ok := errors.AsType[*capture.Error](err); ok && bad.Cut {
		finding(&decode.Finding{
			Place: decode.Place{Frame: bad.Packet, File: bad.File, Time: last.Time},
			Rule:  decode.RuleFileCut, Text: bad.Reason,
		})
	}
}

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

func (nothing) message(*decode.Message) {}
func (nothing) finding(*decode.Finding) {}
