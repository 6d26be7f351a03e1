package diff

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// This function reports whether a number is too high for chance: at least twice the expected number, and at least
// four standard deviations above it.
func more(n, expected float64) bool {
	return n >= 2*expected && n-expected >= 4*math.Sqrt(max(expected, 1))
}

// rules compares which rules were broken, and how often per message.
func (c *comparer) rules() {
	for id, f := range c.now.rules {
		rate := func(g *Capture) float64 {
			if was := g.rules[id]; was != nil {
				return float64(was.Count) / float64(max(g.Summary.Messages, 1))
			}
			return 0
		}
		isNew := !c.any(func(g *Capture) bool { return g.rules[id] != nil })
		if !isNew && !more(float64(f.Count), c.band(rate)[1]*float64(c.now.Summary.Messages)) {
			continue
		}
		d := c.rule(f)
		d.Now = float64(f.Count)
		if isNew && d.Kind == Notes && !f.Network() && f.Count >= enough && 4*f.Count >= c.now.Summary.Messages {
			d.Kind, d.weight = Rules, 70 // too frequent to be an exception
		}
		if !isNew {
			d.weight, d.What = d.weight*2/3, d.What+" more often"
		}
		c.add(d)
	}
	for id, was := range c.good[0].rules {
		if c.now.rules[id] == nil && c.all(func(g *Capture) bool { return g.rules[id] != nil }) {
			d := c.rule(was)
			d.Kind, d.weight, d.What, d.Note, d.File, d.Frame = Notes, 20, d.What+" no more", "", "", 0
			c.add(d)
		}
	}
}

// rule makes the difference for a rule. If the rule's findings are based on bytes or on messages that came, missing
// packets do not explain the difference.
func (c *comparer) rule(f *summary.Finding) Difference {
	d := Difference{Kind: Rules, What: f.Severity + " " + f.Rule, Rule: f.Rule, Severity: f.Severity, Note: f.Example,
		File: f.File, Frame: f.Frame}
	d.Filters = c.both(ofRule(f.Rule), func(g *Capture) bool { return g.rules[f.Rule] != nil })
	d.Good = c.band(func(g *Capture) float64 {
		if was := g.rules[f.Rule]; was != nil {
			return float64(was.Count)
		}
		return 0
	})
	if f.Who != "" {
		d.Note = f.Who + ": " + f.Example
	}
	_, marks := c.now.partial[f.Rule]
	d.explained = marks || f.Of.Rests != wire.OnBytes && f.Of.Rests != wire.OnPresence
	switch {
	case f.Severity == wire.Note.String():
		d.Kind, d.weight = Notes, 40
	case f.Network():
		if d.weight = 130; f.Of.Rests == wire.OnAbsence {
			d.Kind = Loss
		}
	case f.Severity == wire.Error.String():
		d.weight = 100
	default:
		d.weight = 80
	}
	return d
}

// usual matches reasons for which servers refuse clients in a normal game.
var usual = regexp.MustCompile(`(?i)full\b|no room|game is over`)

// shares compares the shares of things that went wrong. It skips unanswered questions that are already reported as
// failed attempts.
func (c *comparer) shares() {
	reported := slices.ContainsFunc(c.list, func(d Difference) bool {
		return strings.HasSuffix(d.What, " queries unanswered")
	})
	for i := range c.now.shares {
		s := &c.now.shares[i]
		good := c.band(func(g *Capture) float64 { return g.shares[i].ratio() })
		most := c.band(func(g *Capture) float64 { return g.shares[i].maxRatio() })[1]
		expected := most * float64(s.of)
		chance := float64(s.n) < expected+2*math.Sqrt(expected)
		if s.kind == Rules { // bytes are skipped in groups, so their number varies more by chance
			chance = float64(s.n) < 2*expected
		}
		small := s.ratio() < most+s.floor || s.n < min(s.least, s.of)
		if s.of == 0 || chance || small || s.kind == Attempts && reported {
			continue
		}
		reported = reported || s.what == unanswered
		in := c.first(func(g *Capture) bool { return s.filter(g) != "" })
		c.add(Difference{Filters: Filters{in, s.filter(c.good[in]), s.filter(c.now)},
			Kind: s.kind, What: s.what, Unit: "share", Good: good, Now: s.ratio(), weight: s.weight,
			Note: report.FormatCount(s.n) + " of " + report.FormatCount(s.of), explained: true})
	}
}

// The constant enough is a number of events that is unlikely to be chance.
const enough = 5

