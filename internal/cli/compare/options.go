// Package compare implements the diff command. It compares captures with good captures and prints the differences.
package compare

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/screen"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/verdict"
	"github.com/gamedissect/gamedissect/internal/diff"
)

// Options are the options of the diff command.
type Options struct {
	Reading  session.ReadingOptions
	Findings session.FindingOptions
	Form     string
	Color    string
	Junit    string
	Sarif    string
	Worse    []string
}

// Forms are the values of -T.
var Forms = []string{"text", "json"}

// These errors are verdicts, so they are not printed: the output already shows them.
var (
	ErrWorse        = errors.New("a capture is worse than the good ones")
	ErrIncomparable = errors.New("a capture cannot be compared with the good ones")
)

// KindNames are the values of --worse.
func KindNames() (names []string) {
	for _, k := range diff.Kinds {
		names = append(names, string(k))
	}
	return names
}

// Run compares the captures in the last argument with the good captures in the other arguments.
func (o *Options) Run(std term.Streams, args []string) error {
	if !slices.Contains(Forms, o.Form) {
		return option.OneOf("-T", o.Form, Forms)
	}
	terminal, err := term.NewTerminal(std.Out, o.Color)
	if err != nil {
		return err
	}
	judging, err := o.judging()
	if err != nil {
		return err
	}
	if _, err := o.Findings.RuleSet(); err != nil {
		return err
	}
	if _, err := o.Reading.Engine(); err != nil {
		return err
	}
	good, now, err := sides(args)
	if err != nil {
		return err
	}
	outputs := outfile.NewOutputs(std, slices.Concat(good, now)...)
	toJUnit, toSARIF := outputs.File("--junit", o.Junit), outputs.File("--sarif", o.Sarif)
	if err := outputs.Open(); err != nil {
		return err
	}
	defer outputs.Abandon()
	out := term.NewOutput(outputs, 0)
	if o.Junit == "-" || o.Sarif == "-" {
		out.W = io.Discard
	}
	list, suites, trouble := o.compare(std, good, now, judging)
	switch {
	case o.Form == "json":
		for _, c := range list { // one line per comparison
			out.Buf, err = term.AppendJSON(out.Buf, c, "")
			trouble = errors.Join(trouble, err)
		}
	case len(list) > 0:
		out.Buf = Append(out.Buf, list, terminal)
	}
	if os.Getenv("GITHUB_ACTIONS") == "true" && o.Form != "json" {
		for _, s := range suites {
			out.Buf = appendAnnotations(out.Buf, &s)
		}
	}
	trouble = errors.Join(trouble, verdict.WriteReports(toJUnit, toSARIF, suites), out.Flush(), outputs.Trouble())
	if trouble != nil {
		return trouble
	}
	return worst(list)
}

func worst(list []*diff.Comparison) error {
	has := func(v diff.Verdict) bool {
		return slices.ContainsFunc(list, func(c *diff.Comparison) bool { return c.Verdict == v })
	}
	switch {
	case has(diff.Worse):
		return ErrWorse
	case has(diff.Incomparable):
		return ErrIncomparable
	}
	return nil
}

// judging returns the kinds of differences that make a capture worse.
func (o *Options) judging() (kinds []diff.Kind, err error) {
	for _, name := range o.Worse {
		if !slices.Contains(KindNames(), name) {
			return nil, option.OneOf("--worse", name, KindNames())
		}
		kinds = append(kinds, diff.Kind(name))
	}
	return kinds, nil
}

// sides returns the good captures and the captures to compare with them.
func sides(args []string) (good, now []string, err error) {
	if len(args) < 2 {
		return nil, nil, errors.New("name a good capture and one to compare with it: gamedissect diff GOOD... NOW")
	}
	last := len(args) - 1
	if good, err = session.Expand(args[:last], session.Captures); err != nil {
		return nil, nil, err
	}
	if now, err = session.Expand(args[last:], session.Captures); err != nil {
		return nil, nil, err
	}
	return good, now, session.ReadOnce(slices.Concat(good, now))
}

