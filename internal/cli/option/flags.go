// Package option contains what commands share for their flags: common values, completion, errors, selection of names by
// patterns, and the list of protocols.
package option

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Must panics if err is not nil. It is for errors that only a bug in this program can cause.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}

// OnceText is the value of a flag that may be given only once. Otherwise a second value would silently replace the
// first.
type OnceText struct {
	To  *string
	set bool
}

func (t *OnceText) String() string {
	if t.To == nil { // pflag gets the default from a zero value
		return ""
	}
	return *t.To
}

func (*OnceText) Type() string { return "string" }

func (t *OnceText) Set(text string) error {
	if t.set {
		return fmt.Errorf("%q was given before; to use both, write (...) && (...)", *t.To)
	}
	*t.To, t.set = text, true
	return nil
}

// CompleteWith makes shells complete the value of a flag from a list.
func CompleteWith(c *cobra.Command, flag string, values ...string) {
	CompleteBy(c, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// Completing reports whether a shell requests completions. Only then does a run register completion functions, because
// Cobra keeps them, and with them the flags of the whole command, until the process ends.
var Completing atomic.Bool

// CompleteBy makes shells complete the value of a flag with a function.
func CompleteBy(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if Completing.Load() {
		Must(c.RegisterFlagCompletionFunc(flag, f))
	}
}

// BadValue rewords pflag's error for a value that is not a number or boolean. It returns other errors unchanged.
func BadValue(err error) error {
	var bad *pflag.InvalidValueError
	var number *strconv.NumError
	if !errors.As(err, &bad) || !errors.As(bad, &number) {
		return err
	}
	name := FlagName(bad.GetFlag())
	switch {
	case number.Func == "ParseBool":
		return OneOf(name, bad.GetValue(), []string{"true", "false"})
	case errors.Is(number, strconv.ErrRange):
		return fmt.Errorf("%s %s: the number is too large or too small", name, bad.GetValue())
	}
	return fmt.Errorf("%s %s: this is not a whole number", name, bad.GetValue())
}

// FlagName returns a flag as users write it, with its letter if it has one.
func FlagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// OneOf returns the error for a value that is not in the list want.
func OneOf(flag, got string, want []string) error {
	return fmt.Errorf("%s %s: choose one of %s", flag, got, strings.Join(want, ", "))
}
