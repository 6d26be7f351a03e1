package bloodmasters

import (
	"math"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"

	"github.com/gamedissect/gamedissect/decode/wire"
)

const (
	// patience is how long a query may wait for its answer, by the clock of the capture.
	patience = int64(5 * time.Second)

	// remembered is how long a query counts after it was sent: whatever comes later answers another.
	remembered = int64(time.Minute)
)

// What is remembered at most, some 7 MB in all.
const (
	maxAskers  = 4096 // 100 bytes each
	maxQueries = 8192 // an echo of an asker to a server; 200 bytes each, and 130 for every query in it
	maxEchoes  = 8192 // an echo of an asker; 100 bytes each, and 32 for every server
	maxAsks    = 4    // queries alike that wait at the same time
	maxAsked   = 8    // servers that were asked with the same echo
	maxServers = 2048 // 100 bytes each, and their texts
	maxText    = 256  // bytes of a title or map
)

// tracker pairs queries with their answers.
type tracker struct {
	*wire.Reporter
	begun   bool
	start   int64 // the capture's
	now     int64 // the newest time; it does not go back
	askers  *bounded.LRU[netip.AddrPort, asker]
	queries *bounded.LRU[queryKey, query]
	echoes  *bounded.LRU[echoKey, echo]
	servers *bounded.LRU[netip.AddrPort, server]
	due     bounded.Deadlines[queryKey] // at most maxQueries
}

// asker is who sends queries: a launcher, a web page.
type asker struct {
	open     int            // queries without an answer, younger than patience
	latest   netip.AddrPort // the server asked last
	echoless moment         // the last query without an echo: its answer may have any
	unread   moment         // the last answer whose echo could not be read
}

// moment is a time by the tracker's clock, if there was one.
type moment struct {
	known bool
	at    int64
}

// queryKey is what an answer has to match.
type queryKey struct {
	asker, server netip.AddrPort
	echo          int32
}

type echoKey struct {
	asker netip.AddrPort
	echo  int32
}

// query is a query, or several that are alike.
type query struct {
	asks      []ask // those without an answer, the oldest first
	last      int64 // when the last one was sent
	ambiguous bool  // a second one was sent while the first was open
}

type ask struct {
	place   wire.Place
	at      int64 // by the tracker's clock
	overdue bool  // the asker does not count it as open any more
}

// echo lists the servers that were asked with it, the latest last.
type echo struct {
	servers []netip.AddrPort
}

// newTracker makes the memory of a capture.
func newTracker(r *wire.Reporter) wire.Tracker {
	t := &tracker{
		Reporter: r,
		askers:   bounded.NewLRU[netip.AddrPort, asker](maxAskers, nil),
		echoes:   bounded.NewLRU[echoKey, echo](maxEchoes, nil),
		servers:  bounded.NewLRU[netip.AddrPort, server](maxServers, nil),
	}
	t.queries = bounded.NewLRU(maxQueries, t.forget)
	return t
}

// forget takes a query that makes room off its asker's account.
func (t *tracker) forget(k queryKey, q *query) {
	for i := range q.asks {
		t.close(k.asker, &q.asks[i])
	}
}

// close ends an ask's being open.
func (t *tracker) close(who netip.AddrPort, k *ask) {
	if k.overdue {
		return
	}
	k.overdue = true
	if a := t.askers.Get(who); a != nil && a.open > 0 {
		a.open--
	}
}

// Message implements wire.Tracker.
func (t *tracker) Message(l wire.Layer, p *wire.Place) {
	part := l.Core()
	switch m := part.Body.(type) {
	case *ServerInfoRequest:
		t.request(part, m, p)
	case *ServerInfoReply:
		if fault := part.Fault(); fault != nil && (fault.Field == "echo" || fault.Group == "" && fault.Offset < headerSize) {
			t.unreadable(p)
			return
		}
		t.reply(part, m, p)
		if part.Fault() == nil && !part.Truncated() {
			t.describe(m, p)
		}
	default:
		if part.Fault() != nil || part.Truncated() {
			t.unreadable(p)
		}
	}
}

// unreadable notes that something came that may be an answer.
func (t *tracker) unreadable(p *wire.Place) {
	if a := t.askers.Get(p.Dst); a != nil {
		a.unread = moment{true, t.now}
	}
}

// request opens a query.
func (t *tracker) request(part *wire.Base, m *ServerInfoRequest, p *wire.Place) {
	a := t.askers.Make(p.Src)
	a.latest = p.Dst
	if !m.HasEcho {
		a.echoless = moment{true, t.now}
		return
	}
	key := queryKey{p.Src, p.Dst, m.Echo}
	q := t.queries.Make(key)
	if later(q.last, remembered) < t.now {
		t.forget(key, q)
		*q = query{asks: q.asks[:0]}
	}
	if n := len(q.asks); n > 0 {
		q.ambiguous = true
		if !q.asks[n-1].overdue {
			part.Report(ruleEchoReused, echoOffset(part, m), 4, "echo %d was sent to %s %s ago and is not answered", m.Echo, p.Dst, span(q.last, t.now))
		}
	}
	if len(q.asks) == maxAsks {
		t.close(p.Src, &q.asks[0])
		q.asks = append(q.asks[:0], q.asks[1:]...)
	}
	t.count(p.Dst, "queries", p)
	q.last = t.now
	q.asks = append(q.asks, ask{place: *p, at: t.now})
	a = t.askers.Make(p.Src)
	a.open++
	t.echoes.Make(echoKey{p.Src, m.Echo}).add(p.Dst)
	if t.due.Len() < maxQueries {
		t.due.Add(later(t.now, patience), key)
	}
}

