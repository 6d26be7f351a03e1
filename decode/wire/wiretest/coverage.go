package wiretest

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkCoverage checks that each message of the protocol has a sample, and that each rule has a sample that breaks it.
// without lists the exceptions. An exception that has a sample is an error.
func checkCoverage(t reporter, p *wire.Protocol, samples []*Sample, without []string) {
	seen := make(map[string]bool)
	for _, s := range samples {
		for r := read(p, p.New(), s); r.next(); {
			seen[r.name()] = true
			for _, f := range r.layer.Core().Findings() {
				seen[f.Rule.ID] = true
			}
		}
	}
	known := make(map[string]bool)
	wanted := make(map[string]string)
	for _, m := range p.Messages.All() {
		known[m.Name] = true
		wanted[m.Name] = "no sample of message %s"
	}
	for _, rule := range p.Rules {
		if rule.Title == "" || rule.Why == "" || rule.Source == "" || !strings.HasPrefix(rule.ID, p.Name+".") {
			t.Errorf("rule %q lacks its protocol's name, a title, a reason or a source", rule.ID)
		}
		if rule.Severity == wire.Error && rule.Rests >= wire.OnAbsence {
			t.Errorf("rule %q is based on %s, so it must not have severity error", rule.ID, rule.Rests)
		}
		known[rule.ID] = true
		if p.NewTracker == nil { // otherwise Talks checks the rules
			wanted[rule.ID] = "no sample breaks rule %s"
		}
	}
	excused := make(map[string]bool)
	for _, name := range without {
		excused[name] = true
		switch {
		case wanted[name] == "":
			t.Errorf("%s is listed as an exception, but there is no such message or rule", name)
		case seen[name]:
			t.Errorf("%s is listed as an exception, but there is a sample", name)
		}
	}
	for name, text := range wanted {
		if !seen[name] && !excused[name] {
			t.Errorf(text, name)
		}
	}
	for name := range seen {
		if !known[name] {
			t.Errorf("%s occurs, but is neither in Protocol.Messages nor in Protocol.Rules", name)
		}
	}
}
