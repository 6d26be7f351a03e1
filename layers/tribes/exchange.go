package tribes

import (
	"math/bits"
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
	list     *list   // that answers it
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
		t.expect(x, &q)
	}
	t.note(x, q)
	if mayBroadcast(p.Dst.Addr()) {
		q.list = nil
		t.note(t.broadcasts.Make(p.Src), q)
	}
}

// note adds a query to an exchange. One that expects nothing more makes room for it, if there is one.
func (t *tracker) note(x *exchange, q query) {
	x.used = t.now
	if len(x.queries) == mostQueries {
		done := slices.IndexFunc(x.queries, func(q query) bool { return !t.open(&q) || q.answered && q.list == nil })
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
		if o := &x.queries[i]; o.kind == q.kind && o.hasKey == q.hasKey && o.key == q.key && t.open(o) {
			answer(o)
		}
	}
}

// knows tells whether the capture shows what the receiver of a reply asked, though it has just begun:
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
	if _, list := l.Part().Body.(*MasterListReply); list && t.askers.Get(p.Dst) != nil {
		return true
	}
	return r.exchange != nil && slices.ContainsFunc(r.exchange.queries, func(q query) bool {
		return q.seen && q.kind == r.kind && q.number == AllPackets
	})
}

// judge reports a reply that nobody asked for. It tells whether that is so.
func (t *tracker) judge(l wire.Layer, p *wire.Place, r *reply) bool {
	if !r.stranger && !r.unasked || !t.knows(l, p, r) {
		return false
	}
	switch {
	case r.stranger:
		l.Part().Report(ruleUnknownKey, 4, 2, "no open query of %s to %s has this key", p.Dst, p.Src)
	case r.late != nil:
		s, _ := elapsed(r.late.when, t.now)
		reportHeader(l, ruleUnsolicited, "the query was %.3f s ago, which is too long", s)
	default:
		reportHeader(l, ruleUnsolicited, "%s has no query open to %s", p.Dst, p.Src)
	}
	return r.unasked
}

// answered sees an answer of which nothing else is to be judged.
func (t *tracker) answered(l wire.Layer, p *wire.Place, k kind, key [2]byte) {
	if k == kindInfo && len(l.Part().Contents) < minimum {
		t.vague(p, k)
		return
	}
	r := t.find(p, k, &key, k == kindInfo)
	t.ping(p, &r)
	t.settle(p, &r)
	if k == kindGameSpy {
		r.stranger = false // a sequence is no key
	}
	t.judge(l, p, &r)
}

// vague sees an answer that lacks its key.
func (t *tracker) vague(p *wire.Place, k kind) {
	r := t.find(p, k, nil, true)
	t.settle(p, &r)
}

// touch sees that a verification got an answer that says nothing.
func (t *tracker) touch(p *wire.Place, m *InfoQuery) {
	if m.HasKey {
		r := t.find(p, kindMatchmaking, &m.Key, true)
		t.settle(p, &r)
	}
}

// informed sees a game info reply.
func (t *tracker) informed(l wire.Layer, p *wire.Place, m *GameInfoReply) {
	part := l.Part()
	var key *[2]byte
	if m.HasKey {
		k := m.Key
		key = &k
	} else if part.Cut() {
		t.vague(p, kindMatchmaking)
		return
	}
	r := t.find(p, kindMatchmaking, key, false)
	t.ping(p, &r)
	t.settle(p, &r)
	if t.judge(l, p, &r) && r.late == nil {
		reportHeader(l, ruleUnasked, "%s sent no 0x03 to %s in the last 30 s that waits for an answer", p.Dst, p.Src)
	}
	if q := r.query; q != nil && q.verification && !part.Cut() {
		checkName(l, m, q)
	}
}

// checkName holds the reply to a verification against what was asked.
func checkName(l wire.Layer, m *GameInfoReply, q *query) {
	switch {
	case m.Layout == ListedInfo:
		if q.wantsName && len(m.Information) == 0 {
			reportHeader(l, ruleNameMissing, "s_name was asked for, no value came")
		}
	case q.wantsName && m.Name == nil:
		reportHeader(l, ruleNameMissing, "s_name was asked for, the packet ends before the name")
	case !q.wantsName && q.keysKnown && len(wire.Trim(m.Name)) > 0:
		off := 10
		if m.Layout == DocumentInfo {
			off = 6
		}
		l.Part().Report(ruleNameUnasked, off, len(m.Name), "s_name was not asked for")
	}
}

// ping measures how long an answer took, where it is known what it answers.
func (t *tracker) ping(p *wire.Place, r *reply) {
	q := r.query
	if q == nil || !q.seen || r.stranger || q.answered && !r.copies {
		return
	}
	if r.exchange != nil {
		for i := range r.exchange.queries {
			o := &r.exchange.queries[i]
			if o.kind == q.kind && o.key == q.key && o.time != q.time && t.open(o) {
				return // either of the two
			}
		}
	}
	if s, ok := elapsed(q.time, p.Time); ok {
		t.measured(p, p.Src, "ping", s, "s")
	}
}

// broadcastBits is the number of low bits, all ones, that an address has at least for us to think
// that it may be that of a whole network. How large networks are a capture does not tell.
const broadcastBits = 5

func mayBroadcast(a netip.Addr) bool { return a.IsMulticast() || lowOnes(a) >= broadcastBits }

// lowOnes is the number of low bits that are all ones, 0 for IPv6, which has no broadcast.
func lowOnes(a netip.Addr) int {
	if a = a.Unmap(); !a.Is4() {
		return 0
	}
	return bits.TrailingZeros32(^ipv4Number(a))
}

func ipv4Number(a netip.Addr) uint32 {
	b := a.As4()
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}

// reaches tells whether what was sent to an address may have reached another: that of a network
// reaches all in it.
func reaches(to, who netip.AddrPort) bool {
	if to.Port() != who.Port() {
		return false
	}
	if to.Addr().IsMulticast() {
		return true
	}
	ones, a := lowOnes(to.Addr()), who.Addr().Unmap()
	if ones < broadcastBits || !a.Is4() {
		return false
	}
	return uint64(ipv4Number(a))>>ones == uint64(ipv4Number(to.Addr().Unmap()))>>ones
}
