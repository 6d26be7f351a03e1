package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/help"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

func newProtocols(std term.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "protocols",
		Short: "list the protocols, their ports, and where documents differ",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return help.PrintProtocols(std) },
	}
}

func newFields(std term.Streams) *cobra.Command {
	all := false
	c := &cobra.Command{
		Use:   "fields [PATTERN...]",
		Short: "list the names for -Y and -e",
		Long: `fields lists everything that -Y and -e can name, with its type and the names of its values. The list
is made from the code that reads the messages, so it is complete. A name is protocol.message.field, or
protocol.field for every message that has the field; inside lists and groups the names are joined by a dot.

A PATTERN is one or more parts of a name, a shell pattern, or the beginning of a name.

A terminal gets wrapped lines. A pipe gets one line for each name, with tabs between the columns, for grep and cut.`,
		Example: `  gamedissect fields tribes.master_list_reply
  gamedissect fields killed bzflag24.shot_begin
  gamedissect fields 'bzflag24.*flag*' -V
  gamedissect fields frame ip udp
  gamedissect fields | grep duration | cut -f1`,
		ValidArgsFunction: func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			return session.CompleteNames(nil, nil, begun)
		},
		RunE: func(_ *cobra.Command, args []string) error { return help.PrintFields(std, args, all) },
	}
	c.Flags().BoolVarP(&all, "verbose", "V", false, "list all names of values")
	return c
}

func newRules(std term.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "rules [PATTERN...]",
		Short: "list the rules that findings name",
		Long: `rules lists the rules, with their evidence and with what breaks them. A PATTERN is a protocol, a rule with or
without its protocol, a shell pattern, or the beginning of a name.

A terminal gets wrapped lines. A pipe gets one line for each rule, with tabs between the columns, for grep and cut.`,
		Example:           "  gamedissect rules tribes iceball\n  gamedissect rules '*limit*'\n  gamedissect rules | cut -f1",
		ValidArgsFunction: help.CompleteRules,
		RunE:              func(_ *cobra.Command, args []string) error { return help.PrintRules(std, args) },
	}
}

func newExplain(std term.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE...",
		Short: "explain rules, with examples",
		Long: "explain says what the protocol expects, what real programs do, what to look at next and\nwhere the rule " +
			"comes " +
			"from, and shows an example. RULE may be a pattern, as for gamedissect rules.",
		Example: "  gamedissect explain bloodmasters.player-count\n  gamedissect explain shot-limit\n" +
			"  gamedissect explain 'bzflag24.*lag*'",
		ValidArgsFunction: help.CompleteRules,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name a rule, as in gamedissect explain tcp.gap (gamedissect rules lists them)")
			}
			return help.ExplainRules(std, args)
		},
	}
}
