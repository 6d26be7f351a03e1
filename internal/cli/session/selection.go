package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/option"
)

// SeverityNames are those of --severity and --fail-on, in their order.
var SeverityNames = []string{wire.Note.String(), wire.Warning.String(), wire.Error.String()}

// FindingOptions say which findings are shown, and which make the program fail.
type FindingOptions struct {
	rules    string
	Severity string
	failOn   string
}

func (o *FindingOptions) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.rules, "rules", "", "show only findings of the `RULES` that patterns name: "+
		"'tribes.*,-tribes.underfilled'")
	f.StringVar(&o.Severity, "severity", wire.Note.String(),
		"show only findings of this `SEVERITY` or above: note, warning or error")
	f.StringVar(&o.failOn, "fail-on", "", "exit with 1 if a finding of this `SEVERITY` or above is shown")
	option.CompleteWith(c, "severity", SeverityNames...)
	option.CompleteWith(c, "fail-on", SeverityNames...)
}

// AllRules lists the rules of the carriers and of all protocols.
func AllRules() []*wire.Rule {
	rules := decode.Rules()
	for _, p := range known.Protocols() {
		rules = append(rules, p.Rules...)
	}
	return rules
}

// RuleSet applies findingOptions. The zero RuleSet shows all.
type RuleSet struct {
	hidden map[*wire.Rule]bool
	failAt wire.Severity
	fails  bool // --fail-on was given
	Failed bool
	kept   []wire.Finding
}

// Selection reads the options.
func (o *FindingOptions) RuleSet() (*RuleSet, error) {
	s := &RuleSet{hidden: make(map[*wire.Rule]bool)}
	threshold, err := parseSeverity("--severity", o.Severity)
	if err != nil {
		return nil, err
	}
	if o.failOn != "" {
		s.fails = true
		if s.failAt, err = parseSeverity("--fail-on", o.failOn); err != nil {
			return nil, err
		}
		if s.failAt < threshold {
			return nil, fmt.Errorf("--fail-on %s: --severity %s shows no finding of it; only what is shown counts", o.failOn,
				o.Severity)
		}
	}
	chosen, err := chooseRules(o.rules)
	if err != nil {
		return nil, err
	}
	for _, r := range AllRules() {
		if r.Severity < threshold || !chosen(r.ID) {
			s.hidden[r] = true
		}
	}
	return s, nil
}

func parseSeverity(flag, name string) (wire.Severity, error) {
	i := slices.Index(SeverityNames, name)
	if i < 0 {
		return 0, option.OneOf(flag, name, SeverityNames)
	}
	return wire.Severity(i), nil
}

// chooseRules reads "tribes.*,-tribes.underfilled": what is named, or everything if the first is
// taken away. The last that fits decides.
func chooseRules(patterns string) (func(id string) bool, error) {
	if patterns == "" {
		return func(string) bool { return true }, nil
	}
	list := strings.Split(patterns, ",")
	for i, p := range list {
		list[i] = strings.TrimSpace(p)
		if !slices.ContainsFunc(AllRules(), func(r *wire.Rule) bool { return option.Fits(strings.TrimPrefix(list[i], "-"), r.ID) }) {
			return nil, fmt.Errorf("--rules: no rule fits %q (gamedissect rules lists them)", p)
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

// visible gives those of the findings that are shown, valid until the next call.
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

// note remembers whether findings that are shown make the program fail.
func (s *RuleSet) note(shown []wire.Finding) {
	for i := range shown {
		s.noteRule(shown[i].Rule)
	}
}

func (s *RuleSet) noteRule(r *wire.Rule) { s.Failed = s.Failed || s.fails && r.Severity >= s.failAt }
