package cli

import (
	"bytes"
	_ "embed"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/gamedissect/gamedissect/internal/cli/help"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

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
