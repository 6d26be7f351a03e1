package bloodmasters

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// queries are those that no answer can tell apart.
type queries = ask.List[query]

type query struct {
	place     wire.Place
	ambiguous bool // another one was sent while it had no answer, or it while another had none
}

// forget takes queries that make room off their asker's account.
func (t *tracker) forget(k queryKey, asked *queries) {
	for i := range asked.Len() {
		t.abandon(k.asker, asked.At(i))
	}
}

// abandon takes a query that makes room off its asker's account, if it is there.
func (t *tracker) abandon(asker netip.AddrPort, q *ask.Question[query]) {
	if q.Answers == 0 && !q.Overdue() {
		t.stopWaiting(asker)
	}
}

// stopWaiting takes a query off its asker's account.
func (t *tracker) stopWaiting(who netip.AddrPort) {
	if a := t.askers.Get(who); a != nil && a.open > 0 {
		a.open--
	}
}

// noteQuery takes a query.
func (t *tracker) noteQuery(core *wire.Base, m *ServerInfoRequest, p *wire.Place) {
	a := t.askers.Make(p.Src)
	a.latest = p.Dst
	if !m.HasEcho {
		a.echoless = clock.At(t.now)
		return
	}
	key := queryKey{p.Src, p.Dst, m.Echo}
	asked := t.queries.Make(key)
	if t.expired(asked) {
		t.forget(key, asked)
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
	t.count(p.Dst, "queries", p)
	asked.Ask(alike, t.now, next, func(q *ask.Question[query]) { t.abandon(p.Src, q) })
	a = t.askers.Make(p.Src)
	a.open++
	t.echoes.Make(echoKey{p.Src, m.Echo}).add(p.Dst)
	if t.due.Len() < maxQueries {
		t.due.Add(clock.Add(t.now, patience), key)
	}
}

// newest is the query that was sent last.
func newest(asked *queries) *ask.Question[query] { return asked.At(asked.Len() - 1) }

// expired reports whether queries are too old to be answered, all of them.
func (t *tracker) expired(asked *queries) bool {
	return asked.Len() > 0 && clock.Elapsed(newest(asked).Asked, t.now) > remembered
}

// ago shows how long ago a query was sent.
func (t *tracker) ago(q *ask.Question[query]) time.Duration {
	return time.Duration(clock.Elapsed(q.Asked, t.now)).Round(time.Microsecond)
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
func echoOffset(core *wire.Base, m *ServerInfoRequest) int {
	return max(0, len(core.Contents)-len(m.Trailing)-4)
}

// matchReply looks for the query that an answer belongs to.
func (t *tracker) matchReply(core *wire.Base, m *ServerInfoReply, p *wire.Place) {
	off := headerSize
	if Code(core.Contents[2]).hasPacketID() {
		off += 4
	}
	server, asked := p.Src, t.find(queryKey{p.Dst, p.Src, m.Echo})
	if asked == nil {
		server, asked = t.elsewhere(p, m.Echo)
	}
	if asked == nil {
		t.checkStray(core, m, p, off)
		return
	}
	if server != p.Src {
		core.Report(ruleElsewhere, 0, headerSize, "%s was asked with this echo, %s answers", server, p.Src)
	}
	q, verdict := asked.Answer(alike, t.now, unansweredFirst)
	if verdict == ask.Again {
		core.Report(ruleDuplicateReply, off, 4, "the query with echo %d of %s ago was answered before", m.Echo,
			t.ago(newest(asked)))
		return
	}
	if ping := clock.Elapsed(q.Value.place.Time, p.Time); !q.Value.ambiguous && server == p.Src && ping >= 0 {
		t.Measured(wire.Value{Place: *p, Table: servers, Server: p.Src, What: "ping",
			Number: float64(ping) / 1e9, Unit: "s", Answer: true})
	}
	if !q.Overdue() {
		t.stopWaiting(p.Dst)
	}
}

// unansweredFirst says which query an answer belongs to: the one sent first of those that have none yet.
func unansweredFirst(q *ask.Question[query]) int {
	if q.Answers > 0 {
		return 1
	}
	return 2
}

// find gives the queries with a key that are not too old.
func (t *tracker) find(k queryKey) *queries {
	asked := t.queries.Get(k)
	if asked == nil || asked.Len() == 0 || t.expired(asked) {
		return nil
	}
	return asked
}

// elsewhere finds queries with the echo of an answer that went to another server: those that have no
// answer, best to the same host, else the latest.
func (t *tracker) elsewhere(p *wire.Place, number int32) (netip.AddrPort, *queries) {
	e := t.echoes.Get(echoKey{p.Dst, number})
	if e == nil {
		return netip.AddrPort{}, nil
	}
	var best netip.AddrPort
	var found *queries
	rank := -1
	for _, s := range e.servers {
		q := t.find(queryKey{p.Dst, s, number})
		if q == nil {
			continue
		}
		n := 0
		if q.Find(alike, unansweredFirst).Answers == 0 {
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

// checkStray checks an answer that belongs to no query. In the capture's first seconds its query may have
// been sent before.
func (t *tracker) checkStray(core *wire.Base, m *ServerInfoReply, p *wire.Place, off int) {
	a := t.askers.Get(p.Dst)
	if a != nil && a.echoless.Within(t.now, patience) {
		return
	}
	waiting := a != nil && a.open > 0
	if clock.Elapsed(t.start.When, t.now) < patience && !(waiting && a.latest == p.Src) {
		return
	}
	if waiting {
		core.Report(ruleEchoMismatch, off, 4, "echo %d is in none of the queries that %s waits for", m.Echo, p.Dst)
		return
	}
	core.Report(ruleUnsolicited, 0, headerSize, "%s waits for no answer", p.Dst)
}

// checkAnswered checks queries when the patience of one of them may be over.
func (t *tracker) checkAnswered(k queryKey) {
	asked := t.queries.Get(k)
	if asked == nil {
		return
	}
	asked.Overdue(alike, t.now, func(q *ask.Question[query]) {
		t.stopWaiting(k.asker)
		if a := t.askers.Get(k.asker); a != nil && a.unread.Known && a.unread.When >= q.Asked {
			return
		}
		place := &q.Value.place
		t.count(place.Dst, "unanswered", place)
		t.Report(place, ruleUnanswered, "no answer within 5 s")
	})
}
