package verdict

import (
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/expect"
)

// outcome has the results of one capture.
type outcome struct {
	capture string
	results []*expect.Result
	trouble []string // read errors
}

// newOutcome makes the outcome of a capture. err joins its read errors.
func newOutcome(capture string, results []*expect.Result, err error) outcome {
	o := outcome{capture: capture, results: results}
	for one := range term.Causes(err) {
		o.trouble = append(o.trouble, one.Error())
	}
	return o
}