func (e *echo) add(server netip.AddrPort) {
	for i, s := range e.servers {
		if s == server {
			e.servers = append(e.servers[:i], e.servers[i+1:]...)
			break
		}
	}
	if len(e.servers) == maxAsked {
		e.servers = append(e.servers[:0], e.servers[1:]...)
	}
	e.servers = append(e.servers, server)
}

// echoOffset is where a request's echo stands: the last four bytes in front of what is too much.
func echoOffset(part *wire.Base, m *ServerInfoRequest) int {
	return max(0, len(part.Contents)-len(m.Trailing)-4)
}

// reply looks for the query that an answer belongs to.
func (t *tracker) reply(part *wire.Base, m *ServerInfoReply, p *wire.Place) {
	off := headerSize
	if len(part.Contents) > 2 && Code(part.Contents[2]).hasPacketID() {
		off += 4
	}
	q := t.find(queryKey{p.Dst, p.Src, m.Echo})
	asked := p.Src
	if q == nil {
		asked, q = t.elsewhere(p, m.Echo)
	}
	if q == nil {
		t.stray(part, m, p, off)
		return
	}
	if asked != p.Src {
		part.Report(ruleElsewhere, 0, headerSize, "%s was asked with this echo, %s answers", asked, p.Src)
	}
	if len(q.asks) == 0 {
		part.Report(ruleDuplicateReply, off, 4, "the query with echo %d of %s ago was answered before", m.Echo, span(q.last, t.now))
		return
	}
	first := &q.asks[0]
	if ping := elapsed(first.place.Time, p.Time); !q.ambiguous && asked == p.Src && ping >= 0 {
		t.Measured(wire.Value{Place: *p, Table: servers, Who: t.server(p.Src).name, What: "ping", Number: float64(ping) / 1e9, Unit: "s", Answer: true})
	}
	t.close(p.Dst, first)
	q.asks = append(q.asks[:0], q.asks[1:]...)
	q.ambiguous = q.ambiguous && len(q.asks) > 0
}

// find gives a query that is not too old.
func (t *tracker) find(k queryKey) *query {
	q := t.queries.Get(k)
	if q == nil || later(q.last, remembered) < t.now {
		return nil
	}
	return q
}

// elsewhere finds a query with the echo of an answer that went to another server: one that waits for
// its answer, best to the same host, else the latest.
func (t *tracker) elsewhere(p *wire.Place, number int32) (netip.AddrPort, *query) {
	e := t.echoes.Get(echoKey{p.Dst, number})
	if e == nil {
		return netip.AddrPort{}, nil
	}
	var best netip.AddrPort
	var found *query
	rank := -1
	for _, s := range e.servers {
		q := t.find(queryKey{p.Dst, s, number})
		if q == nil {
			continue
		}
		n := 0
		if len(q.asks) > 0 {
			n = 1
			if s.Addr() == p.Src.Addr() {
				n = 2
			}
		}
		if n >= rank {
			best, found, rank = s, q, n
		}
	}
	return best, found
}

// stray judges an answer that belongs to no query. In the capture's first seconds its query may have
// been sent before.
func (t *tracker) stray(part *wire.Base, m *ServerInfoReply, p *wire.Place, off int) {
	a := t.askers.Get(p.Dst)
	if a != nil && a.echoless.known && later(a.echoless.at, patience) >= t.now {
		return
	}
	waiting := a != nil && a.open > 0
	if later(t.start, patience) > t.now && !(waiting && a.latest == p.Src) {
		return
	}
	if waiting {
		part.Report(ruleEchoMismatch, off, 4, "echo %d is in none of the queries that %s waits for", m.Echo, p.Dst)
		return
	}
	part.Report(ruleUnsolicited, 0, headerSize, "%s waits for no answer", p.Dst)
}

// Lost implements wire.Tracker. Queries do not travel in streams.
func (*tracker) Lost(*wire.Place) {}

// Time implements wire.Tracker.
func (t *tracker) Time(now int64) {
	if !t.begun {
		t.begun, t.start = true, now
	}
	t.now = now
	for key, _, ok := t.due.Due(now); ok; key, _, ok = t.due.Due(now) {
		t.overdue(key)
	}
}

// Next implements wire.Tracker.
func (t *tracker) Next() int64 { return t.due.Next() }

// Close implements wire.Tracker. Queries that could still be answered are not judged.
func (t *tracker) Close(now int64) { t.Time(now) }

// overdue looks at a query whose patience may be over.
func (t *tracker) overdue(k queryKey) {
	q := t.queries.Get(k)
	if q == nil {
		return
	}
	for i := range q.asks {
		w := &q.asks[i]
		if w.overdue || later(w.at, patience) > t.now {
			continue
		}
		t.close(k.asker, w)
		if a := t.askers.Get(k.asker); a != nil && a.unread.known && a.unread.at >= w.at {
			continue
		}
		t.count(w.place.Dst, "unanswered", &w.place)
		t.Report(&w.place, ruleUnanswered, "no answer within 5 s")
	}
}

// later adds to a time and stays at its end.
func later(when, by int64) int64 {
	if when > math.MaxInt64-by {
		return math.MaxInt64
	}
	return when + by
}

// elapsed is the time from one moment to another, as far as it can be told.
func elapsed(from, to int64) int64 {
	d := to - from
	switch {
	case to >= from && d < 0:
		return math.MaxInt64
	case to < from && d >= 0:
		return math.MinInt64
	}
	return d
}

// span shows the time between two moments.
func span(from, to int64) time.Duration {
	return time.Duration(elapsed(from, to)).Round(time.Microsecond)
}
