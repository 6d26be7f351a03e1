package tribes

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	maxLists        = 4               // lists per exchange, at most 5 MB
	maxSpare        = 32              // lists, and tables of servers, that are kept for reuse
	maxSparePackets = 16              // packets of a list that is kept for reuse
	maxSparePlaces  = 512             // places of a table that is kept for reuse
	maxServers      = 1 << 17 / 4 * 3 // servers per list, whose table then takes 1 MB
)

// lists collects the packets of masters' lists and checks whether they are consistent.
type lists struct {
	reporter *reporter
	time     *captureTime
	repeats  repeats
	spare    []*list // finished lists, for reuse
}

// expect handles a query for a list or for one packet of a list. If a client repeats a query with the same key, or
// without a key, it may get the list twice. The packets do not show which query they answer.
func (s *lists) expect(who pair, x *exchange, q *query) {
	if q.number != AllPackets {
		if l := x.newestList(); l != nil {
			q.setAnswer(l)
			_, came := l.find(q.number)
			l.askedAgain = l.askedAgain || !came && q.number <= l.least
		}
		return
	}
	for i := x.queries.Len() - 1; i >= 0; i-- {
		o := x.queries.At(i)
		if o.Value.number != AllPackets || !o.Value.isLike(q) || !o.Open(queryRules, s.time.now) {
			continue
		}
		l := o.Value.answer()
		switch {
		case l != nil && l.complete() && l.came >= l.asks*int(l.total):
			s.finish(who, x, l) // further packets belong to the new list
			return
		case l == nil && o.Answers > 0:
			return
		case l == nil:
			l = s.begin(x, &o.Value)
			o.Value.setAnswer(l)
		}
		l.asks++
		q.setAnswer(l)
		return
	}
}

// begin begins a list; q is the query, or nil if it is not known.
func (s *lists) begin(x *exchange, q *query) *list {
	if all := x.lists(); len(all) == maxLists {
		s.release(x, all[0])
	}
	var l *list
	if last := len(s.spare) - 1; last >= 0 {
		l, s.spare = s.spare[last], s.spare[:last]
	} else {
		l = new(list)
	}
	*l = list{asks: 1, when: s.time.now, packets: l.packets}
	l.partial = q == nil || !q.seen || q.number != AllPackets
	if q != nil && q.seen {
		l.asked = clock.At(q.time())
	}
	if q != nil && q.number != AllPackets {
		l.asks = 0
	}
	x.setLists(append(x.lists(), l))
	return l
}

// release drops a list and keeps its memory for reuse.
func (s *lists) release(x *exchange, l *list) {
	x.setLists(slices.DeleteFunc(x.lists(), func(o *list) bool { return o == l }))
	for i := range x.queries.Len() {
		if q := &x.queries.At(i).Value; q.answer() == l {
			q.setAnswer(nil)
		}
	}
	s.repeats.forget(&l.seen)
	if len(s.spare) < maxSpare && cap(l.packets) <= maxSparePackets {
		*l = list{packets: l.packets[:0]}
		s.spare = append(s.spare, l)
	}
}

// answerTo returns the list that answers a query; asked is nil if the query is not known.
func (s *lists) answerTo(x *exchange, asked *ask.Question[query]) *list {
	var q *query
	if asked != nil {
		q = &asked.Value
	}
	last := x.newestList()
	switch {
	case q != nil && q.answer() != nil:
		return q.answer()
	case q != nil && q.number == AllPackets:
		q.setAnswer(s.begin(x, q))
		return q.answer()
	case q == nil && last != nil && last.complete():
		last = nil
	}
	if last == nil {
		last = s.begin(x, q)
	}
	if q != nil {
		q.setAnswer(last)
	}
	return last
}

