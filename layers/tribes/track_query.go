package tribes

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
)

// queries matches replies with their queries.
type queries struct {
	reporter   *reporter
	time       *captureTime
	exchanges  *exchanges
	broadcasts *broadcasts
	coverage   *coverage
	lists      *lists
	manners    *manners
}

// addMatchmaking adds a matchmaking query.
func (s *queries) addMatchmaking(core *wire.Base, m *Query, p *wire.Place) {
	q := matchmakingQuery(m, core.Message == verificationRequest)
	if core.Message == masterQuery && q.number == AllPackets {
		s.coverage.awaitList(p)
	}
	if core.Message == masterQuery {
		s.manners.ask(core, p, &q)
	}
	s.add(p, q)
}

func (s *queries) add(p *wire.Place, q query) {
	q.compactPlace, q.seen = s.reporter.compact(p), true
	who := s.reporter.ends.pair(p.Src, p.Dst)
	q.count(s.reporter, p, p.Dst, p.Src, "asked")
	x := s.exchanges.use(who)
	if q.kind == kindMatchmaking && !q.verification {
		s.lists.expect(who, x, &q)
	}
	if x.queries.Len() == 0 {
		s.coverage.addHosts(p)
	}
	addQuery(&x.queries, q, s.time.now)
	s.broadcasts.add(p, q)
}

// How well a query fits a reply.
const (
	fitsNot     = iota
	fitsLate    // the answer is too late
	fitsOther   // the keys differ
	fitsKeyless // the query has no key
	fitsKey
)

// reply is an answer, together with the query that it answers.
type reply struct {
	exchange   *exchange            // exchange between the two endpoints, or nil
	query      *ask.Question[query] // nil if the query is not known
	mismatched bool                 // no open query has the reply's key
	broadcast  bool                 // the query was broadcast to many hosts
	kind       kind
	key        *[2]byte
	unreadable bool                 // the reply is too short for a key
	unasked    bool                 // there is no open query
	late       *ask.Question[query] // if unasked, the query that was open last
}

// Whether a query may have several answers. If not, only copies of the first answer fit an answered query.
const (
	oneAnswer   = false
	manyAnswers = true
)

// fit returns how well a query fits a reply.
func (r *reply) fit(q *ask.Question[query], from netip.AddrPort, now int64, many bool) int {
	v := &q.Value
	free := many || q.Answers == 0 || r.key == nil || v.answerKey == *r.key
	switch {
	case v.kind != r.kind || v.rare != nil && v.rare.broadcast.IsValid() && !reaches(v.rare.broadcast, from):
	case !q.Open(queryRules, now):
		if q.Answers == 0 {
			return fitsLate
		}
	case r.key != nil && v.hasKey && v.key == *r.key:
		return fitsKey
	case !v.hasKey && free:
		return fitsKeyless
	case free:
		return fitsOther
	}
	return fitsNot
}

// match finds the query that a reply answers. key is nil if the reply is too short for a key.
func (s *queries) match(p *wire.Place, k kind, key *[2]byte, several bool) reply {
	who := s.reporter.ends.pair(p.Dst, p.Src)
	r := reply{kind: k, key: key, exchange: s.exchanges.find(who)}
	complete, best := true, fitsNot
	if x := r.exchange; x != nil {
		complete = x.queries.Complete(queryRules, s.time.now)
		fit := func(q *ask.Question[query]) int { return r.fit(q, p.Src, s.time.now, several) }
		if q := x.queries.Find(queryRules, fit); q != nil {
			r.query, best = q, fit(q)
		}
	}
	var many *ask.List[query]
	if best < fitsKey {
		many = s.broadcasts.find(who.client)
	}
	if many != nil {
		complete = complete && many.Complete(queryRules, s.time.now)
		fit := func(q *ask.Question[query]) int { return r.fit(q, p.Src, s.time.now, true) }
		if q := many.Find(queryRules, fit); q != nil && fit(q) > max(best, fitsLate) {
			r.query, best, r.broadcast = q, fit(q), true
		}
	}
	switch best {
	case fitsNot, fitsLate:
		if r.unasked = complete; r.unasked {
			r.late = r.query
		}
		r.query = nil
	case fitsOther:
		switch {
		case key == nil || !complete:
		case r.query.Answers > 0 && !r.broadcast: // an earlier reply answered it
			r.unasked, r.query = true, nil
		default:
			r.mismatched = true
		}
	}
	return r
}

