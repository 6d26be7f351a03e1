package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// severityNames are those of --severity and --fail-on.
var severityNames = []string{wire.Note.String(), wire.Warning.String(), wire.Error.String()}

// allRules lists the rules of the carriers and of all protocols.
func allRules() []*wire.Rule {
	rules := decode.Rules()
	for _, p := range layers.All() {
		rules = append(rules, p.Rules...)
	}
	return rules
}

// selection says which findings are shown, and which make the program fail.
type selection struct {
	hidden map[*wire.Rule]bool
	failAt wire.Severity
	fails  bool // --fail-on was given
	failed bool
	kept   []wire.Finding
}

// newSelection reads --rules, --severity and --fail-on.
func newSelection(patterns, least, failOn string) (*selection, error) {
	s := &selection{hidden: make(map[*wire.Rule]bool)}
	threshold, err := severity("--severity", least)
	if err != nil {
		return nil, err
	}
	if failOn != "" {
		s.fails = true
		if s.failAt, err = severity("--fail-on", failOn); err != nil {
			return nil, err
		}
	}
	chosen, err := chooseRules(patterns)
	if err != nil {
		return nil, err
	}
	for _, r := range allRules() {
		if r.Severity < threshold || !chosen(r.ID) {
			s.hidden[r] = true
		}
	}
	return s, nil
}

func severity(flag, name string) (wire.Severity, error) {
	i := slices.Index(severityNames, name)
	if i < 0 {
		return 0, oneOf(flag, name, severityNames)
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
		if !slices.ContainsFunc(allRules(), func(r *wire.Rule) bool { return fits(strings.TrimPrefix(list[i], "-"), r.ID) }) {
			return nil, fmt.Errorf("--rules: no rule fits %q (gamedissect rules lists them)", p)
		}
	}
	return func(id string) bool {
		shown := strings.HasPrefix(list[0], "-")
		for _, p := range list {
			if name, away := strings.CutPrefix(p, "-"); fits(name, id) {
				shown = !away
			}
		}
		return shown
	}, nil
}

func fits(pattern, id string) bool {
	ok, err := path.Match(pattern, id)
	return err == nil && ok
}

// visible leaves a message the findings that are shown. They are valid until the next one.
func (s *selection) visible(m *decode.Message) {
	if len(m.Findings) == 0 {
		return
	}
	s.kept = s.kept[:0]
	for _, f := range m.Findings {
		if !s.hidden[f.Rule] {
			s.kept = append(s.kept, f)
		}
	}
	m.Findings = s.kept
}

// note remembers whether findings that are shown make the program fail.
func (s *selection) note(shown []wire.Finding) {
	for i := range shown {
		s.noteRule(shown[i].Rule)
	}
}

func (s *selection) noteRule(r *wire.Rule) { s.failed = s.failed || s.fails && r.Severity >= s.failAt }
