package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
)

// SeverityNames are the values of --severity and --fail-on, lowest first.
var SeverityNames = []string{wire.Note.String(), wire.Warning.String(), wire.Error.String()}

// failure is the value of --fail-on that is not a severity.
const failure = "failure"

// FindingOptions select findings, and decide which of them make the program fail.
type FindingOptions struct {
	rules    string
	Severity string
	failOn   string
}

// Flags adds the flags of the options.
func (o *FindingOptions) Flags(c *cobra.Command) {
	o.SelectFlags(c)
	c.Flags().StringVar(&o.failOn, "fail-on", "", "exit with 1 on `WHAT`. failure: an attempt to join, to be listed "+
		"or to get an answer failed. note, warning or error: a finding has this severity or a higher one. "+
		"failure,warning: either")
	option.CompleteWith(c, "fail-on", append([]string{failure}, SeverityNames...)...)
}

// SelectFlags adds the flags that select findings.
func (o *FindingOptions) SelectFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.rules, "rules", "", "show only findings of `RULES`, a list of patterns: "+
		"'tribes.*,-tribes.underfilled'")
	f.StringVar(&o.Severity, "severity", wire.Note.String(),
		"show only findings of this `SEVERITY` or above: note, warning or error")
	option.CompleteWith(c, "severity", SeverityNames...)
}

// AllRules returns the rules of the engine and of all protocols.
func AllRules() []*wire.Rule {
	rules := decode.Rules()
	for _, p := range option.Protocols() {
		rules = append(rules, p.Rules...)
	}
	return rules
}

// A RuleSet selects findings by their rules. The zero value selects all.
type RuleSet struct {
	hidden   map[*wire.Rule]bool
	Failures bool // --fail-on includes failures
	failAt   wire.Severity
	fails    bool           // --fail-on includes a severity
	Failed   bool           // a finding of severity failAt or above was passed to the sinks
	kept     []wire.Finding // reused by visible
}

// RuleSet checks the options and returns the rules that they select.
func (o *FindingOptions) RuleSet() (s RuleSet, err error) {
	s.hidden = make(map[*wire.Rule]bool)
	threshold, err := parseSeverity("--severity", o.Severity)
	if err != nil {
		return s, err
	}
	if err := s.failOn(o.failOn, threshold); err != nil {
		return s, err
	}
	chosen, err := chooseRules(o.rules)
	if err != nil {
		return s, err
	}
	for _, r := range AllRules() {
		if r.Severity < threshold || !chosen(r.ID) {
			s.hidden[r] = true
		}
	}
	return s, nil
}

// failOn parses the value of --fail-on: "failure", a severity, or both. The severity must not be below threshold, since
// findings below threshold are not shown.
func (s *RuleSet) failOn(list string, threshold wire.Severity) error {
	if list == "" {
		return nil
	}
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name == failure {
			s.Failures = true
			continue
		}
		if !slices.Contains(SeverityNames, name) {
			return option.OneOf("--fail-on", name, append([]string{failure}, SeverityNames...))
		}
		if s.fails {
			return fmt.Errorf("--fail-on %s: name only one severity; it includes those above it", list)
		}
		s.fails, s.failAt = true, wire.Severity(slices.Index(SeverityNames, name))
		if s.failAt < threshold {
			return fmt.Errorf("--fail-on %s: --severity %s hides these findings, and hidden findings do not count", name,
				threshold)
		}
	}
	return nil
}

func parseSeverity(flag, name string) (wire.Severity, error) {
	i := slices.Index(SeverityNames, name)
	if i < 0 {
		return 0, option.OneOf(flag, name, SeverityNames)
	}
	return wire.Severity(i), nil
}

// chooseRules parses patterns such as "tribes.*,-tribes.underfilled". The last pattern that matches a rule decides. A
// rule that matches no pattern is selected if the first pattern begins with a minus.
func chooseRules(patterns string) (func(id string) bool, error) {
	if patterns == "" {
		return func(string) bool { return true }, nil
	}
	list := strings.Split(patterns, ",")
	for i, p := range list {
		list[i] = strings.TrimSpace(p)
		fits := func(r *wire.Rule) bool { return option.Fits(strings.TrimPrefix(list[i], "-"), r.ID) }
		if !slices.ContainsFunc(AllRules(), fits) {
			return nil, fmt.Errorf("--rules: no rule matches %q (gamedissect rules lists them)", p)
		}
	}
	return func(id string) bool {
		shown := strings.HasPrefix(list[0], "-")
		for _, p := range list {
			if name, away := strings.CutPrefix(p, "-"); option.Fits(name, id) {
				shown = !away
			}
		}
		return shown
	}, nil
}

// visible returns the selected findings. The result is valid until the next call.
func (s *RuleSet) visible(all []wire.Finding) []wire.Finding {
	if len(all) == 0 || len(s.hidden) == 0 {
		return all
	}
	s.kept = s.kept[:0]
	for _, f := range all {
		if !s.hidden[f.Rule] {
			s.kept = append(s.kept, f)
		}
	}
	return s.kept
}

// note sets Failed if one of the findings makes the program fail.
func (s *RuleSet) note(shown []wire.Finding) {
	for i := range shown {
		s.noteRule(shown[i].Rule)
	}
}

func (s *RuleSet) noteRule(r *wire.Rule) { s.Failed = s.Failed || s.fails && r.Severity >= s.failAt }