// add adds a packet to its list; requested means that the client requested a packet with this number. add returns nil
// if the packet is a repetition, unless the client requested the packet again.
func (s *lists) add(l wire.Layer, p *wire.Place, x *exchange, to *list, requested bool) *listPacket {
	core := l.Core()
	m := core.Body.(*MasterListReply)
	if to.came == 0 {
		to.first, to.newest, to.total, to.least, to.id = p.Time, p.Time, m.Total, m.Total, m.MasterID
	}
	to.came++
	to.last, to.when, to.least = s.reporter.compact(p), s.time.now, min(to.least, m.Total)
	// The capture may lack a query that requested another list. The packets of that list come after the current list is
	// complete, or after a pause.
	sameList := to.asks == 1 && !to.partial && !to.complete() && clock.Elapsed(to.first, p.Time) < oneList
	if sameList && m.Total != to.total {
		core.Report(ruleTotal, 3, 1, "%d packets in all, the first packet of this list said %d", m.Total, to.total)
	}
	if sameList && m.MasterID != to.id {
		core.Report(ruleMaster, 6, 2, "master %d, the first packet of this list is from %d", m.MasterID, to.id)
	}
	if m.Number == 0 {
		return nil
	}
	next := listPacket{compactPlace: to.last, size: int32(core.Size()), number: m.Number, count: 1,
		whole: core.Fault() == nil && !core.Truncated()}
	if next.whole {
		next.hash = m.hash()
	}
	at, again := to.find(m.Number)
	if again {
		old := &to.packets[at]
		next.count = old.count + uint8(btoi(old.count < 255))
		if requested && int(next.count) > x.timesAsked(to, m.Number) {
			old.count = next.count
			compareCopies(l, old, &next, sameList)
			return nil
		}
		*old = next
	} else {
		to.newest = p.Time
		to.packets = slices.Insert(to.packets, at, next)
		if next.whole {
			to.servers += len(m.Servers)
			s.repeats.check(l, &to.seen, m)
		}
	}
	if to.complete() && to.packets[len(to.packets)-1].number >= to.total {
		s.repeats.forget(&to.seen) // the list is complete, so no further packet can repeat a server
	}
	return &to.packets[at]
}

// compareCopies checks a packet that came more often than the client requested it.
func compareCopies(l wire.Layer, old, again *listPacket, sameList bool) {
	switch {
	case !old.whole || !again.whole:
	case old.hash == again.hash:
		reportHeader(l, ruleDuplicate, "packet %d was there in frame %d", old.number, old.frame)
	case sameList:
		reportHeader(l, ruleConflict, "packet %d was there in frame %d and said something else", old.number, old.frame)
	}
}

// finishLate finishes the lists that got no packet for a while.
func (s *lists) finishLate(who pair, x *exchange) {
	s.finishIf(who, x, func(l *list) bool { return clock.Elapsed(l.when, s.time.now) > patience })
}

func (s *lists) finishIf(who pair, x *exchange, over func(*list) bool) {
	for i := 0; i < len(x.lists()); {
		if l := x.lists()[i]; over(l) {
			s.finish(who, x, l)
		} else {
			i++
		}
	}
}

// close checks the lists at the end of the capture. It skips a list that may continue, because its last packet has only
// just come.
func (s *lists) close(who pair, x *exchange) {
	for len(x.lists()) > 0 {
		if l := x.lists()[0]; l.complete() || clock.Elapsed(l.when, s.time.now) >= promptly {
			s.finish(who, x, l)
		} else {
			s.checkFilled(who, l)
			s.release(x, l)
		}
	}
}

// finish checks a list for which no more packets are expected.
func (s *lists) finish(who pair, x *exchange, l *list) {
	if l.came > 0 {
		s.checkComplete(who, l)
		s.checkFilled(who, l)
		s.measure(who, l)
	}
	s.release(x, l)
}

func (s *lists) checkComplete(who pair, l *list) {
	n, first := l.missing()
	if n == 0 || l.partial {
		return
	}
	about := s.reporter.expand(&l.last, who.server, who.client)
	rule := ruleIncomplete
	if l.askedAgain {
		rule = ruleStillMissing
	}
	if n == 1 {
		s.reporter.Report(about, rule, "packet %d of %d is not in the capture", first, l.total)
		return
	}
	s.reporter.Report(about, rule, "%d of %d packets are not in the capture, the first is %d", n, l.total, first)
}

