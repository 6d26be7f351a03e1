package help

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// examples has an example for each rule, written by TestExamples: a line "== RULE", then the lines of the example.
//
//go:embed examples.txt
var examples string

// PrintRules prints the rules that match the patterns, or all rules, with severity, evidence and title.
func PrintRules(std term.Streams, patterns []string) error {
	rules, err := selectRules(patterns)
	if err != nil {
		return err
	}
	var e term.Entries
	for _, r := range rules {
		e = append(e, []string{r.ID, r.Severity.String(), r.Rests.String(), r.Title})
	}
	return e.Print(std, "rule", "severity", "rests on", "broken by")
}

// ExplainRules prints the explanation and an example of each rule that matches the patterns.
func ExplainRules(std term.Streams, patterns []string) error {
	rules, err := selectRules(patterns)
	if err != nil {
		return err
	}
	t, err := term.NewTerminal(std.Out, "never")
	if err != nil {
		return err
	}
	out := term.NewOutput(std.Out, t.Width) // cuts examples to the terminal's width
	for i, r := range rules {
		if i > 0 {
			out.Buf = append(out.Buf, '\n')
		}
		out.Buf = out.Pass(appendExplanation(out.Buf, r, term.ProseWidth(t.Width)))
	}
	return out.Flush()
}

// CompleteRules completes names of rules.
func CompleteRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for _, r := range session.AllRules() {
		ids = append(ids, r.ID)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// selectRules returns the rules that match the patterns. If there are no patterns, it returns all rules.
func selectRules(patterns []string) ([]*wire.Rule, error) {
	all := session.AllRules()
	ids := make([]string, len(all))
	byID := make(map[string]*wire.Rule, len(all))
	for i, r := range all {
		ids[i], byID[r.ID] = r.ID, r
	}
	ids, err := option.NamedBy(patterns, ids, "rule")
	var rules []*wire.Rule
	for _, id := range ids {
		rules = append(rules, byID[id])
	}
	return rules, err
}

// appendExplanation appends the explanation of a rule, wrapped to a width, and the rule's example, which it does not
// wrap.
func appendExplanation(b []byte, r *wire.Rule, width int) []byte {
	b = term.AppendParagraph(b, fmt.Sprintf("%s (%s): %s. %s", r.ID, r.Severity, r.Title, r.Rests.Sentence()), width)
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

func exampleOf(id string) string {
	_, rest, ok := strings.Cut(examples, "== "+id+"\n")
	if !ok {
		return ""
	}
	example, _, _ := strings.Cut(rest, "== ")
	return strings.TrimRight(example, "\n") + "\n"
}
