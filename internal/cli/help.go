package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/help"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// newHelp makes the command that shows the help of commands and the documentation pages.
func newHelp(std term.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "show the help of a command, or a page of the documentation",
		Long: `help shows the help of a command, or a page of the documentation, each of which answers a question.
Without an argument it lists both.`,
		Example:           "  gamedissect help check\n  gamedissect help not-listed\n  gamedissect help tribes | less",
		ValidArgsFunction: help.Complete,
		RunE:              func(c *cobra.Command, args []string) error { return help.Show(c, args, std) },
	}
}

func newMan(std term.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "print the manual page",
		Example: "  gamedissect man | man -l -\n  gamedissect man check | man -l -\n" +
			"  gamedissect man > /usr/local/share/man/man1/gamedissect.1",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			page, rest, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return fmt.Errorf("there is no command %q, so it has no manual page", rest[0])
			}
			return help.WriteManual(std.Out, page)
		},
	}
}
