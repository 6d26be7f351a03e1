// Command gamedissect dissects the traffic of old multiplayer games: it reads packets, finds
// the messages of Bloodmasters, Iceball, Tribes and BZFlag in them, and prints annotated trees,
// statistics, and where the traffic breaks the protocol.
//
// This room knows arguments, terminals and forms of output. What may not enter: protocols,
// and reading of files or packets.
package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitDone     = 0
	exitFindings = 1
	exitTrouble  = 2
)

// streams are the three standard ones.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	saveMemory()
	signal.Ignore(syscall.SIGPIPE) // a write fails instead, and files that are written as well go on, see outputs.Write
	os.Exit(execute(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// execute runs the program and gives its exit code.
func execute(args []string, std streams) int {
	completing.Store(len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd))
	root := newRoot(std)
	root.SetArgs(args)
	err := root.Execute()
	if err == errFindings || err == errExpectations {
		return exitFindings
	}
	var trouble []error
	code := exitDone
	for one := range causes(err) {
		if ended, ok := errors.AsType[endedError](one); ok {
			code = int(ended)
		} else if !errors.Is(one, syscall.EPIPE) { // whoever read the output has seen enough
			trouble = append(trouble, one)
		}
	}
	if len(trouble) == 0 {
		return code
	}
	complain(std.err, errors.Join(trouble...))
	return exitTrouble
}

// causes gives each of the errors that are joined in one; nil is none.
func causes(err error) iter.Seq[error] {
	return func(yield func(error) bool) {
		several, ok := err.(interface{ Unwrap() []error })
		if !ok {
			if err != nil {
				yield(err)
			}
			return
		}
		for _, one := range several.Unwrap() {
			for cause := range causes(one) {
				if !yield(cause) {
					return
				}
			}
		}
	}
}

// complain writes a line for each of several errors, once: several parts of the program may meet one full disk. Names
// of files are strangers' texts, too.
func complain(w io.Writer, err error) {
	said := make(map[string]bool)
	for one := range causes(err) {
		if !said[one.Error()] {
			said[one.Error()] = true
			complainOf(w, one)
		}
	}
}

func complainOf(w io.Writer, err error) {
	fmt.Fprintf(w, "gamedissect: %s\n", appendPlain(nil, err.Error()))
	var marked interface{ Excerpt() string } // the text that is wrong, and where
	if errors.As(err, &marked) && marked.Excerpt() != "" {
		for line := range strings.SplitSeq(marked.Excerpt(), "\n") {
			fmt.Fprintf(w, "  %s\n", appendPlain(nil, line))
		}
	}
}
