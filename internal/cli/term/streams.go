package term

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Exit codes of the program.
const (
	ExitDone     = 0
	ExitFindings = 1 // --fail-on and check: the traffic has a finding or mismatch
	ExitTrouble  = 2 // something could not be read, written or parsed
)

// Streams are the standard input, output and error of a run.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Causes yields the errors that errors.Join has joined in err. If err is not joined, it yields err itself. If err is
// nil, it yields nothing.
func Causes(err error) iter.Seq[error] {
	return func(yield func(error) bool) {
		several, ok := err.(interface{ Unwrap() []error })
		if !ok {
			if err != nil {
				yield(err)
			}
			return
		}
		for _, one := range several.Unwrap() {
			for cause := range Causes(one) {
				if !yield(cause) {
					return
				}
			}
		}
	}
}

// Complain writes each of the joined errors on a line. It writes equal errors only once, since one full disk may make
// several outputs fail.
func Complain(w io.Writer, err error) {
	written := make(map[string]bool)
	for one := range Causes(err) {
		if !written[one.Error()] {
			written[one.Error()] = true
			complainOf(w, one)
		}
	}
}

func complainOf(w io.Writer, err error) {
	fmt.Fprintf(w, "gamedissect: %s\n", format.AppendPlain(nil, err.Error()))
	var marked interface{ Excerpt() string } // quotes a text and marks the error in it
	if errors.As(err, &marked) && marked.Excerpt() != "" {
		for line := range strings.SplitSeq(marked.Excerpt(), "\n") {
			fmt.Fprintf(w, "  %s\n", format.AppendPlain(nil, line))
		}
	}
}
