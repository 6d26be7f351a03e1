// Package verdict implements the check and record commands. It checks captures against expectations, reports the
// verdicts as text, JSON, JUnit and SARIF, and writes expectations from captures.
package verdict

import (
	"errors"
	"io"
	"os"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/expect"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// CheckOptions are the options of the check command.
type CheckOptions struct {
	Input  session.InputOptions
	Decode session.DecodeOptions
	Form   string
	Color  string
	Junit  string
	Sarif  string
	Quiet  bool
	All    bool

	Require bool // treat a skipped expectation as a failure
}

// ErrExpectations is the error for unfulfilled expectations. The output already reports them.
var ErrExpectations = errors.New("expectations are not fulfilled")

// Forms are the values of -T for the check command.
var Forms = []string{"text", "json"}

// Run checks the captures against the expectations in args, and reports the verdicts.
func (o *CheckOptions) Run(std term.Streams, args []string) error {
	if !slices.Contains(Forms, o.Form) {
		return option.OneOf("-T", o.Form, Forms)
	}
	t, err := term.NewTerminal(std.Out, o.Color)
	if err != nil {
		return err
	}
	pairs, err := o.pairs(args, std.Err)
	if err != nil {
		return err
	}
	schema := session.NewSchema()
	loaded, err := loadAll(pairs, schema)
	if err != nil {
		return err
	}
	if _, err := session.NewFilter(schema, o.Decode.Filter); err != nil {
		return err
	}
	if err := o.Decode.Packets.Check(); err != nil {
		return err
	}
	outputs := outfile.NewOutputs(std, inputsOf(pairs)...)
	toJUnit, toSARIF := outputs.File("--junit", o.Junit), outputs.File("--sarif", o.Sarif)
	if err := outputs.Open(); err != nil {
		return err
	}
	defer outputs.Abandon()
	out := term.NewOutput(outputs, t.Width)
	if o.Junit == "-" || o.Sarif == "-" {
		out.W = io.Discard
	}
	out.Eager = true
	all := &verdicts{out: out, style: t.Style, quiet: o.Quiet, all: o.All, github: os.Getenv("GITHUB_ACTIONS") == "true"}
	trouble := o.checkAll(std, all, pairs, loaded, schema)
	trouble = errors.Join(trouble, all.end(o.Form), WriteReports(toJUnit, toSARIF, suites(all.outcomes)),
		outputs.Trouble())
	if trouble == nil && all.failed > 0 {
		return ErrExpectations
	}
	return trouble
}

// pairs matches each capture with the files of expectations for it.
func (o *CheckOptions) pairs(args []string, warn io.Writer) ([]pair, error) {
	if len(args) == 0 {
		return nil, errors.New("nothing to expect: name files of expectations, or a folder (see gamedissect check --help)")
	}
	if len(o.Input.Names) == 0 {
		return folderPairs(args, warn)
	}
	captures, err := session.Expand(o.Input.Names, session.Captures)
	if err != nil {
		return nil, err
	}
	if err := session.ReadOnce(captures); err != nil {
		return nil, err
	}
	expectations, err := session.Expand(args, yamlFiles)
	if err != nil {
		return nil, err
	}
	var list []pair
	for _, c := range captures {
		list = append(list, pair{capture: c, expectations: expectations})
	}
	return list, nil
}

// checkAll checks all captures against their expectations. Its report includes captures that cannot be read, and
// captures that an interrupt left unread.
func (o *CheckOptions) checkAll(std term.Streams, all *verdicts, pairs []pair, loaded map[string][]*expect.Expectation,
	schema *filter.Schema) (trouble error) {
	stop := session.OnInterrupt()
	defer stop.Release()
	width := all.out.Width
	if o.Form == "json" {
		width = 0
	}
	for _, p := range pairs {
		if stop.Flag.Load() {
			err := errors.New(p.capture + ": interrupted before it was read")
			trouble = errors.Join(trouble, err)
			all.add(o.Form, newOutcome(p.capture, nil, err))
			continue
		}
		var list []*expect.Expectation
		for _, name := range p.expectations {
			list = append(list, loaded[name]...)
		}
		results, err := o.checkOne(std, p.capture, list, schema, width, stop)
		if o.Require || p.sameName {
			for _, r := range results {
				r.Require()
			}
		}
		trouble = errors.Join(trouble, err)
		if all.add(o.Form, newOutcome(p.capture, results, err)); all.out.Err != nil {
			break
		}
	}
	return trouble
}

// inputsOf lists the captures and the files of expectations.
func inputsOf(pairs []pair) (names []string) {
	for _, p := range pairs {
		names = append(append(names, p.capture), p.expectations...)
	}
	return names
}

// checkOne checks one capture against its expectations. If the capture is damaged, it checks the part that can be read.
func (o *CheckOptions) checkOne(
	std term.Streams, name string, list []*expect.Expectation, schema *filter.Schema, width int,
	stop *session.Interrupt,
) (results []*expect.Result, err error) {
	engine, err := o.Decode.Engine()
	if err != nil {
		return nil, err
	}
	engine.Memory -= o.Decode.Reading.Memory.Expectations()
	selection, err := o.Decode.Selection(schema)
	if err != nil {
		return nil, err
	}
	input := o.Input
	input.Names = []string{name}
	err = input.WithFiles(std.In, stop, func(from *session.FileSource) error {
		r := session.NewRun(engine, selection)
		r.Count, r.Selection.Packets = o.Input.Count, o.Decode.Packets.Wanted(func(err error) { term.Complain(std.Err, err) })
		r.Forgotten = o.Decode.Reading.Memory.Trouble("what was checked of " + name + " may be wrong")
		check := expect.NewCheck(list, expect.Options{
			Line: newLiner(r.Clock, max(width-lineIndent, 0)), Memory: o.Decode.Reading.Memory.Expectations(),
			Protocols: engine.Protocols,
		})
		current := selection.Subjects.Current
		r.Add(session.Sink{
			Message: func(*decode.Message) { check.Message(current()) },
			Finding: func(*wire.TrafficFinding) { check.Finding(current()) },
			Value:   check.Value,
			Attempt: check.Attempt,
			Any:     check.Any,
		})
		err := r.Over(from, stop)
		results = check.Close()
		return err
	})
	return results, err
}
