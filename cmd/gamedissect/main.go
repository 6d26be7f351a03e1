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
	"os"
	"os/signal"
	"strings"
	"syscall"
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
	signal.Ignore(syscall.SIGPIPE) // whoever reads the output no more must not cost a file that is written as well
	os.Exit(execute(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// execute runs the program and gives its exit code.
func execute(args []string, std streams) int {
	root := newRoot(std)
	root.SetArgs(args)
	err := root.Execute()
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, syscall.EPIPE):
		return exitDone // whoever read the output has seen enough
	case err == errFindings || err == errExpectations:
		return exitFindings
	}
	complain(std.err, err)
	return exitTrouble
}

// complain writes a line for each of several errors. Names of files are strangers' texts, too.
func complain(w io.Writer, err error) { complainOnce(w, err, make(map[string]bool)) }

// complainOnce leaves out what was said: several parts of the program may meet one full disk.
func complainOnce(w io.Writer, err error, said map[string]bool) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			complainOnce(w, one, said)
		}
		return
	}
	if said[err.Error()] {
		return
	}
	said[err.Error()] = true
	fmt.Fprintf(w, "gamedissect: %s\n", appendPlain(nil, err.Error()))
	var marked interface{ Excerpt() string } // the text that is wrong, and where
	if errors.As(err, &marked) && marked.Excerpt() != "" {
		for line := range strings.SplitSeq(marked.Excerpt(), "\n") {
			fmt.Fprintf(w, "  %s\n", appendPlain(nil, line))
		}
	}
}
