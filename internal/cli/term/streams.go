package term

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// The exit codes.
const (
	ExitDone     = 0
	ExitFindings = 1
	ExitTrouble  = 2
)

// Streams are the three standard ones.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Causes gives each of the errors that are joined in one; nil is none.
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

// Complain writes a line for each of several errors, once: several parts of the program may meet one full disk. Names
// of files are strangers' texts, too.
func Complain(w io.Writer, err error) {
	said := make(map[string]bool)
	for one := range Causes(err) {
		if !said[one.Error()] {
			said[one.Error()] = true
			complainOf(w, one)
		}
	}
}

func complainOf(w io.Writer, err error) {
	fmt.Fprintf(w, "gamedissect: %s\n", AppendPlain(nil, err.Error()))
	var marked interface{ Excerpt() string } // the text that is wrong, and where
	if errors.As(err, &marked) && marked.Excerpt() != "" {
		for line := range strings.SplitSeq(marked.Excerpt(), "\n") {
			fmt.Fprintf(w, "  %s\n", AppendPlain(nil, line))
		}
	}
}

// ErrNothing is the error of a command line that names no packets.
var ErrNothing = errors.New("nothing to read: give a capture file with -r FILE or an interface with -i NAME (see " +
	"gamedissect --help)")
