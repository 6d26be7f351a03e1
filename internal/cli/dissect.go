package cli

import (
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/live"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/screen"
	"github.com/gamedissect/gamedissect/internal/cli/serve"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// A dissection is one run of gamedissect without a subcommand, with its outputs.
type dissection struct {
	*dissectOptions
	std      term.Streams
	terminal term.Terminal
	out      *term.Output
	run      *session.Run
	totals   *tally.Totals
	textless bool
	attempts *summary.Tally // nil: --fail-on does not include failures
	drops    func(int64)    // called with the number of packets that the kernel dropped

	outputs  *outfile.Outputs
	written  *outfile.File // output file of -w
	profiled *outfile.File
}

// errFindings is the error of --fail-on. It needs no text, since the output already shows the findings.
var errFindings = errors.New("there are findings")

// Counting failures may take 1/tallyPart of the memory of the statistics.
const tallyPart = 4

// run dissects packets. The function "only" selects messages and findings by their places; nil selects all. If
// "instead" has sinks, they replace messages and totals on standard output.
func (o *dissectOptions) run(outputs *outfile.Outputs, only func(*wire.Place) bool,
	instead ...session.Sink) (err error) {
	std := outputs.Std
	defer outputs.Abandon()
	if slices.Contains(o.statistics.Tables, "help") {
		t, err := term.NewTerminal(std.Out, "never")
		option.Must(err)
		_, err = io.WriteString(std.Out, tally.StatisticsHelp(o.statistics.Protocols, term.ProseWidth(t.Width)))
		return err
	}
	if o.live.List {
		return live.ListInterfaces(std, &o.text)
	}
	d, err := o.prepare(outputs, only, instead...)
	if err != nil {
		return err
	}
	if o.live.Given() {
		return joined(d.capture(), outputs.Trouble())
	}
	return joined(d.read(), outputs.Trouble())
}

// prepare checks the options and makes everything that does not depend on the source of the packets.
func (o *dissectOptions) prepare(outputs *outfile.Outputs, only func(*wire.Place) bool,
	instead ...session.Sink) (*dissection, error) {
	o.text.Quiet = o.text.Quiet || len(instead) > 0
	if err := o.check(); err != nil {
		return nil, err
	}
	std := outputs.Std
	d := &dissection{
		dissectOptions: o, std: std, outputs: outputs, textless: o.text.Form == "none", drops: func(int64) {},
	}
	var err error
	if d.terminal, err = term.NewTerminal(std.Out, o.color); err != nil {
		return nil, err
	}
	rules, err := o.findings.RuleSet()
	if err != nil {
		return nil, err
	}
	engine, err := o.decode.Engine()
	if err != nil {
		return nil, err
	}
	var schema *filter.Schema
	if o.text.Columns() || o.statistics.Measures() {
		schema = session.NewSchema()
	}
	selection, err := o.decode.Selection(schema)
	if err != nil {
		return nil, err
	}
	selection.Only, selection.Rules = only, rules
	if o.text.Tables != "text" {
		d.terminal.Width = 0 // JSON and CSV are never cut
	}
	d.out = term.NewOutput(outputs, d.terminal.Width)
	d.out.Eager = d.terminal.Is || o.text.Eager
	needs := o.statistics.Needs()
	if engine.Others = needs.Others; !needs.Rows && !needs.Values && !rules.Failures {
		engine.Memory = o.decode.Reading.Memory.Alone()
	}
	d.run = session.NewRun(engine, selection)
	d.run.Clock.Form, d.run.Count = o.text.Times, o.input.Count
	if err := d.addTotals(len(instead) > 0, schema); err != nil {
		return nil, err
	}
	if rules.Failures {
		room := d.totals.Stats.Memory / tallyPart
		d.totals.Stats.Memory -= room
		d.attempts = summary.NewTally(engine.Protocols, room)
		d.run.Add(session.Sink{Attempt: d.attempts.Attempt, Any: d.attempts.Value})
	}
	d.nameOutputs()
	for _, s := range instead {
		d.run.Add(s)
	}
	return d, o.text.Add(d.run, d.out, schema, slices.Concat(o.input.Names, o.live.Names), d.terminal)
}

func (d *dissection) nameOutputs() {
	d.written = d.write.Output(d.outputs, d.watched())
	d.totals.File = d.outputs.File("--stats", d.statistics.File)
	d.profiled = d.outputs.File("--cpuprofile", d.profile)
}

// watched reports whether another program may read the output file of -w while packets arrive.
func (o *dissectOptions) watched() bool {
	return o.live.Given() || o.text.Eager || slices.ContainsFunc(o.input.Names, func(name string) bool {
		info, err := os.Stat(name)
		return name == "-" || err == nil && !info.Mode().IsRegular()
	})
}

// begin opens the output files and starts the metrics server.
func (d *dissection) begin() (end func() error, err error) {
	if err := d.outputs.Open(); err != nil {
		return nil, err
	}
	unserve, err := d.serve()
	if err != nil {
		return nil, err
	}
	stop, err := outfile.StartProfile(d.profiled)
	if err != nil {
		unserve()
		return nil, err
	}
	return func() error {
		unserve()
		return stop()
	}, nil
}

// serve starts the metrics server if --metrics is given.
func (d *dissection) serve() (end func(), err error) {
	if d.listen == "" {
		return func() {}, nil
	}
	m := serve.NewMetrics(d.run.Options.Protocols)
	m.Engine = func() serve.Forgetful { return d.run.Engine }
	server, err := m.Serve(d.listen, d.std.Err)
	if err != nil {
		return nil, err
	}
	d.run.Add(m.Sink())
	d.drops = m.Drops
	return server.Close, nil
}

// pager returns the pager for messages. It returns nil if only totals are printed, if the output is for programs, or if
// the output must show each packet at once.
func (d *dissection) pager() *term.Pager {
	if d.unpaged || d.text.Eager || d.textless || d.text.ForPrograms() || slices.Contains(d.input.Names, "-") {
		return nil
	}
	return term.NewPager(d.std.Out)
}

func (d *dissection) read() (err error) {
	end, err := d.begin()
	if err != nil {
		return err
	}
	defer func() { err = joined(err, end()) }()
	if pager := d.pager(); pager != nil {
		defer pager.Close()
		d.outputs.Std.Out, d.out.Eager = pager, false
	}
	stop := session.OnInterrupt()
	defer stop.Release()
	var unfiltered error // error for packets that the capture filter cannot test
	d.run.Selection.Packets = d.decode.Packets.Wanted(func(err error) { unfiltered = errors.Join(unfiltered, err) })
	d.run.Until = session.Autostop{At: d.write.Until}
	if err := d.findOthers(stop); err != nil {
		return err
	}
	opened := false
	err = d.input.WithFiles(d.std.In, stop, func(from *session.FileSource) error {
		opened = true
		if d.write.Name != "" {
			s, err := d.write.NewSaver(d.written, d.text.Eager, d.decode.All())
			if err != nil {
				return err
			}
			d.run.Add(s.Sink())
			d.run.Until.Written = s.Written
		}
		from.ShowProgress(d.std.Err, d.terminal, d.textless)
		return errors.Join(d.run.Over(from, stop), d.out.Flush())
	})
	if !opened {
		d.text.Nothing(d.out)
		err = joined(err, d.out.Flush())
	}
	return d.verdict(joined(err, unfiltered))
}

// findOthers finds the packets that belong to no game, if they are selected.
func (d *dissection) findOthers(stop *session.Interrupt) (err error) {
	switch {
	case !d.run.Selection.Subjects.ReadsOthers():
		return nil
	case d.decode.Mask:
		return errors.New("-Y other shows bytes of unknown meaning, in which --mask-secrets cannot find secrets")
	}
	d.run.Others, err = session.FindOthers(&d.input, d.run.Options, d.run.Selection.Packets, d.std, stop)
	return err
}

func (d *dissection) capture() error {
	if d.run.Selection.Subjects.ReadsOthers() {
		return session.ErrOthersTwice
	}
	from, err := d.live.Open(d.decode.Packets.Live(d.run.Options.DecodeAs), d.std.Err)
	if err != nil {
		return err
	}
	defer from.Close()
	return live.WithoutRights(d.watch(from))
}

func (d *dissection) watch(from *capture.Lives) (err error) {
	end, err := d.begin() // must come after Open, which may restart the program
	if err != nil {
		return err
	}
	defer func() { err = joined(err, end()) }()
	begun := time.Now()
	d.run.Until = session.Autostop{At: d.write.Until, Begun: begun}
	saver, err := d.saveLive(from, begun)
	if err != nil {
		return err
	}
	stop := session.OnInterrupt()
	defer stop.Release()
	asked, release := session.OnStatisticsSignal()
	defer release()
	l := &live.Source{
		From: from, Run: d.run, Totals: d.totals, Out: d.out, Err: d.std.Err, Asked: asked, Drops: d.drops, Saver: saver,
		Shows: d.live.Display(d.std, d.terminal, d.textless, d.text.Quiet,
			func() *screen.Live { return screen.NewLive(d.totals, d.run) }, stop),
	}
	defer l.Shows.End() // deferred, to run after a panic too
	err = d.verdict(errors.Join(d.run.Over(l, stop), d.out.Flush()))
	if d.live.Silent {
		return err
	}
	return joined(err, l.KernelCounts())
}

// saveLive returns a sink for -w that saves live packets, if -w is given.
func (d *dissection) saveLive(from *capture.Lives, begun time.Time) (*live.InterfaceSaver, error) {
	if d.write.Name == "" {
		return nil, nil //nolint:nilnil // no -w, no saver
	}
	s, err := d.write.NewSaver(d.written, d.text.Eager, d.decode.All())
	if err != nil {
		return nil, err
	}
	to := live.NewInterfaceSaver(s, from, d.decode.Packets.Filter, begun)
	d.run.Add(to.Sink())
	d.run.Until.Written = to.Written
	return to, nil
}

// joined joins two errors. If further is nil, it returns err unchanged, because execute compares it with errFindings.
func joined(err, further error) error {
	if further == nil {
		return err
	}
	return errors.Join(err, further)
}

// verdict returns err. If err is nil, it returns errFindings if something happened that --fail-on includes.
func (d *dissection) verdict(err error) error {
	if err == nil && (d.run.Selection.Rules.Failed || d.attempts != nil && d.attempts.Failures() > 0) {
		return errFindings
	}
	return err
}
