package tribes

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// list is a master's list as far as it has come.
type list struct {
	asked   since // of the query, by the time of its packet; never if it is not known
	asks    int   // queries for the whole list that its packets cannot be told by
	partial bool  // a part of it was asked for, or it began before the capture: what is missing tells nothing
	over    bool  // nothing is added any more
	serial  uint64

	came        int // packets, the same again included
	total       uint8
	least       uint8 // the smallest total that one of its packets had
	id          uint16
	first, last spot
	when        int64     // the last packet came, by the capture's clock
	packets     []portion // by number, from 1
	servers     int       // in all packets
	seen        serverTable
}

// portion is what is remembered of a packet of a list.
type portion struct {
	spot
	hash  uint64 // of name, message of the day and servers
	size  int32
	count uint8
	whole bool // all of it was captured and could be read
}

// missing counts the packets that did not come and gives the number of the first.
func (l *list) missing() (n, first int) {
	for i := range int(l.least) {
		if i >= len(l.packets) || l.packets[i].count == 0 {
			if n == 0 {
				first = i + 1
			}
			n++
		}
	}
	return n, first
}

func (l *list) complete() bool {
	n, _ := l.missing()
	return l.came > 0 && n == 0
}

// expect sees that a client asks for a list or a packet of one. Somebody who asks again with the same
// key, or with none, may get the list twice, and nobody can tell which packet belongs to which.
func (t *tracker) expect(who pair, x *exchange, q *query) {
	if q.number != AllPackets {
		q.setList(newest(x))
		return
	}
	for i := len(x.queries) - 1; i >= 0; i-- {
		o := &x.queries[i]
		if o.number != AllPackets || !o.like(q) || !t.open(o) {
			continue
		}
		l := o.list()
		switch {
		case l != nil && l.complete() && l.came >= l.asks*int(l.total):
			t.finish(who, x, l) // what comes now belongs to the new one
			return
		case l == nil && o.answered:
			return
		case l == nil:
			l = t.begin(x, o)
			o.setList(l)
		}
		l.asks++
		q.setList(l)
		return
	}
}

func newest(x *exchange) *list {
	if n := len(x.lists); n > 0 {
		return x.lists[n-1]
	}
	return nil
}

// begin begins a list; the query is nil where it is not known.
func (t *tracker) begin(x *exchange, q *query) *list {
	if len(x.lists) == mostLists {
		t.release(x.lists[0])
		x.lists = slices.Delete(x.lists, 0, 1)
	}
	var l *list
	if n := len(t.free); n > 0 {
		l, t.free = t.free[n-1], t.free[:n-1]
	} else {
		l = new(list)
	}
	t.serial++
	*l = list{asks: 1, when: t.now, serial: t.serial, packets: l.packets[:0]}
	l.partial = q == nil || !q.seen || q.number != AllPackets
	if q != nil && q.seen {
		l.asked = since{true, q.time}
	}
	if q != nil && q.number != AllPackets {
		l.asks = 0
	}
	x.lists = append(x.lists, l)
	return l
}

// release forgets what a list held.
func (t *tracker) release(l *list) {
	l.over = true
	t.packets -= len(l.packets)
	t.forgetServers(l)
	if len(t.free) == mostFree {
		l.packets = nil
		return
	}
	l.packets = l.packets[:0]
	t.free = append(t.free, l)
}

// listed sees a part of a list.
func (t *tracker) listed(l wire.Layer, p *wire.Place, m *MasterListReply) {
	part := l.Core()
	if len(part.Contents) < minimum {
		t.vague(p, kindMatchmaking)
		return
	}
	r := t.find(p, kindMatchmaking, &m.Key, true)
	t.settle(p, &r)
	unsolicited := t.judge(l, p, &r)
	who := pair{p.Dst, p.Src}
	x := t.exchanges.Make(who)
	x.used = t.now
	t.finishLate(who, x)
	switch {
	case r.query != nil:
		if asks := t.askers.Get(p.Dst); asks != nil {
			*asks = false
		}
		r.query.last = t.now
	case r.unasked && !unsolicited:
		q := query{spot: spotOf(p), server: p.Src, number: AllPackets, answered: true, when: t.now, last: t.now}
		t.note(x, q)
		r.query = &x.queries[len(x.queries)-1]
	}
	if r.copies {
		r.query = nil // several masters may answer
	}
	wanted := t.checkNumber(l, x, &r, m)
	t.add(l, p, x, t.listOf(x, r.query), wanted)
}

// checkNumber holds the number of a packet against that asked for and reports whether it is right.
func (t *tracker) checkNumber(l wire.Layer, x *exchange, r *reply, m *MasterListReply) bool {
	q := r.query
	if q == nil || r.stranger || q.number == AllPackets {
		return true
	}
	for i := range x.queries {
		o := &x.queries[i]
		if o.like(q) && t.open(o) && (o.number == AllPackets || o.number == m.Number) {
			return true
		}
	}
	l.Core().Report(ruleWrongNumber, 2, 1, "packet %d came, packet %d was asked for", m.Number, q.number)
	return false
}