// answer marks the query of a reply as answered without further checks of the reply.
func (s *queries) answer(p *wire.Place, k kind, key *[2]byte) {
	r := s.match(p, k, key, manyAnswers)
	s.markAnswered(p, &r)
}

// markAnswered marks a query, and all queries that are like it, as answered.
func (s *queries) markAnswered(p *wire.Place, r *reply) {
	q := r.query
	if q == nil || r.mismatched {
		return
	}
	x := r.exchange
	if r.broadcast {
		if x == nil || len(x.lists()) == 0 { // all packets of a list are one answer
			q.Value.count(s.reporter, p, p.Src, p.Dst, r.column())
		}
		r.answer(q)
		x = s.exchanges.find(s.reporter.ends.pair(p.Dst, q.Value.rare.broadcast))
	}
	if x == nil {
		return
	}
	x.used = s.time.now
	s.exchanges.reportOtherKey(s.reporter.ends.pair(p.Dst, p.Src), x, &q.Value)
	for i := range x.queries.Len() {
		if o := x.queries.At(i); o == q || o.Value.isLike(&q.Value) && o.Open(queryRules, s.time.now) {
			if o.Answers == 0 && o.Value.seen && !r.broadcast {
				o.Value.count(s.reporter, p, p.Src, p.Dst, r.column())
				s.manners.answered(p, &o.Value)
			}
			r.answer(o)
		}
	}
}

// column returns the column in which the table of queries counts the reply.
func (r *reply) column() string {
	if r.unreadable {
		return "unreadable"
	}
	return "answered"
}

// answer records that the reply answers a query.
func (r *reply) answer(q *ask.Question[query]) {
	q.Answers++
	if r.key != nil {
		q.Value.answerKey = *r.key
	}
}

// reportUnasked reports a reply that matches no open query. It returns true if there was no open query at all.
func (s *queries) reportUnasked(l wire.Layer, p *wire.Place, r *reply) bool {
	if !r.mismatched && !r.unasked || !s.coverage.hasQueries(l, p, r.exchange, r.kind) {
		return false
	}
	switch {
	case r.mismatched && r.kind != kindGameSpy && *r.key == [2]byte{r.query.Value.key[1], r.query.Value.key[0]}:
		l.Core().Report(ruleUnknownKey, 4, 2, "the open query from %s to %s has this key with the bytes swapped",
			p.Dst, p.Src)
	case r.mismatched:
		r.query.Value.makeRare().mismatch = &mismatch{s.reporter.compact(p), *r.key}
	case r.late != nil:
		d, _ := seconds(r.late.Asked, s.time.now)
		reportHeader(l, ruleUnsolicited, "the query was %.3f s ago, which is too long", d)
	default:
		reportHeader(l, ruleUnsolicited, "%s has no query open to %s", p.Dst, p.Src)
	}
	return r.unasked
}

// measureTime records the response time of an answer if its query is known. For a game server, that is the ping.
func (s *queries) measureTime(p *wire.Place, r *reply, game bool) {
	q := r.query
	if q == nil || !q.Value.seen || r.mismatched || q.Answers > 0 && !r.broadcast || r.broadcast && !game {
		return
	}
	if r.exchange != nil {
		for i := range r.exchange.queries.Len() {
			o := r.exchange.queries.At(i)
			v := &o.Value
			if v.kind == q.Value.kind && v.key == q.Value.key && v.time() != q.Value.time() && o.Open(queryRules, s.time.now) {
				return // the answer may belong to either query
			}
		}
	}
	d, ok := seconds(q.Value.time(), p.Time)
	if !ok || s.reporter.Value == nil {
		return
	}
	v := wire.Value{Place: *p, Table: queryTable, Server: p.Src, Who: p.Dst.Addr().String(), What: "answer time",
		Number: d, Unit: "s", Answer: true}
	if !q.Value.verification {
		s.reporter.Measured(v)
	}
	if game {
		v.Table, v.Who, v.What = serverTable, "", "ping"
		s.reporter.Measured(v)
	}
}
