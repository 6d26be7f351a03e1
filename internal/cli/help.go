package cli

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

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

// newMan makes the command that prints the manual page.
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
				return fmt.Errorf("no manual page of a command %q", rest[0])
			}
			page.DisableAutoGenTag = true
			var b bytes.Buffer
			header := &doc.GenManHeader{Section: "1", Source: "gamedissect", Manual: "User Commands"}
			if err := doc.GenMan(page, header, &b); err != nil {
				return err
			}
			_, err = std.Out.Write(help.WithSections(b.Bytes(), page.HasParent()))
			return err
		},
	}
}

// of texts, as man(1) has it