// times compares the 95th percentiles of the answer times. A difference does not make the capture worse in two cases:
// if there are few answers, or if there are more answers per second, because a busier server may be slower.
func (c *comparer) times() {
	factor := 2.0
	if len(c.good) > 1 {
		factor = 1.25
	}
	const floor = 10e6
	for name, h := range c.now.times {
		with := slices.DeleteFunc(slices.Clone(c.good), func(g *Capture) bool { return g.times[name] == nil })
		if len(with) == 0 {
			continue
		}
		of := &comparer{good: with}
		p95 := of.band(func(g *Capture) float64 { return float64(g.times[name].Quantile(0.95)) })
		worst := of.band(func(g *Capture) float64 { return float64(g.times[name].Max) })
		counts := of.band(func(g *Capture) float64 { return float64(g.times[name].Count) })
		rate := of.band(func(g *Capture) float64 { return float64(g.times[name].Count) / max(g.Seconds(), 1) })

		limit := max(p95[1]*factor, p95[1]+floor)
		n, count := float64(h.Quantile(0.95)), float64(h.Count)
		if n < limit {
			continue
		}
		d := Difference{Kind: Times, What: name + " p95", Unit: "s", Good: [2]float64{p95[0] / 1e9, p95[1] / 1e9},
			Now: n / 1e9, weight: 72, explained: true,
			Note: "worst " + report.FormatDuration(int64(worst[1])) + " -> " + report.FormatDuration(h.Max)}
		if strings.HasSuffix(name, " lag") {
			d.weight = 64
		}
		protocol, _, _ := strings.Cut(name, " ")
		if !strings.Contains(name, " time to ") { // an interval with "time to" in its name may end inside an answer
			slower := func(ns float64) string { return fmt.Sprintf("%s && response_time >= %.9f", protocol, ns*0.95/1e9) }
			d.Filters = Filters{slices.Index(c.good, with[0]), slower(p95[1]), slower(n)}
		}
		switch fifth := float64(h.Quantile((count - enough + 0.5) / count)); { // the fifth longest time
		case counts[1] < enough || count < enough || fifth < limit:
			d.Kind, d.weight, d.Note = Notes, 38, "few answers: "+d.Note
		case more(count, rate[1]*max(c.now.Seconds(), 1)):
			d.Kind, d.weight, d.Note = Notes, 38, "more answers a second: "+d.Note
		}
		c.add(d)
	}
}

// messages compares which messages came, how many of each, and their sizes.
func (c *comparer) messages() {
	for name, h := range c.now.messages {
		of := c.ofMessage(name)
		if !c.any(func(g *Capture) bool { return g.messages[name] != nil }) {
			c.add(Difference{Kind: Messages, What: name + " came", Now: float64(h.Count), weight: 45, Filters: of})
			continue
		}
		c.count(name, h.Count)
		sizes := [2]float64{math.Inf(1), 0}
		for _, g := range c.good {
			if was := g.messages[name]; was != nil {
				sizes = [2]float64{min(sizes[0], float64(was.Min)), max(sizes[1], float64(was.Max))}
			}
		}
		for _, n := range []float64{float64(h.Min), float64(h.Max)} {
			if n < sizes[0] || n > sizes[1] {
				c.add(Difference{Kind: Sizes, What: name + " size", Unit: "bytes", Good: sizes, Now: n, weight: 26,
					Filters: Filters{of.In, of.Good, fmt.Sprintf("%s && length == %.0f", of.Now, n)}})
				break
			}
		}
	}
	for name := range c.good[0].messages {
		if has := func(g *Capture) bool { return g.messages[name] != nil }; c.all(has) && !has(c.now) {
			good := c.band(func(g *Capture) float64 { return float64(g.messages[name].Count) })
			c.add(Difference{Kind: Messages, What: name + " is gone", Good: good, weight: 43, Filters: c.ofMessage(name)})
		}
	}
}

// ofMessage returns the filters for messages by protocol and name.
func (c *comparer) ofMessage(name string) Filters {
	protocol, kind, _ := strings.Cut(name, " ")
	return c.both(ofMessage(protocol, kind), func(g *Capture) bool { return g.messages[name] != nil })
}

// count compares the number of messages, both per conversation and per second.
func (c *comparer) count(name string, n int64) {
	count := func(g *Capture) float64 {
		if h := g.messages[name]; h != nil {
			return float64(h.Count)
		}
		return 0
	}
	for _, size := range []func(*Capture) float64{(*Capture).Seconds,
		func(g *Capture) float64 { return float64(len(g.talks.list)) }} {
		rate := c.band(func(g *Capture) float64 { return count(g) / max(size(g), 1) })
		most, least := rate[1]*max(size(c.now), 1), rate[0]*max(size(c.now), 1)
		if x := float64(n); !more(x, most) && !more(least, x) {
			return
		}
	}
	what := name + " more often"
	if good := c.band(count); float64(n) < good[0] {
		what = name + " less often"
	}
	c.add(Difference{Kind: Messages, What: what, Good: c.band(count), Now: float64(n), weight: 31,
		Filters: c.ofMessage(name)})
}

// values compares what servers report about themselves.
func (c *comparer) values() {
	for name, list := range c.now.values {
		var known []string
		for _, g := range c.good {
			known = append(known, g.values[name]...)
		}
		for _, text := range list {
			if known != nil && !slices.Contains(known, text) {
				c.add(Difference{Kind: Values, What: name, Note: strings.Join(slices.Compact(known), ", ") + " -> " + text,
					weight: 30})
				break
			}
		}
	}
}

// names compares the names of the players or of the servers.
func (c *comparer) names(what string, of func(*Capture) map[string]bool) {
	now := of(c.now)
	var came, went []string
	for _, name := range sortedNames(now) {
		if !c.any(func(g *Capture) bool { return of(g)[name] }) {
			came = append(came, name)
		}
	}
	for _, name := range sortedNames(of(c.good[0])) {
		if c.all(func(g *Capture) bool { return of(g)[name] }) && !now[name] {
			went = append(went, name)
		}
	}
	d := Difference{Kind: Players, Now: float64(len(now))}
	d.Good = c.band(func(g *Capture) float64 { return float64(len(of(g))) })
	if came != nil {
		d.What, d.Note, d.weight = what+" that came", few(came), 18
		d.Filters = Filters{Now: c.now.ofName(came[0])}
		c.add(d)
	}
	if went != nil {
		d.What, d.Note, d.weight = what+" that went", few(went), 17
		d.Filters = Filters{Good: c.good[0].ofName(went[0])}
		c.add(d)
	}
}

func few(names []string) string {
	const shown = 3
	if n := len(names) - shown; n > 0 {
		return strings.Join(names[:shown], ", ") + " and " + report.FormatCount(int64(n)) + " more"
	}
	return strings.Join(names, ", ")
}
