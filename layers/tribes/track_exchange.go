package tribes

import (
	"net/netip"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// kind is the kind of answer that a query wants.
type kind uint8

const (
	kindMatchmaking kind = iota // 0x03: a list or a game info reply
	kindInfo                    // 0x07
	kindGameSpy
)

// queries is how those of an exchange are kept. An answer after just five seconds is in time.
var queries = &ask.Rules{Most: 8, Patience: patience + 1, Newest: true}

// query is a question and its answers.
type query struct {
	spot
	kind   kind
	key    [2]byte
	hasKey bool  // one that is too short for a key may be answered with any
	number uint8 // of the packet wanted

	verification bool // a master sent it
	wantsName    bool
	keysKnown    bool // all that it asks for

	strange *strange // an answer with another key, while there is no right one; nil: none

	seen   bool            // it is in the capture; otherwise its answer shows that it was sent
	by     [2]byte         // the key of the last answer
	answer *list           // nil if there was none yet or it is over
	many   *netip.AddrPort // its destination, if that may be a broadcast address; else nil
}

// exchange is what two endpoints asked and answered lately.
type exchange struct {
	queries ask.List[query]
	lists   []*list // that are not over
	used    int64   // when something was added last
	use     uint64  // the serial number of its last use, see tracker.uses

	// Of the deadlines.
	due           int64
	before, after uint32
}

// held is how many bytes an exchange holds besides itself.
func (x *exchange) held() int {
	n := x.queries.Held() + cap(x.lists)*8
	for i := range x.queries.Len() {
		if x.queries.At(i).Value.strange != nil {
			n += int(unsafe.Sizeof(strange{}))
		}
	}
	for _, l := range x.lists {
		n += l.held()
	}
	return n
}

// heldByMany is the same for queries to many.
func heldByMany(l *ask.List[query]) int {
	return l.Held() + l.Len()*int(unsafe.Sizeof(netip.AddrPort{}))
}

// strange is an answer with a key or a sequence that is not the query's. If its own query is missing in the capture,
// the other one is answered as well.
type strange struct {
	spot
	key [2]byte
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

// noteQuery handles a query.
func (t *tracker) noteQuery(p *wire.Place, q query) {
	q.spot, q.seen = t.spotOf(p), true
	who := pairOf(p.Src, p.Dst)
	t.countQuery(p, &q, p.Dst, p.Src, "asked")
	x := t.exchange(p.Lane, who)
	if q.kind == kindMatchmaking && !q.verification {
		t.expectList(who, x, &q)
	}
	if x.queries.Len() == 0 {
		t.inQueries.Make(hostOf(p.Src))
		t.inQueries.Make(hostOf(p.Dst))
	}
	t.addQuery(&x.queries, q)
	if mayBroadcast(p.Dst.Addr()) {
		to := p.Dst
		q.answer, q.many = nil, &to
		t.addQuery(t.broadcasts.Make(who.client), q)
	}
}

// exchange gives the exchange of a pair, to which the caller adds something that is due after patience.
func (t *tracker) exchange(lane uint32, who pair) *exchange {
	x := t.exchanges.MakeAt(lane, who)
	due := clock.Add(t.now, patience+1)
	switch {
	case x.use == 0: // it is new
		t.link(t.exchanges.Slot(), x, due)
	case x.due > due:
		t.unlink(x)
		t.link(t.exchanges.Slot(), x, due)
	}
	t.uses++
	x.use, x.used = t.uses, t.now
	return x
}

// known gives the exchange of a pair, nil if there is none.
func (t *tracker) known(lane uint32, who pair) *exchange {
	x := t.exchanges.GetAt(lane, who)
	if x != nil {
		t.uses++
		x.use = t.uses
	}
	return x
}

// like reports whether no answer can tell two queries apart.
func (q *query) like(o *query) bool {
	return q.kind == o.kind && q.hasKey == o.hasKey && q.key == o.key
}

// addQuery adds a query to others. It takes the place of one that has its answer and cannot be told from it.
func (t *tracker) addQuery(to *ask.List[query], q query) *ask.Question[query] {
	replaced := -1
	for i := range to.Len() {
		o := to.At(i)
		o.More = o.Value.answer != nil
		if replaced < 0 && o.Value.seen && o.Answers > 0 && !o.More && o.Value.like(&q) {
			replaced = i
		}
	}
	if replaced >= 0 {
		to.Delete(replaced)
	}
	return to.Ask(queries, t.now, q, nil)
}

// How well a query fits a reply.
const (
	fitsNot     = iota
	fitsLate    // the time to answer is over
	fitsOther   // it has another key
	fitsKeyless // it has none
	fitsKey
)

// fit gives how well a query fits a reply. If again is set, a query has many answers; else only copies of its answer
// fit a query with an answer.
func (r *reply) fit(q *ask.Question[query], from netip.AddrPort, now int64, again bool) int {
	v := &q.Value
	free := again || q.Answers == 0 || r.key == nil || v.by == *r.key
	switch {
	case v.kind != r.kind || v.many != nil && !reaches(*v.many, from):
	case !q.Open(queries, now):
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

// reply is an answer and the query that it belongs to.
type reply struct {
	exchange *exchange            // of the two; nil if there is none
	query    *ask.Question[query] // nil if it is not known
	stranger bool                 // no open query has its key
	copies   bool                 // its query was sent to many
	kind     kind
	key      *[2]byte
	unasked  bool                 // no query is open
	late     *ask.Question[query] // the last query that was open, if unasked
}

// matchReply finds the query for a reply. A nil key is one that the reply is too short for.
func (t *tracker) matchReply(p *wire.Place, k kind, key *[2]byte, again bool) reply {
	lane, who := wire.ReverseLane(p.Lane), pairOf(p.Dst, p.Src)
	r := reply{kind: k, key: key, exchange: t.known(lane, who)}
	complete, best := true, fitsNot
	if x := r.exchange; x != nil {
		complete = x.queries.Complete(queries, t.now)
		fit := func(q *ask.Question[query]) int { return r.fit(q, p.Src, t.now, again) }
		if q := x.queries.Find(queries, fit); q != nil {
			r.query, best = q, fit(q)
		}
	}
	var many *ask.List[query]
	if best < fitsKey && t.broadcasts.Len() > 0 {
		many = t.broadcasts.Get(who.client)
	}
	if many != nil {
		complete = complete && many.Complete(queries, t.now)
		fit := func(q *ask.Question[query]) int { return r.fit(q, p.Src, t.now, true) }
		if q := many.Find(queries, fit); q != nil && fit(q) > max(best, fitsLate) {
			r.query, best, r.copies = q, fit(q), true
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
		case r.query.Answers > 0 && !r.copies: // it has a reply of its own
			r.unasked, r.query = true, nil
		default:
			r.stranger = true
		}
	}
	return r
}

// noteAnswered notes that a query has an answer, and with it all those that it cannot be told from.
func (t *tracker) noteAnswered(p *wire.Place, r *reply) {
	q := r.query
	if q == nil || r.stranger {
		return
	}
	x := r.exchange
	if r.copies {
		if x == nil || len(x.lists) == 0 { // a list is one answer
			t.countQuery(p, &q.Value, p.Src, p.Dst, "answered")
		}
		r.noteAnswer(q)
		x = t.known(0, pairOf(p.Dst, *q.Value.many))
	}
	if x == nil {
		return
	}
	x.used = t.now
	for i := range x.queries.Len() {
		if o := x.queries.At(i); o == q || o.Value.like(&q.Value) && o.Open(queries, t.now) {
			if o.Answers == 0 && o.Value.seen && !r.copies {
				t.countQuery(p, &o.Value, p.Src, p.Dst, "answered")
			}
			r.noteAnswer(o)
		}
	}
}

// noteAnswer notes that the reply answers a query.
func (r *reply) noteAnswer(q *ask.Question[query]) {
	q.Answers++
	if r.key != nil {
		q.Value.by = *r.key
	}
}

// knowsQueries reports whether the capture has the queries of a reply's receiver, though the capture has just begun: an
// answer to an earlier query comes before the answer to a later one. A client that waits for a list has hardly asked
// for another, and asks for single packets after the list. If neither host is in a query, the capture may lack queries.
func (t *tracker) knowsQueries(l wire.Layer, p *wire.Place, r *reply) bool {
	switch {
	case t.inQueries.Get(hostOf(p.Dst)) == nil && t.inQueries.Get(hostOf(p.Src)) == nil, t.forgot.Within(t.now, patience):
		return false
	case clock.Elapsed(t.start, t.now) > patience:
		return true
	}
	if _, list := l.Core().Body.(*MasterListReply); list {
		if t.askers.Get(endpointOf(p.Dst)) != nil {
			return true
		}
	}
	return r.exchange != nil && r.exchange.queries.Find(queries, func(q *ask.Question[query]) int {
		return btoi(q.Value.seen && q.Value.kind == r.kind && q.Value.number == AllPackets)
	}) != nil
}

// reportUnasked reports a reply without a query, and whether it is one.
func (t *tracker) reportUnasked(l wire.Layer, p *wire.Place, r *reply) bool {
	if !r.stranger && !r.unasked || !t.knowsQueries(l, p, r) {
		return false
	}
	switch {
	case r.stranger && r.kind != kindGameSpy && *r.key == [2]byte{r.query.Value.key[1], r.query.Value.key[0]}:
		l.Core().Report(ruleUnknownKey, 4, 2, "the open query of %s to %s has this key turned round", p.Dst, p.Src)
	case r.stranger:
		r.query.Value.strange = &strange{t.spotOf(p), *r.key}
	case r.late != nil:
		s, _ := seconds(r.late.Asked, t.now)
		reportHeader(l, ruleUnsolicited, "the query was %.3f s ago, which is too long", s)
	default:
		reportHeader(l, ruleUnsolicited, "%s has no query open to %s", p.Dst, p.Src)
	}
	return r.unasked
}
