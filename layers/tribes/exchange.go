package tribes

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// kind is what a query is answered by.
type kind uint8

const (
	kindMatchmaking kind = iota // 0x03: a list or a game info reply
	kindInfo                    // 0x07
	kindGameSpy
)

// query is a question, and what became of it.
type query struct {
	spot
	server netip.AddrPort
	kind   kind
	key    [2]byte
	hasKey bool  // one that is too short for a key may be answered with any
	number uint8 // of the packet wanted

	verification bool // a master sent it
	wantsName    bool
	keysKnown    bool // all that it asks for

	seen     bool    // it is in the capture; otherwise its answer shows that it was sent
	answered bool    // something came
	by       [2]byte // the key of the last answer
	noted    bool    // that nothing came
	when     int64   // it was sent, by the capture's clock
	last     int64   // the same, or a packet of its list came
	answer   *list   // see list
	serial   uint64
}

// exchange is what two endpoints asked and answered lately, the oldest first.
type exchange struct {
	queries []query
	lists   []*list // that are not over
	used    int64
	forgot  since // more queries than can be remembered
}

func matchmakingQuery(m *Query, verification bool) query {
	q := query{kind: kindMatchmaking, number: m.Number, key: m.Key, hasKey: m.HasKey, verification: verification}
	if !m.HasNumber {
		q.number = AllPackets
	}
	for _, k := range m.Keys {
		q.wantsName = q.wantsName || string(k) == "s_name"
	}
	q.keysKnown = len(m.Trailing) == 0
	return q
}

// asked sees a query.
func (t *tracker) asked(p *wire.Place, q query) {
	q.spot, q.server, q.seen, q.when, q.last = spotOf(p), p.Dst, true, t.now, t.now
	t.queries = true
	x := t.exchanges.Make(pair{p.Src, p.Dst})
	if q.kind == kindMatchmaking && !q.verification {
		t.expect(pair{p.Src, p.Dst}, x, &q)
	}
	t.note(x, q)
	if mayBroadcast(p.Dst.Addr()) {
		q.answer = nil
		t.note(t.broadcasts.Make(p.Src), q)
	}
}

// list is the list that answers a query, nil if none did yet or it is over. Lists are used again.
func (q *query) list() *list {
	if q.answer == nil || q.answer.over || q.answer.serial != q.serial {
		return nil
	}
	return q.answer
}

func (q *query) setList(l *list) {
	q.answer = l
	if l != nil {
		q.serial = l.serial
	}
}

// like reports whether no answer can tell two queries apart.
func (q *query) like(o *query) bool {
	return q.kind == o.kind && q.hasKey == o.hasKey && q.key == o.key
}

// note adds a query to an exchange. It takes the place of one that has its answer and cannot be told
// from it. If there are too many, one that expects nothing more makes room, if there is one.
func (t *tracker) note(x *exchange, q query) {
	x.used = t.now
	for i := range x.queries {
		if o := &x.queries[i]; o.seen && o.answered && o.list() == nil && o.like(&q) {
			x.queries = slices.Delete(x.queries, i, i+1)
			break
		}
	}
	if len(x.queries) == mostQueries {
		done := slices.IndexFunc(x.queries, func(q query) bool { return !t.open(&q) || q.answered && q.list() == nil })
		if done < 0 {
			x.forgot = since{true, t.now}
			done = 0
		}
		x.queries = slices.Delete(x.queries, done, done+1)
	}
	x.queries = append(x.queries, q)
}

func (t *tracker) open(q *query) bool { return !late(q.last, t.now, patience) }

// match is which queries a reply may answer. Of several it is the last.
type match struct {
	same    *query // has the key
	keyless *query // has none
	other   *query // has another one
	late    *query // the time to answer is over
}

// look searches queries. Where again is set, one query has many answers; otherwise an answered query
// is left only to copies of its answer.
func (t *tracker) look(m *match, queries []query, from netip.AddrPort, k kind, key *[2]byte, again bool) {
	for i := range queries {
		q := &queries[i]
		free := again || !q.answered || key == nil || q.by == *key
		switch {
		case q.kind != k || q.server != from && !reaches(q.server, from):
		case !t.open(q):
			if !q.answered {
				m.late = q
			}
		case key != nil && q.hasKey && q.key == *key:
			m.same = q
		case !q.hasKey && free:
			m.keyless = q
		case free:
			m.other = q
		}
	}
}

