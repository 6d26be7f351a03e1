package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/help"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// newHelp makes the command that shows the help of commands and the pages of the documentation.
func newHelp(std term.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "show the help of a command, or a page of the documentation",
		Long: `help shows what a command is for and the options it takes, or a page of the documentation, each of
which answers a question. Without a word it lists both.`,
		Example:           "  gamedissect help check\n  gamedissect help not-listed\n  gamedissect help tribes | less",
		ValidArgsFunction: help.CompleteHelp,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return help.ListTopics(c, std)
			}
			about, rest, err := c.Root().Find(args)
			isCommand := err == nil && len(rest) == 0
			page := help.PageNamed(strings.Join(args, "-"))
			if isCommand {
				about.InitDefaultHelpFlag()
				about.InitDefaultVersionFlag()
				if err := about.Help(); err != nil || page == nil {
					return err
				}
				return help.ShowPage(std, "\n", page) // --help is the options alone
			}
			if page == nil {
				return help.NoHelp(c.Root(), args)
			}
			return help.ShowPage(std, "", page)
		},
	}
}