// listOf gives the list that the answer to a query belongs to.
func (t *tracker) listOf(x *exchange, q *query) *list {
	last := newest(x)
	switch {
	case q != nil && q.list() != nil:
		return q.list()
	case q != nil && q.number == AllPackets:
		q.setList(t.begin(x, q))
		return q.list()
	case q == nil && last != nil && last.complete():
		last = nil
	}
	if last == nil {
		last = t.begin(x, q)
	}
	if q != nil {
		q.setList(last)
	}
	return last
}

// add adds a packet to its list. One that was not wanted may well come again.
func (t *tracker) add(l wire.Layer, p *wire.Place, x *exchange, s *list, wanted bool) {
	part := l.Core()
	m := part.Body.(*MasterListReply)
	if s.came == 0 {
		s.first, s.total, s.least, s.id = spotOf(p), m.Total, m.Total, m.MasterID
	}
	s.came++
	s.last, s.when, s.least = spotOf(p), t.now, min(s.least, m.Total)
	if m.Total != s.total {
		part.Report(ruleTotal, 3, 1, "%d packets in all, the first packet of this list said %d", m.Total, s.total)
	}
	if m.MasterID != s.id {
		part.Report(ruleMaster, 6, 2, "master %d, the first packet of this list is from %d", m.MasterID, s.id)
	}
	if m.Number == 0 {
		return
	}
	if more := int(m.Number) - len(s.packets); more > 0 {
		if t.packets+more > mostPackets {
			s.partial = true
			return
		}
		t.packets += more
		had := len(s.packets)
		s.packets = slices.Grow(s.packets, more)[:had+more]
		clear(s.packets[had:])
	}
	next := portion{spot: spotOf(p), size: int32(part.Size()), whole: part.Fault() == nil && !part.Truncated()}
	if next.whole {
		next.hash = m.hash()
	}
	old := &s.packets[m.Number-1]
	next.count = old.count + btou(old.count < 255)
	switch {
	case old.count == 0:
		if next.whole {
			s.servers += len(m.Servers)
			t.repeated(l, s, m)
		}
	case wanted && int(next.count) > s.allowed(x, m.Number):
		old.count = next.count
		compare(l, old, &next, m.Number)
		return
	}
	*old = next
	if s.complete() && len(s.packets) >= int(s.total) {
		t.forgetServers(s) // no other packet will come to repeat them
	}
}

func btou(b bool) uint8 { return uint8(btoi(b)) }

// allowed is how often a packet was asked for.
func (l *list) allowed(x *exchange, number uint8) int {
	n := l.asks
	for i := range x.queries {
		n += btoi(x.queries[i].number == number && x.queries[i].list() == l)
	}
	return n
}

// compare judges a packet that comes once more than it was asked for.
func compare(l wire.Layer, old, again *portion, number uint8) {
	switch {
	case !old.whole || !again.whole:
	case old.hash == again.hash:
		reportHeader(l, ruleDuplicate, "packet %d was there in frame %d", number, old.frame)
	default:
		reportHeader(l, ruleConflict, "packet %d was there in frame %d and said something else", number, old.frame)
	}
}

// finishLate judges the lists of which nothing came for a while.
func (t *tracker) finishLate(who pair, x *exchange) {
	for i := 0; i < len(x.lists); {
		if l := x.lists[i]; late(l.when, t.now, patience) {
			t.finish(who, x, l)
		} else {
			i++
		}
	}
}

// finish judges a list when no more of it is expected.
func (t *tracker) finish(who pair, x *exchange, l *list) {
	if l.came > 0 {
		t.checkComplete(who, l)
		t.checkFilled(who, l)
		t.measure(who, l)
	}
	t.release(l)
	x.lists = slices.DeleteFunc(x.lists, func(o *list) bool { return o == l })
}

func (t *tracker) checkComplete(who pair, l *list) {
	n, first := l.missing()
	if n == 0 || l.partial {
		return
	}
	about := l.last.place(who.server, who.client)
	if n == 1 {
		t.reporter.Report(about, ruleIncomplete, "packet %d of %d did not come", first, l.total)
		return
	}
	t.reporter.Report(about, ruleIncomplete, "%d of %d packets did not come, the first is %d", n, l.total, first)
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
		if room := largest - p.size; p.whole && i+1 < int(l.total) && room >= serverSize {
			t.reporter.Report(p.place(who.server, who.client), ruleUnderfilled,
				"packet %d has %d bytes, the largest of the list %d", i+1, p.size, largest)
		}
	}
}

// measure tells how large a list was and how long it took.
func (t *tracker) measure(who pair, l *list) {
	if l.partial {
		return
	}
	p := l.last.place(who.server, who.client)
	missing, _ := l.missing()
	what := "complete"
	if missing > 0 {
		what = "incomplete"
	}
	t.measured(p, lists, who.server, what, 1, "")
	t.measured(p, lists, who.server, "list length", float64(int(l.least)-missing), "packets")
	t.measured(p, lists, who.server, "list size", float64(l.servers), "servers")
	if !l.asked.ever {
		return
	}
	if s, ok := elapsed(l.asked.when, l.first.time); ok {
		t.measured(p, lists, who.server, "time to first packet", s, "s")
	}
	if s, ok := elapsed(l.asked.when, l.last.time); ok {
		t.measured(p, lists, who.server, "time to last packet", s, "s")
	}
}
