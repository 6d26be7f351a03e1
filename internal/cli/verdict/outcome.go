package verdict

import (
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/expect"
)

type outcome struct {
	capture string
	results []*expect.Result
	trouble []string // read errors
}

// newOutcome makes the outcome of a capture. err joins the capture's read errors.
func newOutcome(capture string, results []*expect.Result, err error) outcome {
	o := outcome{capture: capture, results: results}
	for one := range term.Causes(err) {
		o.trouble = append(o.trouble, one.Error())
	}
	return o
}

// suites converts the outcomes for the reports in JUnit and SARIF.
func suites(list []outcome) (all []Suite) {
	for _, o := range list {
		suite := Suite{Capture: o.capture, Trouble: o.trouble}
		for _, res := range o.results {
			one := Case{Name: res.Name, File: res.File, Line: res.Line, Skipped: res.Skipped}
			if res.Skipped == "" && !res.OK() {
				r := &verdicts{out: term.NewOutput(nil, 0)}
				r.text(o.capture, res)
				one.Cause, one.Report, one.Places = res.Cause(), string(r.out.Buf), annotations(o.capture, res)
			}
			suite.Cases = append(suite.Cases, one)
		}
		all = append(all, suite)
	}
	return all
}
