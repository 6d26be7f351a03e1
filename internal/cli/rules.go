package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// examples has for each rule a case of it, made by the tests from their data: "== RULE", then lines.
//
//go:embed examples.txt
var examples string

// newRules makes the command that lists the rules.
func newRules(std term.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "rules [PATTERN...]",
		Short: "list the rules that findings name",
		Long: `rules lists the rules with what breaks them. A PATTERN is a protocol, a rule with or without its protocol, a
pattern as shells have them, or what names begin with.

On a terminal long lines go on below. A pipe gets a line a rule, with tabs between the columns, for grep and cut.`,
		Example:           "  gamedissect rules tribes iceball\n  gamedissect rules '*limit*'\n  gamedissect rules | cut -f1",
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			rules, err := rulesNamed(args)
			if err != nil {
				return err
			}
			var e table.Entries
			for _, r := range rules {
				e = append(e, []string{r.ID, r.Severity.String(), r.Title})
			}
			return e.Print(std, "rule", "severity", "broken by")
		},
	}
}

// newExplain makes the command that explains rules.
func newExplain(std term.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE...",
		Short: "tell what a rule is about, with an example",
		Long: "explain tells what was expected where a rule is broken, what real programs do, what to look at " +
			"next,\nand where the rule comes from, and shows a case of it. Rules are named as in gamedissect rules, by " +
			"patterns, too.",
		Example: "  gamedissect explain bloodmasters.player-count\n  gamedissect explain shot-limit\n" +
			"  gamedissect explain 'bzflag24.*lag*'",
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name a rule, as in gamedissect explain tcp.gap (gamedissect rules lists them)")
			}
			rules, err := rulesNamed(args)
			if err != nil {
				return err
			}
			t, err := term.NewTerminal(std.Out, "never")
			if err != nil {
				return err
			}
			out := term.NewOutput(std.Out, t.Width) // examples are cut
			for i, r := range rules {
				if i > 0 {
					out.Buf = append(out.Buf, '\n')
				}
				out.Buf = out.Pass(appendExplanation(out.Buf, r, term.ProseWidth(t.Width)))
			}
			return out.Flush()
		},
	}
}

// rulesNamed gives the rules that words are about; all without a word.
func rulesNamed(words []string) ([]*wire.Rule, error) {
	all := session.AllRules()
	ids := make([]string, len(all))
	byID := make(map[string]*wire.Rule, len(all))
	for i, r := range all {
		ids[i], byID[r.ID] = r.ID, r
	}
	ids, err := option.NamedBy(words, ids, "rule")
	var rules []*wire.Rule
	for _, id := range ids {
		rules = append(rules, byID[id])
	}
	return rules, err
}

func completeRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for _, r := range session.AllRules() {
		ids = append(ids, r.ID)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// appendExplanation writes what is known of a rule, in lines of a width but for the example.
func appendExplanation(b []byte, r *wire.Rule, width int) []byte {
	b = term.AppendParagraph(b, fmt.Sprintf("%s (%s): %s", r.ID, r.Severity, r.Title), width)
	b = append(b, '\n')
	b = term.AppendParagraph(b, r.Why, width)
	b = append(b, '\n')
	b = term.AppendParagraph(b, "Source: "+r.Source, width)
	if example := exampleOf(r.ID); example != "" {
		b = append(b, "\nFor example:\n\n"...)
		b = append(b, example...)
	}
	return b
}

// exampleOf gives a case of a rule, "" if there is none.
func exampleOf(id string) string {
	_, rest, ok := strings.Cut(examples, "== "+id+"\n")
	if !ok {
		return ""
	}
	example, _, _ := strings.Cut(rest, "== ")
	return strings.TrimRight(example, "\n") + "\n"
}
