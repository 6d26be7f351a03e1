package tribes

import (
	"cmp"
	"slices"
	"sort"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// list is a master's list, with the packets that came so far.
type list struct {
	asked      clock.Moment // of the query, by the time of its packet; never if it is not known
	asks       int          // queries for the whole list that its packets cannot be told by
	askedAgain bool         // the client asked for a packet of it that had not come

	partial bool // a part of it was asked for, or it began before the capture: what is missing tells nothing

	came    int // packets, the same again included
	total   uint8
	least   uint8 // the smallest total that one of its packets had
	id      uint16
	first   int64 // the time of its first packet
	last    spot
	when    int64     // the last packet came, by the capture's clock
	packets []portion // that came, by number
	servers int       // in all packets
	seen    serverSet
}

// portion is what is remembered of a packet of a list.
type portion struct {
	spot
	size   int32
	hash   uint64 // of name, message of the day and servers
	number uint8
	count  uint8
	whole  bool // all of it was captured and could be read
}

// held is how many bytes a list takes.
func (l *list) held() int {
	return int(unsafe.Sizeof(*l)) + cap(l.packets)*int(unsafe.Sizeof(portion{})) + cap(l.seen.places)*8
}

// find gives the place of a packet in those that came.
func (l *list) find(number uint8) (at int, found bool) {
	if n := len(l.packets); n == 0 || number > l.packets[n-1].number {
		return n, false // mostly they come in order
	}
	return slices.BinarySearchFunc(l.packets, number, func(p portion, number uint8) int {
		return cmp.Compare(p.number, number)
	})
}

// missing counts the packets that did not come and gives the number of the first.
func (l *list) missing() (n, first int) {
	came, last := l.find(l.least)
	first = sort.Search(came, func(i int) bool { return int(l.packets[i].number) > i+1 }) + 1
	return int(l.least) - came - btoi(last), first
}

func (l *list) complete() bool {
	n, _ := l.missing()
	return l.came > 0 && n == 0
}

// expectList handles a query for a list or a packet of one. A client that asks again with the same key, or with none,
// may get the list twice, and no packet shows to which query it belongs.
func (t *tracker) expectList(who pair, x *exchange, q *query) {
	if q.number != AllPackets {
		if q.answer = newest(x); q.answer != nil {
			_, came := q.answer.find(q.number)
			q.answer.askedAgain = q.answer.askedAgain || !came && q.number <= q.answer.least
		}
		return
	}
	for i := x.queries.Len() - 1; i >= 0; i-- {
		o := x.queries.At(i)
		if o.Value.number != AllPackets || !o.Value.like(q) || !o.Open(queries, t.now) {
			continue
		}
		l := o.Value.answer
		switch {
		case l != nil && l.complete() && l.came >= l.asks*int(l.total):
			t.finishList(who, x, l) // what comes now belongs to the new one
			return
		case l == nil && o.Answers > 0:
			return
		case l == nil:
			l = t.beginList(x, &o.Value)
			o.Value.answer = l
		}
		l.asks++
		q.answer = l
		return
	}
}

func newest(x *exchange) *list {
	if n := len(x.lists); n > 0 {
		return x.lists[n-1]
	}
	return nil
}

// beginList begins a list; the query is nil where it is not known.
func (t *tracker) beginList(x *exchange, q *query) *list {
	if len(x.lists) == maxLists {
		t.release(x, x.lists[0])
	}
	var l *list
	if last := len(t.spare) - 1; last >= 0 {
		l, t.spare = t.spare[last], t.spare[:last]
	} else {
		l = new(list)
	}
	*l = list{asks: 1, when: t.now, packets: l.packets}
	l.partial = q == nil || !q.seen || q.number != AllPackets
	if q != nil && q.seen {
		l.asked = clock.At(q.time)
	}
	if q != nil && q.number != AllPackets {
		l.asks = 0
	}
	x.lists = append(x.lists, l)
	return l
}

// release forgets a list, and keeps its memory for another one.
func (t *tracker) release(x *exchange, l *list) {
	x.lists = slices.DeleteFunc(x.lists, func(o *list) bool { return o == l })
	for i := range x.queries.Len() {
		if q := &x.queries.At(i).Value; q.answer == l {
			q.answer = nil
		}
	}
	t.forgetServers(l)
	if len(t.spare) < maxSpare && cap(l.packets) <= maxSparePackets {
		*l = list{packets: l.packets[:0]}
		t.spare = append(t.spare, l)
	}
}

// noteListPacket handles a packet of a list.
func (t *tracker) noteListPacket(l wire.Layer, p *wire.Place, m *MasterListReply) {
	core := l.Core()
	if len(core.Contents) < minimum {
		t.noteKeylessAnswer(p, kindMatchmaking)
		return
	}
	r := t.matchReply(p, kindMatchmaking, &m.Key, true)
	t.noteAnswered(p, &r)
	unsolicited := t.reportUnasked(l, p, &r)
	who := pairOf(p.Dst, p.Src)
	x := t.exchange(wire.ReverseLane(p.Lane), who)
	t.finishLate(who, x)
	switch {
	case r.query != nil:
		if t.askers.Len() > 0 {
			t.askers.Delete(who.client)
		}
		r.query.Active = t.now
	case r.unasked && !unsolicited:
		r.query = t.addQuery(&x.queries, query{spot: t.spotOf(p), number: AllPackets})
		r.query.Answers = 1
	}
	if r.copies {
		r.query = nil // several masters may answer
	}
	wanted := t.checkNumber(l, x, &r, m)
	t.addPacket(l, p, x, t.listOf(x, r.query), wanted)
}

// checkNumber reports whether a packet has the number that the query asked for.
func (t *tracker) checkNumber(l wire.Layer, x *exchange, r *reply, m *MasterListReply) bool {
	q := r.query
	if q == nil || r.stranger || q.Value.number == AllPackets {
		return true
	}
	for i := range x.queries.Len() {
		o := x.queries.At(i)
		v := &o.Value
		if v.like(&q.Value) && o.Open(queries, t.now) && (v.number == AllPackets || v.number == m.Number) {
			return true
		}
	}
	l.Core().Report(ruleWrongNumber, 2, 1, "packet %d came, packet %d was asked for", m.Number, q.Value.number)
	return false
}

// listOf gives the list that the answer to a query belongs to.
func (t *tracker) listOf(x *exchange, asked *ask.Question[query]) *list {
	var q *query
	if asked != nil {
		q = &asked.Value
	}
	last := newest(x)
	switch {
	case q != nil && q.answer != nil:
		return q.answer
	case q != nil && q.number == AllPackets:
		q.answer = t.beginList(x, q)
		return q.answer
	case q == nil && last != nil && last.complete():
		last = nil
	}
	if last == nil {
		last = t.beginList(x, q)
	}
	if q != nil {
		q.answer = last
	}
	return last
}

// addPacket adds a packet to its list. One that was not wanted may well come again.
func (t *tracker) addPacket(l wire.Layer, p *wire.Place, x *exchange, s *list, wanted bool) {
	core := l.Core()
	m := core.Body.(*MasterListReply)
	if s.came == 0 {
		s.first, s.total, s.least, s.id = p.Time, m.Total, m.Total, m.MasterID
	}
	s.came++
	s.last, s.when, s.least = t.spotOf(p), t.now, min(s.least, m.Total)
	// A query that the capture lacks may have brought another list: it comes behind a whole one, or later.
	one := s.asks == 1 && !s.partial && !s.complete() && clock.Elapsed(s.first, p.Time) < oneList
	if one && m.Total != s.total {
		core.Report(ruleTotal, 3, 1, "%d packets in all, the first packet of this list said %d", m.Total, s.total)
	}
	if one && m.MasterID != s.id {
		core.Report(ruleMaster, 6, 2, "master %d, the first packet of this list is from %d", m.MasterID, s.id)
	}
	if m.Number == 0 {
		return
	}
	next := portion{spot: s.last, size: int32(core.Size()), number: m.Number, count: 1,
		whole: core.Fault() == nil && !core.Truncated()}
	if next.whole {
		next.hash = m.hash()
	}
	at, again := s.find(m.Number)
	if again {
		old := &s.packets[at]
		next.count = old.count + uint8(btoi(old.count < 255))
		if wanted && int(next.count) > s.allowed(x, m.Number) {
			old.count = next.count
			compareCopies(l, old, &next, one)
			return
		}
		*old = next
	} else {
		s.packets = slices.Insert(s.packets, at, next)
		if next.whole {
			s.servers += len(m.Servers)
			t.checkRepeated(l, s, m)
		}
	}
	t.listServers(p, m, s, &next)
	if s.complete() && s.packets[len(s.packets)-1].number >= s.total {
		t.forgetServers(s) // no other packet will come to repeat them
	}
}

// allowed is how often a packet was asked for.
func (l *list) allowed(x *exchange, number uint8) int {
	n := l.asks
	for i := range x.queries.Len() {
		v := &x.queries.At(i).Value
		n += btoi(v.number == number && v.answer == l)
	}
	return n
}

// compareCopies checks a packet that comes once more than it was asked for. one says that both belong to one list.
func compareCopies(l wire.Layer, old, again *portion, one bool) {
	switch {
	case !old.whole || !again.whole:
	case old.hash == again.hash:
		reportHeader(l, ruleDuplicate, "packet %d was there in frame %d", old.number, old.frame)
	case one:
		reportHeader(l, ruleConflict, "packet %d was there in frame %d and said something else", old.number, old.frame)
	}
}

// finishLate checks the lists without a packet for a while.
func (t *tracker) finishLate(who pair, x *exchange) {
	for i := 0; i < len(x.lists); {
		if l := x.lists[i]; clock.Elapsed(l.when, t.now) > patience {
			t.finishList(who, x, l)
		} else {
			i++
		}
	}
}

// finishList checks a list when no more of it is expected.
func (t *tracker) finishList(who pair, x *exchange, l *list) {
	if l.came > 0 {
		t.checkComplete(who, l)
		t.checkFilled(who, l)
		t.measureList(who, l)
	}
	t.release(x, l)
}

func (t *tracker) checkComplete(who pair, l *list) {
	n, first := l.missing()
	if n == 0 || l.partial {
		return
	}
	about := t.place(&l.last, who.server, who.client)
	rule := ruleIncomplete
	if l.askedAgain {
		rule = ruleStillMissing
	}
	if n == 1 {
		t.reporter.Report(about, rule, "packet %d of %d is not in the capture", first, l.total)
		return
	}
	t.reporter.Report(about, rule, "%d of %d packets are not in the capture, the first is %d", n, l.total, first)
}

// checkFilled looks for packets, other than the last, with room for another server.
func (t *tracker) checkFilled(who pair, l *list) {
	largest := int32(0)
	for i := range l.packets {
		if p := &l.packets[i]; p.whole {
			largest = max(largest, p.size)
		}
	}
	for i := range l.packets {
		p := &l.packets[i]
		if room := largest - p.size; p.whole && p.number < l.total && room >= serverSize {
			t.reporter.Report(t.place(&p.spot, who.server, who.client), ruleUnderfilled,
				"packet %d has %d bytes, the largest of the list %d", p.number, p.size, largest)
		}
	}
}

// measureList tells how large a list was and how long it took.
func (t *tracker) measureList(who pair, l *list) {
	if l.partial {
		return
	}
	p := t.place(&l.last, who.server, who.client)
	master := who.server.addrPort()
	missing, _ := l.missing()
	what := "complete"
	if missing > 0 {
		what = "incomplete"
	}
	t.measured(p, lists, master, what, 1, "")
	t.measured(p, lists, master, "list length", float64(int(l.least)-missing), "packets")
	t.measured(p, lists, master, "list size", float64(l.servers), "servers")
	if !l.asked.Known() {
		return
	}
	if s, ok := seconds(l.asked.When(), l.first); ok {
		t.measured(p, lists, master, "time to first packet", s, "s")
	}
	if s, ok := seconds(l.asked.When(), l.last.time); ok {
		t.measured(p, lists, master, "time to last packet", s, "s")
	}
}
