package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// arguments returns a check of positional arguments. The check rejects misplaced captures and options, and then calls
// own, the command's own check. If own is nil, it accepts all other arguments.
func (o *InputOptions) arguments(own cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := optionAsValue(c); err != nil {
			return err
		}
		if c.HasParent() && len(o.Names) > 0 && len(args) > 0 && Exists(args[0]) && IsCapture(args[0]) {
			return furtherFile(args)
		}
		if own == nil {
			return nil
		}
		return own(c, args)
	}
}

// OptionsOnly is the check of positional arguments for a command that takes none.
func (o *InputOptions) OptionsOnly(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case !Exists(args[0]):
		return fmt.Errorf("%s: %s takes only options; give captures with -r FILE", args[0], c.CommandPath())
	case len(o.Names) > 0:
		return furtherFile(args)
	case len(args) > 1:
		return fmt.Errorf("%s: give captures with -r, and quote the pattern: -r %s", args[0], patternOf(args))
	}
	return fmt.Errorf("%s: give captures with -r: %s -r %s", args[0], c.CommandPath(), args[0])
}

// furtherFile returns the error for file names after -r FILE, which often come from a pattern that a shell expanded.
func furtherFile(args []string) error {
	return fmt.Errorf("%s: each -r takes one file; for many files, quote the pattern: -r %s", args[0], patternOf(args))
}

// patternOf guesses the pattern that a shell expanded to the names, and quotes it.
func patternOf(names []string) string {
	ending := filepath.Ext(names[0])
	if slices.ContainsFunc(names, func(name string) bool { return filepath.Ext(name) != ending }) {
		ending = ""
	}
	return term.ShellQuoted(filepath.Join(filepath.Dir(names[0]), "*"+ending))
}

// optionAsValue returns an error if an option whose value is missing took the next option as its value, as in -o -r
// FILE.
func optionAsValue(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			if isOption(c.Flags(), value) && err == nil {
				what, _ := pflag.UnquoteUsage(f)
				err = fmt.Errorf("%s needs %s, but %s is an option; for a file of this name, write ./%[3]s",
					option.FlagName(f), what, value)
			}
		}
	})
	return err
}

// MisspeltCommand returns an error if the first argument resembles a command and is not the name of a file.
func MisspeltCommand(c *cobra.Command, args []string) error {
	if c.HasParent() || len(args) == 0 || Exists(args[0]) {
		return nil
	}
	near := c.SuggestionsFor(args[0])
	if len(near) == 0 {
		return nil
	}
	return fmt.Errorf("unknown command %q, did you mean %s?", args[0], near[0])
}

// ExplainUnknownOption extends the error for an unknown option. It adds the name of the command that has the option, or
// what replaces the option.
func ExplainUnknownOption(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name, flags := unknown.GetSpecifiedName(), c.Root().Flags()
	switch {
	case name == "jobs":
		return fmt.Errorf("%w: gamedissect-beam dissects on several processors, see docs/archives.md", err)
	case c.Name() == "wireshark":
		return fmt.Errorf("%w: write options of Wireshark after FILE, or after -- if files are named with -r", err)
	case flags.Lookup(name) != nil || len(name) == 1 && flags.ShorthandLookup(name) != nil:
		return fmt.Errorf("%w: gamedissect -r FILE has this option, but %s does not", err, c.CommandPath())
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return fmt.Errorf("%w%s", err, filter.DidYouMean(filter.Nearest("--"+name, names)))
}

// isOption reports whether a text is an option of the set, such as -o or --option.
func isOption(flags *pflag.FlagSet, text string) bool {
	if name, long := strings.CutPrefix(text, "--"); long {
		return flags.Lookup(name) != nil
	}
	return len(text) == 2 && text[0] == '-' && flags.ShorthandLookup(text[1:]) != nil
}
