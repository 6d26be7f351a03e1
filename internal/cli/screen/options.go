// Package screen summarizes captures on one screen, after it has read them or while packets arrive.
package screen

import (
	"errors"
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// Options are the options of the summary command.
type Options struct {
	Input    session.InputOptions
	Reading  session.ReadingOptions
	Findings session.FindingOptions
	Form     string
	Color    string
}

// Forms are the values of -T.
var Forms = []string{"text", "json"}

// Run reads the files and shows the summary. It reports whether something happened that --fail-on includes.
func (o *Options) Run(std term.Streams) (failed bool, err error) {
	if o.Form != "" && !slices.Contains(Forms, o.Form) {
		return false, option.OneOf("-T", o.Form, Forms)
	}
	terminal, err := term.NewTerminal(std.Out, o.Color)
	if err != nil {
		return false, err
	}
	given := o.Input.Names
	if o.Input.Names, err = session.Expand(o.Input.Names, session.Captures); err != nil {
		return false, err
	}
	if err := o.Input.Check(); err != nil {
		return false, err
	}
	stop := session.OnInterrupt()
	defer stop.Release()
	from, failed, err := o.Measure(std, stop)
	if from == nil {
		return false, err
	}
	from.Given = session.Briefly(given)
	out := term.NewOutput(std.Out, 0)
	if s := summary.Make(from); o.Form == "json" {
		var trouble error
		out.Buf, trouble = term.AppendJSON(out.Buf, s, "  ")
		err = errors.Join(err, trouble)
	} else {
		out.Buf = Append(out.Buf, s, terminal, time.Local)
	}
	return failed, errors.Join(err, out.Flush())
}

// Measure reads the files, counts their content, and passes it to further sinks. It reports whether something happened
// that --fail-on includes. If no file can be opened, from is nil.
func (o *Options) Measure(std term.Streams, stop *session.Interrupt, further ...session.Sink) (from *summary.Source,
	failed bool, err error) {
	r, c, err := o.newRun(std)
	if err != nil {
		return nil, false, err
	}
	for _, s := range further {
		r.Add(s)
	}
	terminal, _ := term.NewTerminal(std.Out, "never")
	err = o.Input.WithFiles(std.In, stop, func(files *session.FileSource) error {
		files.ShowProgress(std.Err, terminal, true)
		err := r.Over(&counted{FileSource: files, files: &c.files}, stop)
		from = c.source()
		return err
	})
	rules := &r.Selection.Rules
	return from, rules.Failed || rules.Failures && from != nil && summary.Failures(from) > 0, err
}

// newRun makes a run with a collector.
func (o *Options) newRun(std term.Streams) (*session.Run, *collector, error) {
	engine, err := o.Reading.Engine()
	if err != nil {
		return nil, nil, err
	}
	engine.Others = true
	var selection session.Selection
	if selection.Rules, err = o.Findings.RuleSet(); err != nil {
		return nil, nil, err
	}
	r := session.NewRun(engine, selection)
	r.Count, r.Forgotten = o.Input.Count, o.Reading.Memory.Notice(std.Err)
	c := &collector{clock: r.Clock, protocols: engine.Protocols, fileOf: make(map[string]string)}
	c.stats.Memory = o.Reading.Memory.Statistics()
	for _, name := range o.Input.Names {
		c.files.of(name)
	}
	r.Add(session.Sink{Message: c.message, Finding: c.finding, Value: c.value, Attempt: c.stats.Attempt, End: c.end})
	return r, c, nil
}