// checkFilled reports packets that have room for another server although they are not the last.
func (s *lists) checkFilled(who pair, l *list) {
	largest := int32(0)
	for i := range l.packets {
		if p := &l.packets[i]; p.whole {
			largest = max(largest, p.size)
		}
	}
	for i := range l.packets {
		p := &l.packets[i]
		if room := largest - p.size; p.whole && p.number < l.total && room >= serverSize {
			s.reporter.Report(s.reporter.expand(&p.compactPlace, who.server, who.client), ruleUnderfilled,
				"packet %d has %d bytes, the largest of the list %d", p.number, p.size, largest)
		}
	}
}

// measure records the size of a list and the time that it took.
func (s *lists) measure(who pair, l *list) {
	if l.partial {
		return
	}
	p := s.reporter.expand(&l.last, who.server, who.client)
	master := s.reporter.ends.AddrPort(who.server)
	missing, _ := l.missing()
	what := "complete"
	if missing > 0 {
		what = "incomplete"
	}
	measure := func(column string, number float64, unit string) {
		s.reporter.measure(p, listTable, master, column, number, unit)
	}
	measure(what, 1, "")
	measure("list length", float64(int(l.least)-missing), "packets")
	measure("list size", float64(l.servers), "servers")
	if !l.asked.Known() {
		return
	}
	if d, ok := seconds(l.asked.When(), l.first); ok {
		measure("time to first packet", d, "s")
	}
	if d, ok := seconds(l.asked.When(), l.newest); ok {
		measure("time to last packet", d, "s")
	}
}

// repeats finds servers that occur in several packets of a list.
type repeats struct {
	tables [][]uint64 // tables of finished serverSets, for reuse
}

// check reports servers that are in an earlier packet of the list, and adds the servers of this packet. The decoder
// reports repetitions within a packet.
func (s *repeats) check(l wire.Layer, seen *serverSet, m *MasterListReply) {
	if m.Total < 2 {
		return
	}
	var again tally
	for i := range m.Servers {
		if seen.has(&m.Servers[i]) {
			again.add(i)
		}
	}
	if again.n > 0 {
		off := l.Core().Size() - len(m.Trailing) - (len(m.Servers)-again.first)*serverSize
		l.Core().Report(ruleRepeated, off, serverSize,
			"%d of %d entries repeat a server of an earlier packet, the first is %d: %s",
			again.n, len(m.Servers), again.first, m.Servers[again.first].AddrPort())
	}
	if last := len(s.tables) - 1; last >= 0 && seen.places == nil {
		seen.places, s.tables = s.tables[last], s.tables[:last]
	}
	seen.reserve(min(seen.used+len(m.Servers), maxServers))
	for i := range m.Servers {
		seen.add(&m.Servers[i])
	}
}

// forget empties a set and keeps its table for reuse.
func (s *repeats) forget(seen *serverSet) {
	if n := cap(seen.places); n > 0 && n <= maxSparePlaces && len(s.tables) < maxSpare {
		s.tables = append(s.tables, seen.places[:0])
	}
	*seen = serverSet{}
}

// hash returns a hash of a packet's content without its number, key and id. Those are compared separately.
func (r *MasterListReply) hash() uint64 {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(r.Reserved)<<8 | uint64(r.Count)
	mix := func(v uint64) {
		h = (h ^ v) * prime
		h ^= h >> 29
	}
	for _, text := range [...][]byte{r.Name, r.MOTD, r.Trailing} {
		mix(uint64(len(text)))
		for _, c := range text {
			mix(uint64(c))
		}
	}
	for i := range r.Servers {
		mix(r.Servers[i].number()<<8 | uint64(r.Servers[i].Marker))
	}
	return h
}
