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

// query is a question and its answers.
type query struct {
	compactPlace
	kind   kind
	key    [2]byte
	hasKey bool  // a query too short for a key may be answered with any key
	number uint8 // of the requested packet

	verification bool // sent by a master
	wantsName    bool
	keysKnown    bool // all requested keys
	manner       manner

	seen      bool    // in the capture; otherwise only its answer shows that it was sent
	answerKey [2]byte // of the last answer

	rare *rareQuery // nil: zero
}

// rareQuery is what few queries have.
type rareQuery struct {
	mismatch  *mismatch      // nil if there is none
	answer    *list          // nil if there was none yet, or it is over
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

// mismatch is an answer whose key or sequence differs from that of the query, which has no right answer so far. If the
// capture lacks the query of a mismatch, the other query is answered too.
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
		q.wantsName = q.wantsName || string(k) == "s_name"
	}
	q.keysKnown = len(m.Trailing) == 0
	return q
}

// isLike reports whether no answer can distinguish two queries.
func (q *query) isLike(o *query) bool {
	return q.kind == o.kind && q.hasKey == o.hasKey && q.key == o.key
}

// count counts an outcome of the query by the client's host, since most clients ask from a new port each time.
// Verifications by masters are in the table "listing".
func (q *query) count(r *reporter, p *wire.Place, server, asker netip.AddrPort, what string) {
	if r.Value == nil || q.verification {
		return
	}
	r.Measured(wire.Value{Place: *p, Table: queryTable, Server: server, Who: asker.Addr().String(), What: what,
		Number: 1})
}

// addQuery adds a query to a list. It replaces an answered query that no answer can distinguish from it.
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

// exchange is what two endpoints recently asked and answered.
type exchange struct {
	queries ask.List[query]
	open    *[]*list // lists that are not over yet; nil: there was none
	used    int64    // time of the last addition

	// Fields of the timer wheel.
	due           int64
	before, after uint32
	use           uint32 // serial number of its last use
}

// lists returns the lists that are not over yet.
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

// next returns the time at which the exchange is due next.
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

// list is a master's list, with the packets received so far.
type list struct {
	asked      clock.Moment // time of the query in its packet; never if not known
	asks       int          // queries for the whole list that its packets cannot distinguish
	closed     bool         // the client accepts no more of it
	askedAgain bool         // the client requested a missing packet of it

	partial bool // only a part was requested, or it began before the capture: missing packets prove nothing

	came    int // packets, including repeated ones
	total   uint8
	least   uint8 // the smallest total in its packets
	id      uint16
	first   int64 // time of its first packet
	newest  int64 // time of the last packet that was new
	last    compactPlace
	when    int64        // time of the last packet, by the capture's clock
	packets []listPacket // received, by number
	servers int          // in all packets
	seen    serverSet
}

// listPacket is what is kept of a packet of a list.
type listPacket struct {
	compactPlace
	size   int32
	hash   uint64 // of name, message of the day and servers
	number uint8
	count  uint8
	whole  bool // completely captured and readable
}

func (l *list) held() int {
	return int(unsafe.Sizeof(*l)) + cap(l.packets)*int(unsafe.Sizeof(listPacket{})) + cap(l.seen.places)*8
}

// find returns the index of a received packet.
func (l *list) find(number uint8) (at int, found bool) {
	if n := len(l.packets); n == 0 || number > l.packets[n-1].number {
		return n, false // usual, since most come in order
	}
	return slices.BinarySearchFunc(l.packets, number, func(p listPacket, number uint8) int {
		return cmp.Compare(p.number, number)
	})
}

// missing returns the number of missing packets and the number of the first one.
func (l *list) missing() (n, first int) {
	came, last := l.find(l.least)
	first = sort.Search(came, func(i int) bool { return int(l.packets[i].number) > i+1 }) + 1
	return int(l.least) - came - btoi(last), first
}

func (l *list) complete() bool {
	n, _ := l.missing()
	return l.came > 0 && n == 0
}
