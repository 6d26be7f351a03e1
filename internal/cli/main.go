// Package cli is the command line: a file a command, with its flags and the wiring of the rooms below, which do the work.
package cli

import (
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/verdict"
	"github.com/gamedissect/gamedissect/internal/cli/wireshark"
)

// Main runs the program, which knows the given protocols, with the arguments of the process, and ends the process with its
// exit code.
func Main(protocols []*wire.Protocol) {
	known.Set(protocols)
	session.SaveMemory()
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe then fails with EPIPE, and other outputs go on
	os.Exit(execute(os.Args[1:], term.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// execute runs the program and gives its exit code.
func execute(args []string, std term.Streams) int {
	option.Completing.Store(len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd))
	root := newRoot(std)
	root.SetArgs(args)
	err := root.Execute()
	if err == errFindings || err == verdict.ErrExpectations {
		return term.ExitFindings
	}
	var trouble []error
	code := term.ExitDone
	for one := range term.Causes(err) {
		if ended, ok := errors.AsType[wireshark.EndedError](one); ok {
			code = int(ended)
		} else if !errors.Is(one, syscall.EPIPE) { // whoever read the output has seen enough
			trouble = append(trouble, one)
		}
	}
	if len(trouble) == 0 {
		return code
	}
	term.Complain(std.Err, errors.Join(trouble...))
	return term.ExitTrouble
}