// compare reads all captures. It skips captures that cannot be opened.
func (o *Options) compare(std term.Streams, goodNames, names []string, judging []diff.Kind) (list []*diff.Comparison,
	suites []verdict.Suite, trouble error) {
	stop := session.OnInterrupt()
	defer stop.Release()
	var good []*diff.Capture
	for _, name := range goodNames {
		c, err := o.read(std, stop, name)
		trouble = errors.Join(trouble, err)
		if c != nil {
			good = append(good, c)
		}
	}
	if len(good) == 0 || stop.Flag.Load() {
		return nil, nil, trouble
	}
	for _, name := range names {
		c, err := o.read(std, stop, name)
		if trouble = errors.Join(trouble, err); stop.Flag.Load() {
			return list, suites, trouble
		}
		var of *diff.Comparison
		if c != nil {
			of = diff.Compare(good, c, judging)
			list = append(list, of)
		}
		suites = append(suites, suiteOf(name, of, err, judging))
	}
	return list, suites, trouble
}

// read measures a capture. If the capture is damaged, read measures the readable part and also returns the error. If
// the capture cannot be opened, the result is nil.
func (o *Options) read(std term.Streams, stop *session.Interrupt, name string) (*diff.Capture, error) {
	s := screen.Options{Input: session.InputOptions{Names: []string{name}}, Reading: o.Reading, Findings: o.Findings}
	talks := new(diff.Talks)
	from, _, err := s.Measure(std, stop, session.Sink{Message: talks.Message})
	if from == nil {
		return nil, err
	}
	c := diff.NewCapture(name, from, talks)
	if err != nil {
		c.Damaged()
	}
	return c, err
}

// suiteOf returns the cases of a comparison for JUnit and SARIF, one per kind of difference that makes a capture worse.
func suiteOf(name string, of *diff.Comparison, err error, judging []diff.Kind) verdict.Suite {
	suite := verdict.Suite{Capture: name}
	for one := range term.Causes(err) {
		suite.Trouble = append(suite.Trouble, one.Error())
	}
	if of == nil {
		return suite
	}
	fail := func(c *verdict.Case, rule, text string) {
		if c.Cause == "" {
			c.Cause = text
		}
		c.Report += text + "\n"
		c.Places = append(c.Places, verdict.Place{Rule: rule, File: name, Text: text})
	}
	whole := verdict.Case{Name: "can be compared", File: name}
	if of.Verdict == diff.Incomparable {
		fail(&whole, "", strings.Join(of.Partial, "; "))
	}
	suite.Cases = append(suite.Cases, whole)
	for _, kind := range judging {
		one := verdict.Case{Name: "no worse " + string(kind), File: name}
		for i := range of.Differences {
			if d := &of.Differences[i]; d.Worse && d.Kind == kind {
				good, now := d.Numbers()
				fail(&one, d.Rule, term.Between(", ", d.What+": good "+good+", now "+now, d.Note))
			}
		}
		if kind == diff.Sequences && of.Parting != nil && of.Verdict == diff.Worse {
			fail(&one, "", strings.Join(of.Parting.Lines(), "; "))
		}
		if of.Verdict == diff.Incomparable && one.Cause == "" {
			one.Skipped = whole.Cause
		}
		suite.Cases = append(suite.Cases, one)
	}
	return suite
}

// appendAnnotations appends GitHub's annotations for a capture.
func appendAnnotations(b []byte, s *verdict.Suite) []byte {
	for i := range s.Cases {
		for _, at := range s.Cases[i].Places {
			b = verdict.AppendAnnotation(b, at, s.Cases[i].Name)
		}
	}
	for _, why := range s.Trouble {
		b = verdict.AppendAnnotation(b, verdict.Place{File: s.Capture, Text: why}, verdict.UnreadTitle)
	}
	return b
}
