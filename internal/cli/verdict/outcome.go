package verdict

import (
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/expect"
)

// outcome is how a capture stands to the expectations.
type outcome struct {
	capture string
	results []*expect.Result // of what could be read
	trouble []string         // what could not, and why
}

// newOutcome makes the outcome of a capture. err tells what could not be read, in one error or several.
func newOutcome(capture string, results []*expect.Result, err error) outcome {
	o := outcome{capture: capture, results: results}
	for one := range term.Causes(err) {
		o.trouble = append(o.trouble, one.Error())
	}
	return o
}
