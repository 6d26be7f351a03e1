package tribes

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// exchanges holds the exchanges of all pairs of endpoints, and reports the answers and packets that did not come in
// time.
type exchanges struct {
	reporter *reporter
	time     *captureTime
	lists    *lists
	manners  *manners
	byPair   *bounded.LRU[pair, exchange]
	uses     uint32 // counter for exchange.use
	wheel    wheel
}

// wheel is a timer wheel of exchanges. It divides the time into days of about half a second, and links the exchanges
// that are due on the same day. Each exchange is due within 31 seconds, which is less than one turn of the wheel.
type wheel struct {
	days [1 << 6]uint32 // slot of the first exchange of each day; 0: none
	seen int            // number of exchanges checked so far
}

const dayBits = 29 // a day has 1<<dayBits nanoseconds

// moment is a time in units of 1<<momentBits nanoseconds, rounded down. It wraps around. An exchange may be checked one
// unit early, and is then checked again.
type moment uint32

const momentBits = 20

func momentOf(when int64) moment { return moment(when >> momentBits) }

func (m moment) after(o moment) bool { return int32(m-o) > 0 }

func (m moment) day() int64 { return int64(m >> (dayBits - momentBits)) }

func (w *wheel) first(day int64) *uint32 { return &w.days[day&int64(len(w.days)-1)] }

func newExchanges(r *reporter, now *captureTime, l *lists) *exchanges {
	s := &exchanges{reporter: r, time: now, lists: l}
	s.byPair = bounded.NewLRU(r.Memory, bounded.Kind{Name: "Tribes queries",
		Silent: "tribes.unanswered-query, tribes.list-incomplete, tribes.wrong-sequence, ping"},
		bounded.Values[pair, exchange]{Held: (*exchange).held, Dropped: s.drop})
	return s
}

// use returns the exchange of a pair. The caller then adds a query or a list packet, which becomes due five seconds
// (patience) later.
func (s *exchanges) use(who pair) *exchange {
	x := s.byPair.Make(who)
	due := momentOf(clock.Add(s.time.now, patience+1))
	switch {
	case x.use == 0: // a new exchange
		s.link(s.byPair.Slot(), x, due)
	case x.due.after(due):
		s.unlink(x)
		s.link(s.byPair.Slot(), x, due)
	}
	s.uses++
	x.use, x.used = s.uses, s.time.now
	return x
}

// find returns the exchange of a pair, or nil if there is none.
func (s *exchanges) find(who pair) *exchange {
	x := s.byPair.Get(who)
	if x != nil {
		s.uses++
		x.use = s.uses
	}
	return x
}

// link puts an exchange on the wheel.
func (s *exchanges) link(slot uint32, x *exchange, due moment) {
	first := s.wheel.first(due.day())
	x.due, x.before, x.after = due, 0, *first
	if x.after != 0 {
		_, after := s.byPair.At(x.after)
		after.before = slot
	}
	*first = slot
}

// unlink removes an exchange from the wheel.
func (s *exchanges) unlink(x *exchange) {
	if x.after != 0 {
		_, after := s.byPair.At(x.after)
		after.before = x.before
	}
	if x.before != 0 {
		_, before := s.byPair.At(x.before)
		before.after = x.after
	} else {
		*s.wheel.first(x.due.day()) = x.after
	}
}

// dueExchange is an exchange that has become due.
type dueExchange struct {
	use  uint32
	slot uint32
}

// takeDue removes the due exchanges from the wheel and returns them, ordered by the time of their last use.
func (s *exchanges) takeDue(since int64) (due []dueExchange) {
	now := momentOf(s.time.now)
	begin, end := since>>dayBits, s.time.now>>dayBits
	days := min(uint64(end-begin), uint64(len(s.wheel.days)-1))
	for i := range int64(days) + 1 {
		for slot := *s.wheel.first(begin + i); slot != 0; {
			_, x := s.byPair.At(slot)
			s.wheel.seen++
			next := x.after
			if !x.due.after(now) {
				s.unlink(x)
				due = append(due, dueExchange{x.use, slot})
			}
			slot = next
		}
	}
	slices.SortFunc(due, func(a, b dueExchange) int { return int(int32(a.use - b.use)) })
	return due
}

// sweep reports missing answers and packets, and drops finished exchanges.
func (s *exchanges) sweep() {
	since := s.time.swept
	s.time.swept = s.time.now
	for _, d := range s.takeDue(since) {
		who, x := s.byPair.At(d.slot)
		s.reportLate(who, x)
		if len(x.lists()) == 0 && clock.Elapsed(x.used, s.time.now) > memory {
			s.byPair.Delete(who)
			continue
		}
		s.link(d.slot, x, momentOf(x.next()))
	}
}

// reportLate reports the answers and packets that did not come in time.
func (s *exchanges) reportLate(who pair, x *exchange) {
	x.queries.Overdue(queryRules, s.time.now, func(q *ask.Question[query]) { s.reportUnanswered(who, &q.Value) })
	s.lists.finishLate(who, x)
}

// reportUnanswered reports a query that got no answer in time.
func (s *exchanges) reportUnanswered(who pair, q *query) {
	about := s.reporter.expand(&q.compactPlace, who.client, who.server)
	q.count(s.reporter, about, about.Dst, about.Src, "unanswered")
	s.reporter.Report(about, ruleUnanswered, "no answer from %s within 5 s", about.Dst)
	s.manners.unanswered(about, q)
	s.reportMismatch(who, q)
}

// reportMismatch reports an answer whose key differs from the query's key, if the query got no correct answer.
func (s *exchanges) reportMismatch(who pair, q *query) {
	m := q.mismatch()
	if m == nil {
		return
	}
	rule, what := ruleUnknownKey, "key"
	if q.kind == kindGameSpy {
		rule, what = ruleSequence, "sequence"
	}
	s.reporter.Report(s.reporter.expand(&m.compactPlace, who.server, who.client), rule,
		"%s %x, the query has %x and got no other answer", what, m.key, q.key)
}

// drop handles an exchange that is dropped to make room for another. It checks complete lists first, and discards the
// queries.
func (s *exchanges) drop(who pair, x *exchange) {
	if clock.Elapsed(x.used, s.time.now) <= patience {
		s.time.forgot = clock.At(s.time.now)
	}
	s.lists.finishIf(who, x, (*list).complete)
	s.unlink(x)
}

func (s *exchanges) clear() {
	s.byPair.Each(s.drop)
	s.byPair.Clear()
}

// close reports the state of exchanges at the end of the capture. It skips answers that may still come.
func (s *exchanges) close() {
	s.byPair.Each(func(who pair, x *exchange) {
		for i := range x.queries.Len() {
			q := x.queries.At(i)
			if !q.Value.seen || q.Answers > 0 || q.Overdue() {
				continue
			}
			about := s.reporter.expand(&q.Value.compactPlace, who.client, who.server)
			q.Value.count(s.reporter, about, about.Dst, about.Src, "open at the end")
			if clock.Elapsed(q.Active, s.time.now) >= promptly/5 {
				s.reportMismatch(who, &q.Value)
			}
		}
		s.lists.close(who, x)
	})
}
