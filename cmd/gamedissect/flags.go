package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gamedissect/gamedissect/layers"
)

// What the flags of several commands share.

// must is for errors that only a mistake in this program can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// onceText is the value of a flag of which a second one would make the first do nothing.
type onceText struct {
	to  *string
	set bool
}

// String implements pflag.Value.
func (t *onceText) String() string {
	if t.to == nil { // pflag asks a zero value what the default is
		return ""
	}
	return *t.to
}

// Type implements pflag.Value.
func (*onceText) Type() string { return "string" }

// Set implements pflag.Value.
func (t *onceText) Set(text string) error {
	if t.set {
		return fmt.Errorf("there is %q already; (...) && (...) is both", *t.to)
	}
	*t.to, t.set = text, true
	return nil
}

// completeWith has a shell complete the value of a flag from a list.
func completeWith(c *cobra.Command, flag string, values ...string) {
	completeBy(c, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// completing reports whether a shell asks for completions. Cobra keeps completion functions, and with them the flags
// of the whole command, until the process ends, so other runs register none.
var completing atomic.Bool

// completeBy has a function complete the value of a flag for a shell.
func completeBy(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if completing.Load() {
		must(c.RegisterFlagCompletionFunc(flag, f))
	}
}

// badValue says in plain words that the value of a flag is no number, or neither true nor false, if this is what is
// wrong.
func badValue(err error) error {
	var bad *pflag.InvalidValueError
	var number *strconv.NumError
	if !errors.As(err, &bad) || !errors.As(bad, &number) {
		return err
	}
	name := flagName(bad.GetFlag())
	switch {
	case number.Func == "ParseBool":
		return oneOf(name, bad.GetValue(), []string{"true", "false"})
	case errors.Is(number, strconv.ErrRange):
		return fmt.Errorf("%s %s: the number is too large or too small", name, bad.GetValue())
	}
	return fmt.Errorf("%s %s: that is no whole number", name, bad.GetValue())
}

// flagName is what people write for a flag: its letter, if it has one.
func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// oneOf is the error of a value that is none of those that can be chosen.
func oneOf(flag, got string, want []string) error {
	return fmt.Errorf("%s %s: choose one of %s", flag, got, strings.Join(want, ", "))
}

// protocolNames lists the names of all protocols.
func protocolNames() []string {
	var names []string
	for _, p := range layers.All() {
		names = append(names, p.Name)
	}
	return names
}