// reply is an answer and the query that it belongs to.
type reply struct {
	exchange *exchange // of the two; nil if there is none
	query    *query    // nil if it is not known
	stranger bool      // no open query has its key
	copies   bool      // its query was sent to many
	kind     kind
	key      *[2]byte
	unasked  bool   // no query is open
	late     *query // unasked: the one that was
}

// find finds the query for a reply. A nil key is one that the reply is too short for.
func (t *tracker) find(p *wire.Place, k kind, key *[2]byte, again bool) reply {
	var here, there match
	r := reply{kind: k, key: key, exchange: t.exchanges.Get(pair{p.Dst, p.Src})}
	if r.exchange != nil {
		t.look(&here, r.exchange.queries, p.Src, k, key, again)
	}
	var many *exchange
	if t.broadcasts.Len() > 0 {
		many = t.broadcasts.Get(p.Dst)
	}
	if many != nil {
		t.look(&there, many.queries, p.Src, k, key, true)
	}
	forgot := r.exchange != nil && t.recent(r.exchange.forgot) || many != nil && t.recent(many.forgot)
	switch {
	case here.same != nil:
		r.query = here.same
	case there.same != nil:
		r.query, r.copies = there.same, true
	case here.keyless != nil:
		r.query = here.keyless
	case there.keyless != nil:
		r.query, r.copies = there.keyless, true
	case here.other != nil:
		r.query, r.stranger = here.other, key != nil && !forgot
	case there.other != nil:
		r.query, r.stranger, r.copies = there.other, key != nil && !forgot, true
	case !forgot:
		r.unasked, r.late = true, here.late
	}
	return r
}

// settle notes that a query has an answer, and with it all those that it cannot be told from.
func (t *tracker) settle(p *wire.Place, r *reply) {
	q := r.query
	if q == nil {
		return
	}
	answer := func(q *query) {
		q.answered = true
		if r.key != nil {
			q.by = *r.key
		}
	}
	answer(q)
	x := r.exchange
	if r.copies {
		x = t.exchanges.Get(pair{p.Dst, q.server})
	}
	if x == nil {
		return
	}
	x.used = t.now
	for i := range x.queries {
		if o := &x.queries[i]; o.like(q) && t.open(o) {
			answer(o)
		}
	}
}

// knows reports whether the capture shows what the receiver of a reply asked, though it has just begun:
// an answer to a query before it would have come before that to a query in it. Somebody who asked for a
// list and has none yet has hardly asked for another. A single packet is asked for after the list. Where
// there are no queries at all, the capture lacks one direction.
func (t *tracker) knows(l wire.Layer, p *wire.Place, r *reply) bool {
	switch {
	case !t.queries || t.recent(t.forgot):
		return false
	case late(t.start, t.now, patience):
		return true
	}
	if _, list := l.Core().Body.(*MasterListReply); list {
		if asks := t.askers.Get(p.Dst); asks != nil && *asks {
			return true
		}
	}
	return r.exchange != nil && slices.ContainsFunc(r.exchange.queries, func(q query) bool {
		return q.seen && q.kind == r.kind && q.number == AllPackets
	})
}

// judge reports a reply that nobody asked for. It reports whether that is so.
func (t *tracker) judge(l wire.Layer, p *wire.Place, r *reply) bool {
	if !r.stranger && !r.unasked || !t.knows(l, p, r) {
		return false
	}
	switch {
	case r.stranger:
		l.Core().Report(ruleUnknownKey, 4, 2, "no open query of %s to %s has this key", p.Dst, p.Src)
	case r.late != nil:
		s, _ := elapsed(r.late.when, t.now)
		reportHeader(l, ruleUnsolicited, "the query was %.3f s ago, which is too long", s)
	default:
		reportHeader(l, ruleUnsolicited, "%s has no query open to %s", p.Dst, p.Src)
	}
	return r.unasked
}
