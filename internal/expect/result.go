package expect

import (
	"fmt"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// A Result reports whether a capture fulfils an expectation and, if not, why.
type Result struct {
	*Expectation
	Groups   []Group
	Skipped  string // reason why the expectation does not apply to the capture; "": it applies
	Trouble  string // problem with the expectation or the capture as a whole; "": none
	Line     int    // line in the file that Trouble is about
	Findings []Finding
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

// Telling returns the groups that show why the expectation is not fulfilled. If all groups must fulfil it, Telling
// returns the failed groups. If too few groups fulfil it, Telling returns only the failed group that got furthest. If
// too many groups fulfil it, Telling returns these groups.
func (r *Result) Telling() []Group {
	var fulfilled, failed []Group
	furthest := -1
	for i := range r.Groups {
		g := &r.Groups[i]
		if len(g.Failures) == 0 {
			fulfilled = append(fulfilled, *g)
			continue
		}
		if failed = append(failed, *g); furthest < 0 || g.Failures[0].Matched > failed[furthest].Failures[0].Matched {
			furthest = len(failed) - 1
		}
	}
	switch want := r.fulfilled; {
	case want.Least == Any || len(failed) == 0:
		return failed
	case len(fulfilled) < want.Least:
		return failed[furthest : furthest+1]
	}
	return fulfilled
}

// Cause returns the first failure as a sentence.
func (r *Result) Cause() string {
	for _, g := range r.Telling() {
		for _, f := range g.Failures {
			return f.Sentence()
		}
	}
	return "line " + strconv.Itoa(r.Line) + ": " + r.Trouble
}

// Require makes a skipped expectation a failure.
func (r *Result) Require() {
	if r.Skipped != "" {
		r.Trouble, r.Skipped = r.Skipped, ""
	}
}

// Summary says how many groups fulfil the expectation.
func (r *Result) Summary() string {
	n, total := r.Fulfilled(), len(r.Groups)
	switch {
	case r.Skipped != "":
		return r.Skipped
	case total == 0:
		return "there is no such " + r.per
	case n == 1 && total == 1:
		return "1 " + r.per + " fulfils it"
	case n == total:
		return wire.Counted(n, r.per) + " fulfil it"
	}
	return fmt.Sprintf("%d of %s fulfil it", n, wire.Counted(total, r.per))
}

// Close ends the capture. It returns the results in the order of the expectations.
func (c *Check) Close() []*Result {
	var results []*Result
	var attempts []*stats.Attempts
	if c.attempts != nil {
		attempts = c.attempts.Outcomes()
	}
	for _, r := range c.runs {
		r.attempted(attempts)
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
			if f.Line = r.expectation.Line; f.Step != nil {
				f.Line = f.Step.Line
			}
			one.Failures = append(one.Failures, f)
		}
		one.Failures = append(one.Failures, r.brokenBounds(g)...)
		res.Groups = append(res.Groups, one)
	}
	if len(res.Groups) == 0 && !r.ours {
		res.Findings = nil
	}
	if res.Trouble = r.trouble(res); res.Trouble == "" && len(res.Groups) == 0 && r.expectation.fulfilled.Least != 0 {
		res.Skipped = r.missing()
	}
	return res
}

// trouble returns the problem with the expectation or the capture as a whole.
func (r *run) trouble(res *Result) string {
	fulfilled, total, want := res.Fulfilled(), len(res.Groups), r.expectation.fulfilled
	enough := want.Least == Any && fulfilled == total || want.Least != Any && want.Holds(fulfilled)
	switch {
	case r.exhausted:
		return "there is too much to compare; use a filter, or fewer steps that match the same messages"
	case r.full:
		return fmt.Sprintf("there is not enough memory to follow more than %d %ss; allow more, or use a filter",
			len(r.groups), r.expectation.per)
	case r.unattached.count > 0 && (total > 0 || r.ours):
		return fmt.Sprintf("%s not in any %s", wire.Counted(r.unattached.count, "finding"), r.expectation.per)
	case r.machine.overflow || r.ambiguous && !enough:
		return "the sequence can match in too many ways to follow them all; " +
			"use fewer optional and repeated steps that match the same messages"
	case total == 0, enough:
		return ""
	case want.Least == Any:
		return res.Summary()
	}
	return fmt.Sprintf("%d of %s fulfil it, expected %s", fulfilled, wire.Counted(total, r.expectation.per), want)
}

// missing says what the capture would need for the expectation to apply.
func (r *run) missing() string {
	e := r.expectation
	switch {
	case !r.seen && e.protocol != nil:
		return "there are no " + e.protocol.Name + " messages"
	case e.begins != nil:
		return "no " + e.per + " begins with " + e.begins.String()
	case e.having != nil:
		return "no " + e.per + " has " + e.having.String()
	case e.filter != nil:
		return "there is no " + e.filter.String()
	}
	return "there are no game messages"
}
