package tribes

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// list is a master's list as far as it has come.
type list struct {
	asked   clock.Moment // of the query, by the time of its packet; never if it is not known
	asks    int          // queries for the whole list that its packets cannot be told by
	partial bool         // a part of it was asked for, or it began before the capture: what is missing tells nothing
	over    bool         // nothing is added any more
	serial  uint64

	came        int // packets, the same again included
	total       uint8
	least       uint8 // the smallest total that one of its packets had
	id          uint16
	first, last spot
	when        int64     // the last packet came, by the capture's clock
	packets     []portion // by number, from 1
	servers     int       // in all packets
	seen        serverSet
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

// expectList sees that a client asks for a list or a packet of one. Somebody who asks again with the same
// key, or with none, may get the list twice, and nobody can tell which packet belongs to which.
func (t *tracker) expectList(who pair, x *exchange, q *query) {
	if q.number != AllPackets {
		q.setList(newest(x))
		return
	}
	for i := x.queries.Len() - 1; i >= 0; i-- {
		o := x.queries.At(i)
		if o.Value.number != AllPackets || !o.Value.like(q) || !o.Open(queries, t.now) {
			continue
		}
		l := o.Value.list()
		switch {
		case l != nil && l.complete() && l.came >= l.asks*int(l.total):
			t.finishList(who, x, l) // what comes now belongs to the new one
			return
		case l == nil && o.Answers > 0:
			return
		case l == nil:
			l = t.beginList(x, &o.Value)
			o.Value.setList(l)
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

// beginList begins a list; the query is nil where it is not known.
func (t *tracker) beginList(x *exchange, q *query) *list {
	if len(x.lists) == mostLists {
		t.releaseList(x.lists[0])
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
		l.asked = clock.At(q.time)
	}
	if q != nil && q.number != AllPackets {
		l.asks = 0
	}
	x.lists = append(x.lists, l)
	return l
}

// releaseList forgets what a list held.
func (t *tracker) releaseList(l *list) {
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

// noteListPacket sees a part of a list.
func (t *tracker) noteListPacket(l wire.Layer, p *wire.Place, m *MasterListReply) {
	core := l.Core()
	if len(core.Contents) < minimum {
		t.noteKeylessAnswer(p, kindMatchmaking)
		return
	}
	r := t.matchReply(p, kindMatchmaking, &m.Key, true)
	t.noteAnswered(p, &r)
	unsolicited := t.reportUnasked(l, p, &r)
	who := pair{p.Dst, p.Src}
	x := t.exchanges.Make(who)
	x.used = t.now
	t.finishLate(who, x)
	switch {
	case r.query != nil:
		if asks := t.askers.Get(p.Dst); asks != nil {
			*asks = false
		}
		r.query.Active = t.now
	case r.unasked && !unsolicited:
		r.query = t.addQuery(x, query{spot: spotOf(p), server: p.Src, number: AllPackets})
		r.query.Answers = 1
	}
	if r.copies {
		r.query = nil // several masters may answer
	}
	wanted := t.checkNumber(l, x, &r, m)
	t.addPacket(l, p, x, t.listOf(x, r.query), wanted)
}

// checkNumber holds the number of a packet against that asked for and reports whether it is right.
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
	case q != nil && q.list() != nil:
		return q.list()
	case q != nil && q.number == AllPackets:
		q.setList(t.beginList(x, q))
		return q.list()
	case q == nil && last != nil && last.complete():
		last = nil
	}
	if last == nil {
		last = t.beginList(x, q)
	}
	if q != nil {
		q.setList(last)
	}
	return last
}

// addPacket adds a packet to its list. One that was not wanted may well come again.
func (t *tracker) addPacket(l wire.Layer, p *wire.Place, x *exchange, s *list, wanted bool) {
	core := l.Core()
	m := core.Body.(*MasterListReply)
	if s.came == 0 {
		s.first, s.total, s.least, s.id = spotOf(p), m.Total, m.Total, m.MasterID
	}
	s.came++
	s.last, s.when, s.least = spotOf(p), t.now, min(s.least, m.Total)
	if m.Total != s.total {
		core.Report(ruleTotal, 3, 1, "%d packets in all, the first packet of this list said %d", m.Total, s.total)
	}
	if m.MasterID != s.id {
		core.Report(ruleMaster, 6, 2, "master %d, the first packet of this list is from %d", m.MasterID, s.id)
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
	next := portion{spot: spotOf(p), size: int32(core.Size()), whole: core.Fault() == nil && !core.Truncated()}
	if next.whole {
		next.hash = m.hash()
	}
	old := &s.packets[m.Number-1]
	next.count = old.count + btou(old.count < 255)
	switch {
	case old.count == 0:
		if next.whole {
			s.servers += len(m.Servers)
			t.checkRepeated(l, s, m)
		}
	case wanted && int(next.count) > s.allowed(x, m.Number):
		old.count = next.count
		compareCopies(l, old, &next, m.Number)
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
	for i := range x.queries.Len() {
		v := &x.queries.At(i).Value
		n += btoi(v.number == number && v.list() == l)
	}
	return n
}

// compareCopies checks a packet that comes once more than it was asked for.
func compareCopies(l wire.Layer, old, again *portion, number uint8) {
	switch {
	case !old.whole || !again.whole:
	case old.hash == again.hash:
		reportHeader(l, ruleDuplicate, "packet %d was there in frame %d", number, old.frame)
	default:
		reportHeader(l, ruleConflict, "packet %d was there in frame %d and said something else", number, old.frame)
	}
}

// finishLate checks the lists of which nothing came for a while.
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
	t.releaseList(l)
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

// measureList tells how large a list was and how long it took.
func (t *tracker) measureList(who pair, l *list) {
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
	if !l.asked.Known {
		return
	}
	if s, ok := seconds(l.asked.When, l.first.time); ok {
		t.measured(p, lists, who.server, "time to first packet", s, "s")
	}
	if s, ok := seconds(l.asked.When, l.last.time); ok {
		t.measured(p, lists, who.server, "time to last packet", s, "s")
	}
}
