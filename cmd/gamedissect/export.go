package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/export"
)

const exportLong = `export writes what is found in captures as tables that DuckDB, Spark, pandas and others read:
Parquet files in a folder, one for each kind of message, PROTOCOL/MESSAGE.parquet, and three more:

  findings.parquet        where the protocol is broken, a row each
  values.parquet          what was measured, such as lags, and what happened, such as kills
  conversations.parquet   who talked to whom, from when to when, how much

A message is a row: the packet (file, frame, time), who said it to whom (src, src_port, dst, dst_port, server,
direction, community_id), whom it is about as far as names are known (players), its length, whether a server told it
somebody else before (copy), and its fields as one structure, shaped like those of -T json: fields.reason beside
fields.reason_name, vectors as x, y, z, lists as lists. What each message names itself is JSON in a text. The columns
do not depend on the capture, so tables of many days can be read as one.

With --partition day each day has a folder, in UTC. A day that comes again after two others, as those of a second
sensor may, has another one within it; DIR/**/values.parquet is all of them.

The tables are put into the folder when all are whole. A folder that has tables already is refused, unless
--overwrite has them replaced. An interrupt keeps what was read until then, as a file that is cut off does.`

const exportExample = `  gamedissect export -r session.pcap -o tables
  duckdb -c "SELECT fields.reason_name, count(*) FROM 'tables/bzflag24/MsgKilled.parquet' WHERE NOT copy GROUP BY 1"
  gamedissect export -r 'archive/*.pcap.zst' -o tables --partition day
  duckdb -c "SELECT day, count(*) FROM 'tables/**/values.parquet' WHERE what = 'join' GROUP BY 1"
  gamedissect export -r session.pcap -o tables -Y 'tribes or iceball' --mask-secrets
  gamedissect export -r session.pcap -o tables --once          each event once`

// exportOptions are what the command line of export asks for.
type exportOptions struct {
	input     inputOptions
	decode    decodeOptions
	dir       string
	partition string
	overwrite bool
}

// exportMemory is how many megabytes export may take unless told: rows wait until there are enough of them.
const exportMemory = 192

// newExport makes the command that writes tables.
func newExport(std streams) *cobra.Command {
	var o exportOptions
	c := &cobra.Command{
		Use:     "export -r FILE -o DIR",
		Short:   "write messages, findings and what was measured as tables (Parquet)",
		Long:    exportLong,
		Example: exportExample,
		Args:    o.input.noWords,
		RunE:    func(*cobra.Command, []string) error { return o.run(std) },
	}
	o.input.flags(c)
	o.decode.reading.memory.megabytes = exportMemory
	o.decode.flags(c)
	f := c.Flags()
	f.StringVarP(&o.dir, "output", "o", "", "write to the folder `DIR`, which is made if need be")
	f.StringVar(&o.partition, "partition", "none", "make a folder for each `PART`: day (in UTC, day=2026-11-23), or none")
	f.BoolVar(&o.overwrite, "overwrite", false, "replace the tables that are in the folder, or in that of the day")
	completeWith(c, "partition", partitions...)
	must(c.MarkFlagDirname("output"))
	return c
}

var partitions = []string{"none", "day"}

// check finds what makes no sense, before any packet is read.
func (o *exportOptions) check() error {
	if o.dir == "" {
		return errors.New("nowhere to write: name a folder for the tables with -o DIR")
	}
	if o.partition != "none" && o.partition != "day" {
		return oneOf("--partition", o.partition, partitions)
	}
	return errors.Join(o.input.check(), o.decode.packets.check(true))
}

func (o *exportOptions) run(std streams) error {
	if err := o.check(); err != nil {
		return err
	}
	engine, err := o.decode.engine()
	if err != nil {
		return err
	}
	memory := &o.decode.reading.memory
	engine.Memory = memory.engine() / 2
	shows, err := newDisplay(newSchema(), o.decode.filter)
	if err != nil {
		return err
	}
	if err := shows.askCopies(); err != nil {
		return err
	}
	screen, err := newTerminal(std.out, "never")
	if err != nil {
		return err
	}
	folder := &tableFolder{outputs: newOutputs(std, o.input.names...), dir: o.dir, overwrite: o.overwrite}
	defer folder.abandon()
	if err := folder.open(o.partition == "none"); err != nil {
		return err
	}
	sameTwice(o.input.names, func(err error) { complain(std.err, err) })
	stop := onInterrupt()
	defer stop.release()
	w := &tableWriter{folder: folder, to: export.New(export.Options{
		Create: folder.create, Folder: folder.begin, Memory: memory.engine() / 2, ByDay: o.partition == "day",
	})}
	err = o.input.withFiles(std.in, stop, func(from *fileSource) error {
		from.showProgress(std.err, screen, true)
		r := newRun(engine, o.decode.gate(shows))
		r.count, r.wanted = o.input.count, o.decode.packets.wanted(func(err error) { complain(std.err, err) })
		r.forgotten = memory.trouble("the tables may lack what follows from them")
		r.add(w)
		return r.over(from, stop)
	})
	return errors.Join(err, w.list(std, screen.width))
}

// tableWriter is the sink that writes tables.
type tableWriter struct {
	folder *tableFolder
	to     *export.Exporter
	done   bool // all tables are in their places
	failed atomic.Bool
}

func (w *tableWriter) message(m *decode.Message) {
	w.to.Message(m)
	w.look()
}

func (w *tableWriter) finding(f *wire.TrafficFinding) { w.to.Finding(f) }
func (w *tableWriter) value(v *wire.Value)            { w.to.Value(v) }
func (w *tableWriter) event(v *wire.Value)            { w.to.Value(v) }

// look sees whether writing failed.
func (w *tableWriter) look() {
	if w.to.Failed() {
		w.failed.Store(true)
	}
}

// full has the run end when nothing more can be written.
func (w *tableWriter) full() bool { return w.failed.Load() }

// end writes what waits, and puts all tables in their places.
func (w *tableWriter) end(decode.Counters) error {
	if err := w.to.Close(); err != nil {
		return fmt.Errorf("%w; nothing is written", err)
	}
	if err := w.folder.place(); err != nil {
		return err
	}
	w.done = true
	return nil
}

// list shows which tables there are.
func (w *tableWriter) list(std streams, width int) error {
	if !w.done {
		return nil
	}
	show := table{columns: []column{{name: "table", whole: true}}}
	show.columns = append(show.columns, column{name: "rows", right: true}, column{name: "bytes", right: true})
	rows := w.to.Rows()
	for _, f := range w.folder.files {
		show.rows = append(show.rows, []cell{plainCell(f.out.path), numberCell(rows[f.name]), numberCell(f.size)})
	}
	out := newOutput(std.out, 0)
	out.buf = show.appendText(out.buf, width)
	if n := w.to.Again(); n > 0 {
		complain(std.err, fmt.Errorf("%s came again after others, and what came then is in folders of its own: read all by "+
			"'%s'", counted(int64(n), "day"), filepath.Join(w.folder.dir, "**", "values.parquet")))
	}
	return out.flush()
}
