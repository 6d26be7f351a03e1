package main

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// examples has for each rule a case of it, made by the tests from their data: "== RULE", then lines.
//
//go:embed examples.txt
var examples string

// newRules makes the command that lists the rules.
func newRules(std streams) *cobra.Command {
	return &cobra.Command{
		Use:               "rules [PREFIX]",
		Short:             "list the rules that findings name",
		Example:           "  gamedissect rules tribes.",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			prefix := strings.Join(args, "")
			t := table{heading: []string{"rule", "severity", "broken by"}}
			for _, r := range allRules() {
				if strings.HasPrefix(r.ID, prefix) {
					t.rows = append(t.rows, []string{r.ID, r.Severity.String(), r.Title})
				}
			}
			if len(t.rows) == 0 {
				return fmt.Errorf("no rule begins with %q (gamedissect rules lists them all)", prefix)
			}
			out := newOutput(std.out, 0)
			out.buf = t.append(out.buf)
			return out.flush()
		},
	}
}

// newExplain makes the command that explains a rule.
func newExplain(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE...",
		Short: "tell what a rule is about, with an example",
		Long: "explain tells what was expected where a rule is broken, what real programs do, what to look at " +
			"next,\nand where the rule comes from, and shows a case of it.",
		Example:           "  gamedissect explain bloodmasters.player-count\n  gamedissect explain shot-limit",
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name a rule, as in gamedissect explain tcp.gap (gamedissect rules lists them)")
			}
			out := newOutput(std.out, 0)
			for i, name := range args {
				rules := rulesNamed(name)
				if len(rules) == 0 {
					return errors.Join(fmt.Errorf("there is no rule %q (gamedissect rules lists them)", name), out.flush())
				}
				for j, r := range rules {
					if i+j > 0 {
						out.buf = append(out.buf, '\n')
					}
					out.buf = appendExplanation(out.buf, r)
				}
			}
			return out.flush()
		},
	}
}

// rulesNamed gives the rule with a name, or those of all protocols that have it behind their own. If there is none it
// gives those whose names begin so: all of a protocol.
func rulesNamed(name string) []*wire.Rule {
	var found, begin []*wire.Rule
	for _, r := range allRules() {
		if r.ID == name || strings.HasSuffix(r.ID, "."+name) {
			found = append(found, r)
		} else if name != "" && strings.HasPrefix(r.ID, name) {
			begin = append(begin, r)
		}
	}
	if found == nil {
		return begin
	}
	return found
}

func completeRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for _, r := range allRules() {
		ids = append(ids, r.ID)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func appendExplanation(b []byte, r *wire.Rule) []byte {
	b = appendWrapped(b, fmt.Sprintf("%s (%s): %s", r.ID, r.Severity, r.Title))
	b = append(b, '\n')
	b = appendWrapped(b, r.Why)
	b = append(b, '\n')
	b = appendWrapped(b, "Source: "+r.Source)
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

// appendWrapped breaks a text into lines.
func appendWrapped(b []byte, text string) []byte {
	const width = 100
	at := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case at > 0 && at+1+len(word) > width:
			b = append(b, '\n')
			at = 0
		case at > 0:
			b = append(b, ' ')
			at++
		}
		b = append(b, word...)
		at += len(word)
	}
	return append(b, '\n')
}
