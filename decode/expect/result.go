package expect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Result says whether a capture fulfils an expectation, and why not.
type Result struct {
	*Expectation
	Groups   []Group
	Trouble  string // what is wrong with the expectation or the capture as a whole; "" for nothing
	Line     int    // of the file, that the trouble is about
	Findings []Finding
}

// A Group says the same of a part of the capture.
type Group struct {
	Name     string
	Messages int
	Failures []*Failure // none: it fulfils the expectation
}

// A Failure is a step that was not fulfilled, or a bound that was not kept.
type Failure struct {
	Step    *Step // that waited, or forbids; nil where none did
	Line    int   // of the file
	Reason  string
	Matched int    // messages that fitted before
	Frame   *Frame // the message it is about; nil if it did not come

	Nearest *Frame   // of those that the step names, the one that fits best
	Differs []string // where that differs

	Before, After []Frame // messages around it
	Bound         []string
	Findings      []Finding
}

// A Frame is a message in a report.
type Frame struct {
	Number int
	Line   string
}

// A Finding is one that the bounds do not allow.
type Finding struct {
	Frame int
	Rule  *wire.Rule
	Text  string
}

// OK reports whether the expectation is fulfilled.
func (r *Result) OK() bool { return r.Trouble == "" }

// Fulfilled counts the groups that fulfil the expectation.
func (r *Result) Fulfilled() int {
	n := 0
	for i := range r.Groups {
		if len(r.Groups[i].Failures) == 0 {
			n++
		}
	}
	return n
}

// Summary says how many groups fulfil the expectation.
func (r *Result) Summary() string {
	n, total := r.Fulfilled(), len(r.Groups)
	switch {
	case total == 0:
		return "no " + r.per + " is about this"
	case n == 1 && total == 1:
		return "1 " + r.per + " fulfils it"
	case n == total:
		return wire.Counted(n, r.per) + " fulfil it"
	}
	return fmt.Sprintf("%d of %s fulfil it", n, wire.Counted(total, r.per))
}

// Close ends the capture and gives the results in the order of the expectations.
func (c *Check) Close() []*Result {
	var results []*Result
	for _, r := range c.runs {
		results = append(results, r.close())
	}
	return results
}

// close ends the capture for one expectation.
func (r *run) close() *Result {
	res := &Result{Expectation: r.expectation, Line: r.expectation.Line, Findings: r.unattached.first}
	for _, g := range r.ordered {
		if !g.relevant {
			continue
		}
		r.checkEnd(g)
		one := Group{Name: g.name, Messages: g.messages}
		if f := g.failure; f != nil {
			f.Line = r.expectation.Line
			if f.Step != nil {
				f.Line = f.Step.Line
			}
			one.Failures = append(one.Failures, f)
		}
		one.Failures = append(one.Failures, r.brokenBounds(g)...)
		res.Groups = append(res.Groups, one)
	}
	res.Trouble = r.trouble(res)
	return res
}

// trouble says why an expectation is not fulfilled.
func (r *run) trouble(res *Result) string {
	fulfilled, total, want := res.Fulfilled(), len(res.Groups), r.expectation.fulfilled
	enough := want.Least == Any && fulfilled == total || want.Least != Any && want.Holds(fulfilled)
	switch {
	case r.tired:
		return "there is too much to compare; a filter, and fewer steps that fit the same messages, help"
	case r.full:
		return fmt.Sprintf("there is no memory to follow more than %d %ss; a filter may choose some", len(r.groups),
			r.expectation.per)
	case r.crowded:
		return fmt.Sprintf("there are more than %d %ss; a filter may choose some", maxGroups, r.expectation.per)
	case r.unattached.count > 0:
		return fmt.Sprintf("%s that no %s has", wire.Counted(r.unattached.count, "finding"), r.expectation.per)
	case r.machine.overflow || r.ambiguous && !enough:
		return "the sequence can be fulfilled in too many ways at once to follow all; " +
			"fewer optional and repeated steps that fit the same messages help"
	case total == 0 && want != (Range{}):
		return fmt.Sprintf("no %s has messages that this is about", r.expectation.per)
	case enough:
		return ""
	case want.Least == Any:
		return res.Summary()
	}
	return fmt.Sprintf("%d of %s fulfil it, expected %s", fulfilled, wire.Counted(total, r.expectation.per), want)
}

// brokenBounds gives a failure for each bound that the group does not keep.
func (r *run) brokenBounds(g *group) []*Failure {
	var list []*Failure
	b := &r.expectation.bounds
	if n := g.findings.count; n > 0 {
		reason := fmt.Sprintf("%s of severity %s or above", wire.Counted(n, "finding"), b.severity)
		list = append(list, &Failure{Line: b.line, Findings: g.first, Reason: reason})
	}
	for i, m := range b.hold {
		x, ok := m.result(&g.tallies[i])
		switch {
		case !ok:
			list = append(list, &Failure{Line: m.line, Reason: m.text + ": nothing was measured"})
		case !m.holdsFor(x):
			list = append(list, &Failure{Line: m.line, Reason: m.text + ": it is " + m.number(x)})
		}
	}
	return list
}

// number writes a result as the bound is written.
func (m *measure) number(x float64) string {
	text := strconv.FormatFloat(x, 'g', 6, 64)
	if m.kind == rateOf {
		return text + " a second"
	}
	if m.unit == "s" && m.aggregate != "count" {
		return strings.TrimSpace(strconv.FormatFloat(x*1e3, 'g', 4, 64)) + "ms"
	}
	return text
}
