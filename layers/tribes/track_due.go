package tribes

import (
	"cmp"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// deadlines is a timer wheel of exchanges, which it knows by their slots. A day of the wheel is about half a second
// long. Each exchange is due within 31 seconds, which is less than a turn of the wheel.
type deadlines struct {
	days [1 << 6]uint32 // the first exchange of each, 0 if there is none
	seen int            // exchanges looked at so far
}

const dayBits = 29 // in nanoseconds

func day(when int64) int64 { return when >> dayBits }

func (a *deadlines) first(day int64) *uint32 { return &a.days[day&int64(len(a.days)-1)] }

// link puts an exchange on the deadlines.
func (t *tracker) link(slot uint32, x *exchange, due int64) {
	first := t.deadlines.first(day(due))
	x.due, x.before, x.after = due, 0, *first
	if x.after != 0 {
		_, after := t.exchanges.At(x.after)
		after.before = slot
	}
	*first = slot
}

// unlink takes an exchange from the deadlines.
func (t *tracker) unlink(x *exchange) {
	if x.after != 0 {
		_, after := t.exchanges.At(x.after)
		after.before = x.before
	}
	if x.before != 0 {
		_, before := t.exchanges.At(x.before)
		before.after = x.after
	} else {
		*t.deadlines.first(day(x.due)) = x.after
	}
}

// dueExchange is one that has to be looked at.
type dueExchange struct {
	use  uint64
	slot uint32
}

// dueNow removes the due exchanges from the wheel, and gives them by their last use, the earliest first.
func (t *tracker) dueNow(since int64) (due []dueExchange) {
	days := min(uint64(day(t.now)-day(since)), uint64(len(t.deadlines.days)-1))
	for i := range int64(days) + 1 {
		for slot := *t.deadlines.first(day(since) + i); slot != 0; {
			_, x := t.exchanges.At(slot)
			t.deadlines.seen++
			next := x.after
			if x.due <= t.now {
				t.unlink(x)
				due = append(due, dueExchange{x.use, slot})
			}
			slot = next
		}
	}
	slices.SortFunc(due, func(a, b dueExchange) int { return cmp.Compare(a.use, b.use) })
	return due
}

// sweep reports missing answers and packets, and forgets exchanges that are over.
func (t *tracker) sweep() {
	since := t.swept
	t.swept = t.now
	for _, d := range t.dueNow(since) {
		who, x := t.exchanges.At(d.slot)
		x.queries.Overdue(queries, t.now, func(q *ask.Question[query]) { t.tellUnanswered(who, &q.Value) })
		t.finishLate(who, x)
		if len(x.lists) == 0 && clock.Elapsed(x.used, t.now) > memory {
			t.exchanges.Delete(who)
			continue
		}
		t.link(d.slot, x, x.next())
	}
	if clock.Elapsed(t.start, t.now) > patience {
		t.askers.Each(func(who endpoint, _ *struct{}) { t.askers.Delete(who) })
	}
}

// tellUnanswered reports a query without an answer in time.
func (t *tracker) tellUnanswered(who pair, q *query) {
	about := t.place(&q.spot, who.client, who.server)
	t.countQuery(about, q, about.Dst, about.Src, "unanswered")
	t.reporter.Report(about, ruleUnanswered, "no answer from %s within 5 s", about.Dst)
	t.tellStrange(who, q)
}

// closeExchange tells how an exchange stands when the capture ends. It reports no answer that may still come.
func (t *tracker) closeExchange(who pair, x *exchange) {
	for i := range x.queries.Len() {
		q := x.queries.At(i)
		if !q.Value.seen || q.Answers > 0 || q.Overdue() {
			continue
		}
		about := t.place(&q.Value.spot, who.client, who.server)
		t.countQuery(about, &q.Value, about.Dst, about.Src, "open at the end")
		if clock.Elapsed(q.Active, t.now) >= promptly/5 {
			t.tellStrange(who, &q.Value)
		}
	}
	for len(x.lists) > 0 {
		if l := x.lists[0]; l.complete() || clock.Elapsed(l.when, t.now) >= promptly {
			t.finishList(who, x, l)
		} else {
			t.checkFilled(who, l)
			t.release(x, l)
		}
	}
}

// next gives the time at which the exchange is due next.
func (x *exchange) next() int64 {
	when := clock.Add(x.used, memory+1)
	for _, l := range x.lists {
		when = min(when, clock.Add(l.when, patience+1))
	}
	for i := range x.queries.Len() {
		if q := x.queries.At(i); q.Answers == 0 && !q.Overdue() {
			when = min(when, clock.Add(q.Active, queries.Patience))
		}
	}
	return when
}
