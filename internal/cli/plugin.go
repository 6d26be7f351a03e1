package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/cli/wireshark"
)

// newPlugin makes the command that the script in Wireshark's folder calls.
func newPlugin(std term.Streams) *cobra.Command {
	var reading session.ReadingOptions
	var found string
	c := &cobra.Command{
		Use:   "plugin",
		Short: "answer Wireshark, which calls this",
		Long: "plugin prints the script that Wireshark runs, once gamedissect wireshark --install was run, and answers the " +
			"questions of that script.",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if found != "" {
				return wireshark.AnswerQuestions(std, found, &reading)
			}
			return wireshark.WritePlugin(std.Out)
		},
	}
	c.Flags().StringVar(&found, "answer", "", "answer questions about packets on standard input: add to `FILE` what is "+
		"found in them, and write to FILE.answers where")
	reading.Flags(c)
	return c
}
