package extract

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/export"
	"github.com/gamedissect/gamedissect/internal/report"
)

// TableOptions are the options of the export command.
type TableOptions struct {
	Input     session.InputOptions
	Decode    session.DecodeOptions
	Dir       string
	Partition string
	Overwrite bool
}

// TableMemory is the default memory limit of the export command in megabytes. Rows are collected in memory until there
// are enough of them.
const TableMemory = 192

// Partitions are the values of --partition.
var Partitions = []string{"none", "day"}

// check returns an error for invalid options before any packet is read.
func (o *TableOptions) check() error {
	if o.Dir == "" {
		return errors.New("nowhere to write: name a folder for the tables with -o DIR")
	}
	if o.Partition != "none" && o.Partition != "day" {
		return option.OneOf("--partition", o.Partition, Partitions)
	}
	return errors.Join(o.Input.Check(), o.Decode.Packets.Check())
}

// Run writes the tables and lists them on standard output.
func (o *TableOptions) Run(std term.Streams) error {
	if err := o.check(); err != nil {
		return err
	}
	engine, err := o.Decode.Engine()
	if err != nil {
		return err
	}
	memory := &o.Decode.Reading.Memory
	engine.Memory = memory.Engine() / 2
	schema := session.NewSchema()
	selection, err := o.Decode.Selection(schema)
	if err != nil {
		return err
	}
	if _, err := schema.Resolve("copy", nil); err != nil { // makes the engine find copies
		return err
	}
	screen, err := term.NewTerminal(std.Out, "never")
	if err != nil {
		return err
	}
	folder := &tableFolder{outputs: outfile.NewOutputs(std, o.Input.Names...), dir: o.Dir, overwrite: o.Overwrite}
	defer folder.abandon()
	if err := folder.open(o.Partition == "none"); err != nil {
		return err
	}
	session.WarnDuplicates(o.Input.Names, func(err error) { term.Complain(std.Err, err) })
	stop := session.OnInterrupt()
	defer stop.Release()
	w := &tableWriter{folder: folder, to: export.New(export.Options{
		Create: folder.create, Folder: folder.begin, Memory: memory.Engine() / 2, ByDay: o.Partition == "day",
	})}
	err = o.Input.WithFiles(std.In, stop, func(from *session.FileSource) error {
		from.ShowProgress(std.Err, screen, true)
		r := session.NewRun(engine, selection)
		r.Count, r.Selection.Packets = o.Input.Count, o.Decode.Packets.Wanted(func(err error) { term.Complain(std.Err, err) })
		r.Forgotten = memory.Trouble("the tables may lack results that depend on them")
		r.Add(session.Sink{
			Message: w.message, Finding: w.to.Finding, Value: w.to.Value, Event: w.to.Value, Attempt: w.to.Attempt,
			Full: w.failed.Load, End: w.end,
		})
		return r.Over(from, stop)
	})
	return errors.Join(err, w.list(std, screen.Width))
}

type tableWriter struct {
	folder *tableFolder
	to     *export.Exporter
	done   bool // all tables were published
	failed atomic.Bool
}

func (w *tableWriter) message(m *decode.Message) {
	w.to.Message(m)
	if w.to.Failed() {
		w.failed.Store(true)
	}
}

// end writes the collected rows and publishes all tables.
func (w *tableWriter) end(decode.Counters) error {
	if err := w.to.Close(); err != nil {
		return fmt.Errorf("%w; nothing is written", err)
	}
	if err := w.folder.publish(); err != nil {
		return err
	}
	w.done = true
	return nil
}

func (w *tableWriter) list(std term.Streams, width int) error {
	if !w.done {
		return nil
	}
	show := report.Table{Columns: []report.Column{{Name: "table", Kind: report.File, Whole: true},
		{Name: "rows", Kind: report.Count}, {Name: "bytes", Kind: report.Count}}}
	rows := w.to.Rows()
	for _, f := range w.folder.files {
		show.Rows = append(show.Rows, []report.Cell{f.path, rows[f.name], f.Size})
	}
	out := term.NewOutput(std.Out, 0)
	out.Buf = term.AppendTable(out.Buf, &show, width)
	if n := w.to.Again(); n > 0 {
		term.Complain(std.Err,
			fmt.Errorf("the packets are not in order of time: packets of a day came after its tables were "+
				"written (%s), so their rows are in separate folders; read all with '%s'",
				report.Plural(int64(n), "time"), filepath.Join(w.folder.dir, "**", "values.parquet")))
	}
	return out.Flush()
}
