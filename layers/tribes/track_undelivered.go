package tribes

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
)

var (
	ruleOtherKey = &wire.Rule{
		ID: "tribes.other-key", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "a reply with the wrong key, in addition to the correct reply",
		Why:    "The client's query got a reply with the right key. The client also got this reply, whose key is not the key of any of its open queries. It is forged, or it answers a query that the capture lacks. The game's client ignores it. Simple query tools use the reply that comes first, and may show the servers of a forger.",
		Source: inDocument + ", PACKET TYPE 0x06 ERRATA; " + inEngine,
	}
	ruleClosed = &wire.Rule{
		ID: "tribes.list-not-taken", Severity: wire.Note, Rests: wire.OnPresence, Fact: true,
		Title:  "a client that closes its port before it has the whole list",
		Why:    "An ICMP error says that the client's port is closed. The client of darkstar-query-go reads only one packet of a list, so it misses the servers in the others. Other tools close their port too early.",
		Source: "RFC 1122 section 4.1.3.1; darkstar-query-go, query/Master.go",
	}
)

// undelivered handles an ICMP error about a packet. The packet is a query to an absent server, or an answer to a client
// that no longer waits for it.
func (s *exchanges) undelivered(p *wire.Place) {
	if x := s.find(s.reporter.ends.pair(p.Src, p.Dst)); x != nil && x.refused(s, p) {
		return
	}
	x := s.find(s.reporter.ends.pair(p.Dst, p.Src))
	if x == nil {
		return
	}
	about := *p
	about.Src, about.Dst, about.Lane = p.Dst, p.Src, wire.ReverseLane(p.Lane)
	if l := x.newestList(); l != nil {
		if !l.closed {
			l.closed = true
			s.reporter.Report(&about, ruleClosed, "ICMP: its port is closed while the list comes, %s of %d so far",
				wire.Counted(len(l.packets), "packet"), l.total)
		}
		return
	}
	q := x.queries.Find(queryRules, func(q *ask.Question[query]) int { return btoi(q.Value.seen && q.Answers > 0) })
	if q != nil {
		q.Value.count(s.reporter, &about, p.Src, p.Dst, "not taken")
	}
}

// refused marks the newest unanswered query as undelivered, and reports whether there was such a query.
func (x *exchange) refused(s *exchanges, p *wire.Place) bool {
	for i := x.queries.Len() - 1; i >= 0; i-- {
		q := x.queries.At(i)
		if q.Answers == 0 && !q.Overdue() && q.Value.seen && !q.Value.verification {
			q.Value.count(s.reporter, p, p.Dst, p.Src, "unreachable")
			x.queries.Delete(i)
			return true
		}
	}
	return false
}

// reportOtherKey reports an answer whose key differs from the key of the query. It is called when the correct answer
// comes. It also drops the list packets received so far, so the list can start over.
func (s *exchanges) reportOtherKey(who pair, x *exchange, q *query) {
	m := q.mismatch()
	if m == nil {
		return
	}
	q.rare.mismatch = nil
	if l := q.answer(); l != nil {
		s.lists.release(x, l)
	}
	if m.key == q.key || x.queries.Find(queryRules, func(o *ask.Question[query]) int {
		return btoi(o.Value.kind == q.kind && o.Value.key == m.key)
	}) != nil {
		return // a late answer to another query
	}
	what := "key"
	if q.kind == kindGameSpy {
		what = "sequence"
	}
	about := s.reporter.expand(&m.compactPlace, who.server, who.client)
	s.reporter.Report(about, ruleOtherKey,
		"no query of %s in the capture has %s %x; the right answer, with %x, came as well",
		about.Dst, what, m.key, q.key)
}
