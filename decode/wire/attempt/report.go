package attempt

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// decide sets the outcome. It reports whether the outcome changed.
func (x *Attempt) decide(p *wire.Place, o wire.Outcome, by wire.Party, cause, detail string) bool {
	if o == x.outcome && (x.texts == nil && cause+detail == "" ||
		x.texts != nil && x.texts.cause == cause && x.texts.detail == detail) {
		return false
	}
	x.outcome = o
	if cause+detail != "" || x.texts != nil {
		t := x.text()
		t.cause, t.detail, t.by, t.at = cause, detail, by, p.Time
	}
	if o != wire.Left {
		x.reveal(p)
	}
	if x.shown {
		x.show(p, wire.AttemptOutcome, o.String())
		failed := ""
		if o.Failed() {
			failed = x.awaited()
		}
		if t := x.texts; failed+cause+detail != "" || t != nil && t.failed {
			x.text().failed = failed+cause+detail != ""
			x.show(p, wire.AttemptFailed, failed)
			x.show(p, wire.AttemptWhy, join(cause, detail))
		}
	}
	if o.Failed() && x.shown && !(o == wire.Removed && x.kind().Stays) { // the tracker reports who leaves and why
		x.failed(p, by, cause, detail)
	}
	x.report(p, false)
	return true
}

// failed reports a failure as an event.
func (x *Attempt) failed(p *wire.Place, by wire.Party, cause, detail string) {
	x.happened(p, x.outcome.String(), "%s%s: %s", x.Who(), verb(x.outcome, by), join(cause, detail))
}

// verb returns words for what happened to the asker, if the cause of the outcome does not say it.
func verb(o wire.Outcome, by wire.Party) string {
	switch {
	case o == wire.Refused && by == wire.Asker:
		return " gives up"
	case o == wire.Refused:
		return " is refused"
	case o == wire.Removed:
		return " is removed"
	case o == wire.Expired:
		return " expires"
	}
	return ""
}

// awaited names the step that was not reached, or was reached but lost again.
func (x *Attempt) awaited() string {
	k := x.kind()
	next, last := int(x.step)+1, len(k.Steps)-1
	switch {
	case x.outcome == wire.Expired, x.outcome == wire.Refused && k.Lease > 0 && x.Reached(k.Goal):
		next = last
	case x.outcome == wire.Absent:
		next = int(k.Goal) + 1
	case x.outcome == wire.Unanswered && !x.Reached(x.step):
		next = int(x.step)
	}
	return k.Steps[min(next, last)].Name
}

// reveal shows the row of the attempt, unless the asker has only looked so far, or has not stated its name yet.
func (x *Attempt) reveal(p *wire.Place) {
	if x.shown || x.step < max(x.kind().Wish, x.kind().Named) && !x.outcome.Failed() {
		return
	}
	x.shown = true
	for i, m := range x.reached[:len(x.kind().Steps)] {
		if m.ms > 0 {
			at := *p
			at.Time, at.Frame = x.when(m), int(m.frame)
			x.show(&at, x.kind().Steps[i].Name, "yes")
		}
	}
	if x.texts != nil && x.texts.name != "" {
		x.show(p, wire.AttemptName, x.texts.name)
	}
}

// when returns the time of a mark.
func (x *Attempt) when(m mark) int64 {
	return clock.Add(x.began, int64(m.ms-1)*int64(time.Millisecond))
}

// show reports a cell of the row.
func (x *Attempt) show(p *wire.Place, column, text string) {
	if !x.kind().Hidden {
		x.measure(p, x.kind().Name, column, text)
	}
}

// measure reports a cell of a table about the asker.
func (x *Attempt) measure(p *wire.Place, table, column, text string) {
	x.account.reporter.Measured(wire.Value{Place: *p, Table: table, Server: x.server(), Who: x.Who(), What: column,
		State: true, Text: text})
}

// happened reports an event.
func (x *Attempt) happened(p *wire.Place, kind, format string, args ...any) {
	x.account.reporter.Happened(p, x.server(), x.Who(), kind, format, args...)
}

// finish reports that the attempt is over, at the time of its outcome, and removes it.
func (x *Attempt) finish(p *wire.Place) {
	goal := x.reached[x.kind().Goal]
	switch {
	case x.outcome == wire.Done && goal.ms > 0:
		p = x.place(x.when(goal))
		p.Frame = int(goal.frame)
	case x.texts != nil && x.texts.cause != "":
		p = x.place(x.texts.at)
	}
	x.report(p, true)
	x.account.remove(x)
}

// report reports the attempt.
func (x *Attempt) report(p *wire.Place, over bool) {
	r := x.account.reporter
	if r.Attempt == nil {
		return
	}
	a := wire.Attempt{Place: *p, Kind: x.kind(), Asker: x.id().asker, Asked: x.server(), Who: x.Who(), Outcome: x.outcome,
		Over: over, Step: x.step, Tries: int(x.tries), Took: time.Duration(clock.Elapsed(x.began, p.Time))}
	if x.texts != nil {
		a.Cause, a.Detail, a.By = x.texts.cause, x.texts.detail, x.texts.by
	}
	if x.outcome == wire.Left {
		a.By = wire.Asker
	}
	for i, m := range x.reached {
		if m.ms > 0 {
			a.Steps[i] = wire.StepReached{Frame: int(m.frame), After: time.Duration(m.ms-1) * time.Millisecond}
		}
	}
	r.Attempted(&a)
}
