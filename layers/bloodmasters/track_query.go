package bloodmasters

import (
	"math/bits"
	"net/netip"
	"slices"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// queries are the queries with one queryKey. An answer may belong to any of them.
type queries struct {
	ask.List[query]
	end clock.Moment // when to check whether the queries have expired, if scheduled
}

type query struct {
	place     wire.Place
	ambiguous bool // another query with this key was unanswered at the same time
	unreached bool // ICMP reported it as undelivered
	unsure    bool // an answer came that may belong to another query

	// stray is the place of an answer with another echo that came while the query was open; nil if there was none.
	stray *wire.Place
}

func (q *queries) held() int {
	n := q.List.Held()
	for i := range q.Len() {
		if q.At(i).Value.stray != nil {
			n += int(unsafe.Sizeof(wire.Place{}))
		}
	}
	return n
}

func (e *echo) held() int { return cap(e.servers) * int(unsafe.Sizeof(netip.AddrPort{})) }

// forgetQueries handles queries that the memory budget dropped.
func (t *tracker) forgetQueries(k queryKey, asked *queries) {
	t.since = clock.At(t.now)
	t.abandonAll(k, asked)
}

// forgetAsker handles an asker that the memory budget dropped.
func (t *tracker) forgetAsker(netip.AddrPort, *asker) { t.since = clock.At(t.now) }

// abandonAll subtracts dropped queries from the asker's count of open queries.
func (t *tracker) abandonAll(k queryKey, asked *queries) {
	for i := range asked.Len() {
		t.abandon(k.asker, asked.At(i))
	}
}

// abandon subtracts a dropped query from the asker's count of open queries, if the query was open.
func (t *tracker) abandon(asker netip.AddrPort, q *ask.Question[query]) {
	if q.Answers == 0 && !q.Overdue() {
		t.stopWaiting(asker)
	}
}

// stopWaiting subtracts one from an asker's count of open queries.
func (t *tracker) stopWaiting(who netip.AddrPort) {
	if a := t.askers.Peek(who); a != nil && a.open > 0 {
		a.open--
	}
}

// noteQuery records a query.
func (t *tracker) noteQuery(core *wire.Base, m *ServerInfoRequest, p *wire.Place) {
	t.servers.MakeAt(wire.ReverseLane(p.Lane), p.Dst).asked = true
	a := t.askers.MakeAt(p.Lane, p.Src)
	a.asked, a.latest, a.latestEcho = t.now, p.Dst, m.Echo
	t.count(p.Dst, "queries", p)
	t.countQuery(p.Dst, p.Src, "asked", p)
	if !m.HasEcho {
		t.countQuery(p.Dst, p.Src, "without echo", p)
		a.echoless = clock.At(t.now)
		t.awaitEnd(queryKey{asker: p.Src})
		return
	}
	key := queryKey{p.Src, p.Dst, m.Echo}
	asked := t.queries.Make(key)
	if t.expired(asked) {
		t.abandonAll(key, asked)
		*asked = queries{}
	}
	next := query{place: *p}
	for i := range asked.Len() {
		if q := asked.At(i); q.Answers == 0 {
			q.Value.ambiguous, next.ambiguous = true, true
		}
	}
	if next.ambiguous && !newest(asked).Overdue() {
		core.Report(ruleEchoReused, echoOffset(core, m), 4, "echo %d was sent to %s %s ago and is not answered", m.Echo,
			p.Dst, t.ago(newest(asked)))
	}
	asked.Ask(alike, t.now, next, func(q *ask.Question[query]) { t.abandon(p.Src, q) })
	a.open++
	t.echoes.Make(echoKey{p.Src, m.Echo}).add(p.Dst)
	*t.latest.Make(ends{p.Src, p.Dst}) = m.Echo
	t.due.Add(clock.Add(t.now, patience), key)
}

// newest returns the query that was sent last.
func newest(asked *queries) *ask.Question[query] { return asked.At(asked.Len() - 1) }

// expired reports whether all queries are too old to be answered.
func (t *tracker) expired(asked *queries) bool {
	return asked.Len() > 0 && clock.Elapsed(newest(asked).Asked, t.now) > remembered
}

// ago returns the time since a query was sent.
func (t *tracker) ago(q *ask.Question[query]) time.Duration {
	return time.Duration(clock.Elapsed(q.Asked, t.now)).Round(time.Microsecond)
}

func (e *echo) add(server netip.AddrPort) {
	e.remove(server)
	if len(e.servers) == maxAsked {
		e.servers = slices.Delete(e.servers, 0, 1)
	}
	e.servers = append(e.servers, server)
}

func (e *echo) remove(server netip.AddrPort) {
	if i := slices.Index(e.servers, server); i >= 0 {
		e.servers = slices.Delete(e.servers, i, i+1)
	}
}

// echoOffset returns the offset of a request's echo: the last four bytes before any trailing ones.
func echoOffset(core *wire.Base, m *ServerInfoRequest) int {
	return max(0, len(core.Contents)-len(m.Trailing)-4)
}

// matchReply finds the query that an answer belongs to.
func (t *tracker) matchReply(core *wire.Base, m *ServerInfoReply, p *wire.Place) {
	off := headerSize
	if Code(core.Contents[2]).hasPacketID() {
		off += 4
	}
	server, asked := p.Src, t.find(queryKey{p.Dst, p.Src, m.Echo})
	if asked == nil {
		var several int
		if server, asked, several = t.elsewhere(p, m.Echo); several > 1 {
			core.Report(ruleElsewhere, 0, headerSize, "%d servers were asked with this echo, %s answers", several, p.Src)
			return
		}
	}
	if asked == nil {
		t.checkStray(core, m, p, off)
		return
	}
	if server != p.Src {
		core.Report(ruleElsewhere, 0, headerSize, "the query with this echo went to %s, but %s answers", server, p.Src)
	}
	q, verdict := asked.Answer(alike, t.now, unansweredFirst)
	if verdict == ask.Again {
		core.Report(ruleDuplicateReply, off, 4, "the query with echo %d of %s ago was answered before", m.Echo,
			t.ago(newest(asked)))
		return
	}
	t.countQuery(server, p.Dst, "answered", p)
	if ping := clock.Elapsed(q.Value.place.Time, p.Time); !q.Value.ambiguous && server == p.Src && ping >= 0 {
		t.Measured(wire.Value{Place: *p, Table: queried, Server: p.Src, Who: p.Dst.Addr().String(), What: "answer time",
			Number: float64(ping) / 1e9, Unit: "s", Answer: true})
		t.Measured(wire.Value{Place: *p, Table: servers, Server: p.Src, What: "ping",
			Number: float64(ping) / 1e9, Unit: "s", Answer: true})
	}
	if !q.Overdue() {
		t.stopWaiting(p.Dst)
	}
}

// unansweredFirst ranks the queries that an answer may belong to. Unanswered queries come first.
func unansweredFirst(q *ask.Question[query]) int {
	if q.Answers > 0 {
		return 1
	}
	return 2
}

// find returns the queries with a key, or nil if they are too old.
func (t *tracker) find(k queryKey) *queries {
	asked := t.queries.Get(k)
	if asked == nil || asked.Len() == 0 || t.expired(asked) {
		return nil
	}
	return asked
}

// How well an answer fits a query that has its echo but went to another server.
const (
	fitsEcho = 1 + iota
	fitsPort // same port; with address translation, a server may have another address
	fitsHost // same address; a host may have several ports
)

// elsewhere finds queries to other servers that have the echo of an answer. It returns the unanswered queries that fit
// best, or the latest if all are answered. If several fit equally well, it marks them as unsure, but none as answered.
func (t *tracker) elsewhere(p *wire.Place, number int32) (best netip.AddrPort, found *queries, several int) {
	e := t.echoes.Get(echoKey{p.Dst, number})
	if e == nil {
		return best, nil, 0
	}
	rank := -1
	for _, s := range e.servers {
		q := t.find(queryKey{p.Dst, s, number})
		if q == nil {
			continue
		}
		n := q.fits(s, p.Src)
		switch {
		case n > rank:
			best, found, rank, several = s, q, n, 1
		case n == rank && n > 0:
			several++
		case n == rank:
			best, found = s, q
		}
	}
	if several > 1 {
		for _, s := range e.servers {
			if q := t.find(queryKey{p.Dst, s, number}); q != nil && q.fits(s, p.Src) == rank {
				q.Find(alike, unansweredFirst).Value.unsure = true
			}
		}
	}
	return best, found, several
}

// fits returns how well an answer from another address fits queries to a server, or 0 if no query is open.
func (q *queries) fits(server, from netip.AddrPort) int {
	switch first := q.Find(alike, unansweredFirst); {
	case first.Answers > 0 || first.Value.unreached:
		return 0
	case server.Addr() == from.Addr():
		return fitsHost
	case server.Port() == from.Port():
		return fitsPort
	}
	return fitsEcho
}

// checkStray checks an answer without a query. It reports nothing if the query may exist: the capture may have begun
// after it, the tracker may have dropped it, or the capture may lack all queries to this server.
func (t *tracker) checkStray(core *wire.Base, m *ServerInfoReply, p *wire.Place, off int) {
	a := t.askers.GetAt(wire.ReverseLane(p.Lane), p.Dst)
	if a != nil && a.echoless.Within(t.now, patience) {
		return
	}
	waiting := a != nil && a.open > 0
	if clock.Elapsed(t.since.When(), t.now) < patience && !(waiting && a.latest == p.Src) {
		return
	}
	if s := t.servers.GetAt(p.Lane, p.Src); s == nil || !s.asked {
		return
	}
	if !waiting || !t.suspect(core, m, p, a, off) {
		core.Report(ruleUnsolicited, 0, headerSize, "%s waits for no answer", p.Dst)
	}
}

// suspect handles an answer whose echo no query has, from the server to which the receiver sent its last query. It
// reports whether that query is still open. If the answer's echo is the query's echo with its bytes reversed, suspect
// reports a finding at once. Otherwise, the answer may belong to a query that the capture lacks, so a finding is
// reported only if the open query gets no other answer.
func (t *tracker) suspect(core *wire.Base, m *ServerInfoReply, p *wire.Place, a *asker, off int) (waits bool) {
	asked := t.queries.Get(queryKey{p.Dst, p.Src, a.latestEcho})
	if a.latest != p.Src || asked == nil || asked.Len() == 0 || !newest(asked).Waits(alike, t.now) {
		return false
	}
	if q := newest(asked); m.Echo == int32(bits.ReverseBytes32(uint32(a.latestEcho))) {
		core.Report(ruleEchoMismatch, off, 4, "echo %d is %d with its bytes reversed", m.Echo, a.latestEcho)
	} else if q.Value.stray == nil {
		stray := *p
		q.Value.stray = &stray
	}
	return true
}

// checkAnswered checks the queries of a key after one of them may have become overdue.
func (t *tracker) checkAnswered(k queryKey) {
	asked := t.queries.Peek(k)
	if asked == nil {
		return
	}
	asked.Overdue(alike, t.now, func(q *ask.Question[query]) {
		t.stopWaiting(k.asker)
		place := &q.Value.place
		a := t.askers.Peek(k.asker)
		unread := a != nil && a.unread.Known() && a.unread.When() >= q.Asked
		switch {
		case q.Value.unreached: // already counted
			return
		case q.Value.unsure, unread && a.cut:
			t.countQuery(place.Dst, place.Src, "unsure", place)
			return
		case unread:
			t.countQuery(place.Dst, place.Src, "unreadable", place)
			return
		}
		t.count(place.Dst, "unanswered", place)
		t.countQuery(place.Dst, place.Src, "unanswered", place)
		if stray := q.Value.stray; stray != nil {
			t.Report(stray, ruleEchoMismatch, "no query of %s has its echo, and echo %d got no answer", stray.Dst, k.echo)
		}
		t.Report(place, ruleUnanswered, "no answer from %s within 5 s", place.Dst)
		t.checkDeaf(place)
	})
}

// checkExpired drops queries that are too old, and the state that belongs to them.
func (t *tracker) checkExpired(k queryKey) {
	asked := t.queries.Peek(k)
	switch {
	case asked != nil && !t.expired(asked):
		if !asked.end.Known() || asked.end.When() <= t.now {
			asked.end = t.awaitEnd(k)
		}
		return
	case asked != nil:
		t.abandonAll(k, asked)
		t.queries.Delete(k)
	}
	if last := t.latest.Peek(ends{k.asker, k.server}); last != nil && *last == k.echo {
		t.latest.Delete(ends{k.asker, k.server})
	}
	if e := t.echoes.Peek(echoKey{k.asker, k.echo}); e != nil {
		if e.remove(k.server); len(e.servers) == 0 {
			t.echoes.Delete(echoKey{k.asker, k.echo})
		}
	}
	if a := t.askers.Peek(k.asker); a != nil && clock.Elapsed(a.asked, t.now) > remembered {
		t.askers.Delete(k.asker)
	}
}

// awaitEnd schedules a check for the time when the last query expires, and returns that time. It schedules nothing if
// that time has passed.
func (t *tracker) awaitEnd(k queryKey) clock.Moment {
	last := t.now
	if asked := t.queries.Peek(k); asked != nil {
		last = newest(asked).Asked
	}
	end := clock.At(clock.Add(last, remembered+1))
	if end.When() > t.now {
		t.due.Add(end.When(), k)
	}
	return end
}
