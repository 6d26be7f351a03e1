package view

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/filter"
)

type findingsRequest struct {
	Filter string `json:"filter"`
	MS     *int   `json:"ms"`
}

// Broken is a rule that has findings.
type Broken struct {
	RuleText
	Protocol string `json:"protocol,omitempty"`
	Count    int    `json:"count"`
	Example  string `json:"example"`
	Rows     []int  `json:"rows"`
	By       []By   `json:"by"`
	ByLeft   int    `json:"by_left,omitempty"`
	Filter   string `json:"filter"`
	severity wire.Severity
}

// By is a program that broke a rule.
type By struct {
	Who     string `json:"who"`
	Count   int    `json:"count"`
	Row     int    `json:"row"`
	Example string `json:"example"`
}

type findingsAnswer struct {
	Done  bool      `json:"done"`
	Rules []*Broken `json:"rules"`
}

const (
	maxRulesRows = 100
	maxBy        = 20
)

func listFindings(f *filters, q *findingsRequest) (*findingsAnswer, error) {
	j, err := f.advanced(q.Filter, newLimit(q.MS))
	if err != nil {
		return nil, err
	}
	a := &findingsAnswer{Done: j.done(), Rules: []*Broken{}}
	x := f.rows
	rules := make([]*Broken, len(x.rules.all))
	by := make([]map[netip.AddrPort]*By, len(x.rules.all))
	for at, b := range x.found.rows {
		if !j.has(int(b.row)) {
			continue
		}
		r := x.row(int(b.row))
		e := &x.ends[x.contexts[r.context].ends]
		for _, f := range x.found.nth(at) {
			if rules[f.rule] == nil {
				rules[f.rule] = brokenOf(x.rules.all[f.rule], e.protocol, format.Unquoted(x.texts.all[f.text]))
				by[f.rule] = map[netip.AddrPort]*By{}
			}
			rule := rules[f.rule]
			rule.Count++
			if last := len(rule.Rows) - 1; len(rule.Rows) < maxRulesRows && (last < 0 || rule.Rows[last] != int(b.row)) {
				rule.Rows = append(rule.Rows, int(b.row))
			}
			who := by[f.rule][e.src]
			if who == nil {
				who = &By{Row: int(b.row), Example: x.texts.all[f.text]}
				by[f.rule][e.src] = who
			}
			who.Count++
		}
	}
	for i, rule := range rules {
		if rule != nil {
			rule.addBy(by[i])
			a.Rules = append(a.Rules, rule)
		}
	}
	slices.SortStableFunc(a.Rules, func(a, b *Broken) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Rule, b.Rule))
	})
	return a, nil
}

func brokenOf(r *wire.Rule, p *wire.Protocol, example string) *Broken {
	return &Broken{
		RuleText: ruleText(r), Protocol: nameOf(p), Example: example, Rows: []int{}, By: []By{},
		Filter: "finding.rule == " + filter.Quote([]byte(r.ID)), severity: r.Severity,
	}
}

// addBy adds the programs that broke the rule, starting with the one that broke it most often.
func (b *Broken) addBy(all map[netip.AddrPort]*By) {
	ends := slices.SortedFunc(maps.Keys(all), func(x, y netip.AddrPort) int {
		return cmp.Or(cmp.Compare(all[y].Count, all[x].Count), x.Compare(y))
	})
	for _, e := range ends[:min(len(ends), maxBy)] {
		by := *all[e]
		by.Who, by.Example = endpoint(e), format.Unquoted(by.Example)
		b.By = append(b.By, by)
	}
	b.ByLeft = len(ends) - len(b.By)
}
