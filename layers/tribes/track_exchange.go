package tribes

import (
	"cmp"
	"net/netip"
	"slices"
	"sort"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// kind is the kind of answer that a query asks for.
type kind uint8

const (
	kindMatchmaking kind = iota // 0x03: a list or a game info reply
	kindInfo                    // 0x07
	kindGameSpy
)

// queryRules are the rules of an exchange. An answer after exactly five seconds is in time.
var queryRules = &ask.Rules{Most: 8, Patience: patience + 1, Newest: true}

// query is a query with the state of its answer.
type query struct {
	compactPlace
	kind   kind
	key    [2]byte
	hasKey bool  // if not set, the query is too short for a key, and its answer may have any key
	number uint8 // number of the requested packet

	verification bool // sent by a master
	requestsName bool
	keysKnown    bool // all requested keys were read
	manner       manner

	seen      bool    // the capture has the query; otherwise only its answer shows that it was sent
	answerKey [2]byte // key of the last answer

	rare *rareQuery // nil if all its fields are zero
}

// rareQuery has the fields that few queries need.
type rareQuery struct {
	mismatch  *mismatch      // nil if there is none
	answer    *list          // nil if there is none, or if it is finished
	broadcast netip.AddrPort // destination that may be a broadcast address
}

func (q *query) mismatch() *mismatch {
	if q.rare == nil {
		return nil
	}
	return q.rare.mismatch
}

func (q *query) answer() *list {
	if q.rare == nil {
		return nil
	}
	return q.rare.answer
}

func (q *query) setAnswer(l *list) {
	if q.answer() != l {
		q.makeRare().answer = l
	}
}

func (q *query) makeRare() *rareQuery {
	if q.rare == nil {
		q.rare = new(rareQuery)
	}
	return q.rare
}

// mismatch is an answer whose key or sequence differs from that of its query. The query has no correct answer yet. The
// mismatch may belong to a query that the capture lacks. In that case, the correct answer comes, too.
type mismatch struct {
	compactPlace
	key [2]byte
}

func matchmakingQuery(m *Query, verification bool) query {
	q := query{kind: kindMatchmaking, number: m.Number, key: m.Key, hasKey: m.HasKey, verification: verification}
	if !m.HasNumber {
		q.number = AllPackets
	}
	for _, k := range m.Keys {
		q.requestsName = q.requestsName || string(k) == "s_name"
	}
	q.keysKnown = len(m.Trailing) == 0
	return q
}

// isLike reports whether two queries are so similar that the same answer fits both.
func (q *query) isLike(o *query) bool {
	return q.kind == o.kind && q.hasKey == o.hasKey && q.key == o.key
}

// count counts an outcome of the query. It counts by the host of the client, because most clients use a new port for
// each query. Verifications by masters are counted in the table "listing" instead.
func (q *query) count(r *reporter, p *wire.Place, server, asker netip.AddrPort, what string) {
	if r.Value == nil || q.verification {
		return
	}
	r.Measured(wire.Value{Place: *p, Table: queryTable, Server: server, Who: asker.Addr().String(), What: what,
		Number: 1})
}

// addQuery adds a query to a list. If an answered query is like the new one, addQuery replaces it.
func addQuery(to *ask.List[query], q query, now int64) *ask.Question[query] {
	replaced := -1
	for i := range to.Len() {
		o := to.At(i)
		o.More = o.Value.answer() != nil
		if replaced < 0 && o.Value.seen && o.Answers > 0 && !o.More && o.Value.isLike(&q) {
			replaced = i
		}
	}
	if replaced >= 0 {
		if old := to.At(replaced).Value.rare; q.rare == nil && old != nil {
			*old = rareQuery{}
			q.rare = old
		}
		to.Delete(replaced)
	}
	return to.Ask(queryRules, now, q, nil)
}

// exchange holds the recent queries and answers between two endpoints.
type exchange struct {
	queries ask.List[query]
	open    *[]*list // unfinished lists; nil: there was no list
	used    int64    // time of the last addition

	// These fields belong to the timer wheel.
	due           moment
	before, after uint32
	use           uint32 // serial number of its last use
}

// lists returns the unfinished lists.
func (x *exchange) lists() []*list {
	if x.open == nil {
		return nil
	}
	return *x.open
}

func (x *exchange) setLists(lists []*list) {
	if x.open == nil {
		x.open = new([]*list)
	}
	*x.open = lists
}

func (r *rareQuery) held() (n int) {
	if r != nil {
		n = int(unsafe.Sizeof(*r))
		if r.mismatch != nil {
			n += int(unsafe.Sizeof(*r.mismatch))
		}
	}
	return n
}

func (x *exchange) held() int {
	n := x.queries.Held()
	for i := range x.queries.Len() {
		n += x.queries.At(i).Value.rare.held()
	}
	if x.open != nil {
		n += int(unsafe.Sizeof(*x.open)) + cap(*x.open)*8
	}
	for _, l := range x.lists() {
		n += l.held()
	}
	return n
}

// next returns the next time at which something in the exchange is due.
func (x *exchange) next() int64 {
	when := clock.Add(x.used, memory+1)
	for _, l := range x.lists() {
		when = min(when, clock.Add(l.when, patience+1))
	}
	for i := range x.queries.Len() {
		if q := x.queries.At(i); q.Answers == 0 && !q.Overdue() {
			when = min(when, clock.Add(q.Active, queryRules.Patience))
		}
	}
	return when
}

func (x *exchange) newestList() *list {
	if all := x.lists(); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// timesAsked returns how often a packet of a list was requested.
func (x *exchange) timesAsked(l *list, number uint8) int {
	n := l.asks
	for i := range x.queries.Len() {
		v := &x.queries.At(i).Value
		n += btoi(v.number == number && v.answer() == l)
	}
	return n
}

// list is a master's list with the packets received so far.
type list struct {
	asked      clock.Moment // time of the query for its packets, if known
	asks       int          // number of queries for the whole list that its packets may answer
	closed     bool         // the client accepts no more packets
	askedAgain bool         // the client requested a missing packet

	partial bool // missing packets prove nothing: the client requested only a part, or the list began before the capture

	came    int // number of packets, including repeated ones
	total   uint8
	least   uint8 // the smallest total in a packet
	id      uint16
	first   int64 // time of the first packet
	newest  int64 // time of the last packet that was not a repetition
	last    compactPlace
	when    int64        // time of the last packet, in capture time
	packets []listPacket // received packets, ordered by number
	servers int          // number of servers in all packets
	seen    serverSet
}

// listPacket is the part of a list's packet that the tracker keeps.
type listPacket struct {
	compactPlace
	size   int32
	hash   uint64 // hash of name, message of the day and servers
	number uint8
	count  uint8
	whole  bool // completely captured and readable
}

func (l *list) held() int {
	return int(unsafe.Sizeof(*l)) + cap(l.packets)*int(unsafe.Sizeof(listPacket{})) + cap(l.seen.places)*8
}

// find returns the index of a received packet, or the index where it would be.
func (l *list) find(number uint8) (at int, found bool) {
	if n := len(l.packets); n == 0 || number > l.packets[n-1].number {
		return n, false // the usual case: most packets come in order
	}
	return slices.BinarySearchFunc(l.packets, number, func(p listPacket, number uint8) int {
		return cmp.Compare(p.number, number)
	})
}

// missing returns the number of missing packets, and the packet number of the first one.
func (l *list) missing() (n, first int) {
	came, last := l.find(l.least)
	first = sort.Search(came, func(i int) bool { return int(l.packets[i].number) > i+1 }) + 1
	return int(l.least) - came - btoi(last), first
}

func (l *list) complete() bool {
	n, _ := l.missing()
	return l.came > 0 && n == 0
}
