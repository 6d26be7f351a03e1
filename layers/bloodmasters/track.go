package bloodmasters

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// patience is how long an answer may take. All times here are capture times.
const patience = int64(5 * time.Second)

// remembered is how long a query is kept. A later answer must belong to another query.
const remembered = int64(time.Minute)

// alike are the rules for matching answers to queries with the same asker, server and echo.
var alike = &ask.Rules{Most: 4, Patience: patience}

const (
	maxAsked = 8   // servers that one asker queried with the same echo
	maxText  = 256 // bytes of a title or map
)

// tracker pairs queries with their answers and follows how clients join.
type tracker struct {
	*wire.Reporter
	since   clock.Moment // time of the capture's start, or of the last loss of queries; all later queries are known
	now     int64        // the latest capture time; never decreases
	askers  *bounded.LRU[netip.AddrPort, asker]
	queries *bounded.LRU[queryKey, queries]
	echoes  *bounded.LRU[echoKey, echo]
	servers *bounded.LRU[netip.AddrPort, server]
	latest  *bounded.LRU[ends, int32]    // the echo of the last query between two endpoints
	due     *bounded.Deadlines[queryKey] // when queries become overdue, and when they are dropped
	joins   joinTracker
	masters *masterTracker

	strangers strangers
}

// asker is a sender of queries, such as a launcher or a web page.
type asker struct {
	asked      int64          // time of its last query
	open       int            // queries without an answer that are not yet overdue
	latest     netip.AddrPort // the server of its last query
	latestEcho int32          // the echo of that query
	echoless   clock.Moment   // time of the last query without an echo; its answer may have any echo
	unread     clock.Moment   // time of the last answer whose echo could not be read
	cut        bool           // the snap length cut that answer
}

// queryKey identifies the query of an answer. The key of a query without an echo has no server.
type queryKey struct {
	asker, server netip.AddrPort
	echo          int32
}

type echoKey struct {
	asker netip.AddrPort
	echo  int32
}

// echo lists the servers that were queried with the same echo; the latest is last.
type echo struct {
	servers []netip.AddrPort
}

func newTracker(r *wire.Reporter) wire.Tracker {
	t := &tracker{Reporter: r}
	const stray = "bloodmasters.unsolicited-reply or bloodmasters.echo-mismatch"
	t.askers = bounded.NewLRU(r.Memory, bounded.Kind{Name: "askers of Bloodmasters servers", Silent: stray},
		bounded.Values[netip.AddrPort, asker]{Dropped: t.forgetAsker})
	t.queries = bounded.NewLRU(r.Memory, bounded.Kind{Name: "queries to Bloodmasters servers",
		Silent: "ping, bloodmasters.unanswered-query, " + stray},
		bounded.Values[queryKey, queries]{Held: (*queries).held, Dropped: t.forgetQueries})
	t.echoes = bounded.NewLRU(r.Memory, bounded.Kind{Name: "echoes in queries to Bloodmasters servers",
		Silent: "bloodmasters.reply-from-elsewhere"}, bounded.Values[echoKey, echo]{Held: (*echo).held})
	t.servers = bounded.NewLRU(r.Memory, bounded.Kind{Name: "Bloodmasters servers",
		Silent: "bloodmasters.unsolicited-reply"},
		bounded.Values[netip.AddrPort, server]{Held: (*server).held})
	t.due = bounded.NewDeadlines[queryKey](r.Memory, bounded.Kind{Name: "answers expected from Bloodmasters servers",
		Silent: "bloodmasters.unanswered-query"})
	t.latest = bounded.NewLRU(r.Memory, bounded.Kind{Name: "latest queries to Bloodmasters servers",
		Silent: "ICMP errors about queries"}, bounded.Values[ends, int32]{})
	t.strangers = newStrangers(r)
	r.Watch(t)
	t.joins.Account = attempt.New(r, "joins of Bloodmasters servers", joins)
	t.masters = newMasterTracker(r)
	return t
}

func (t *tracker) Message(l wire.Layer, p *wire.Place) {
	core := l.Core()
	switch m := core.Body.(type) {
	case *HTTPRequest:
		t.masters.request(m, p)
	case *HTTPResponse:
		t.masters.answer(core, m, p)
	case *ServerInfoRequest:
		t.noteQuery(core, m, p)
	case *ServerInfoReply:
		if fault := core.Fault(); fault != nil && fault.Field == "echo" {
			t.noteUnreadable(p, core.Truncated())
			return
		}
		t.matchReply(core, m, p)
		if core.Fault() == nil && !core.Truncated() {
			t.measureState(m, p)
		}
	default:
		t.joins.take(core, l.(*Layer).Code, p)
		t.strangers.take(core, l.(*Layer).Code, p)
		if _, text := m.(*ConnectRefused); !text && (core.Fault() != nil || core.Truncated()) {
			t.noteUnreadable(p, core.Truncated())
		}
	}
}

// noteUnreadable records an unreadable message that may be an answer.
func (t *tracker) noteUnreadable(p *wire.Place, cut bool) {
	if a := t.askers.GetAt(wire.ReverseLane(p.Lane), p.Dst); a != nil {
		a.unread, a.cut = clock.At(t.now), cut
	}
}

// Lost handles missing bytes of a stream. Queries use UDP, so Lost does not affect them.
func (t *tracker) Lost(p *wire.Place) {
	t.joins.Lost(p)
	if p.Transport == wire.TCP {
		t.masters.Lost(p)
	}
}

func (t *tracker) Ended(p *wire.Place) { t.masters.Ended(p) }

func (t *tracker) Time(now int64) {
	if !t.since.Known() {
		t.since = clock.At(now)
	}
	t.now = now
	t.joins.Time(now)
	t.masters.Account.Time(now)
	for key, _, ok := t.due.Due(now); ok; key, _, ok = t.due.Due(now) {
		t.checkAnswered(key)
		t.checkExpired(key)
	}
}

// Jump handles a jump of the clock. It drops the open queries because their age is now unknown.
func (t *tracker) Jump(now int64) {
	t.since, t.now = clock.At(now), now
	t.askers.Clear()
	t.queries.Clear()
	t.echoes.Clear()
	t.due.Clear()
	t.latest.Clear()
	t.strangers.clear()
	t.joins.Jump(now)
	t.masters.Jump(now)
}

func (t *tracker) Next() int64 { return min(t.due.Next(), t.joins.Next(), t.masters.Account.Next()) }

// Close counts queries that still await an answer as "open at the end". They break no rule.
func (t *tracker) Close(now int64) {
	t.Time(now)
	t.joins.Close(now)
	t.strangers.close(t)
	t.masters.Account.Close(now)
	t.queries.Each(func(_ queryKey, asked *queries) {
		for i := range asked.Len() {
			if q := asked.At(i); q.Answers == 0 && !q.Overdue() && !q.Value.unreached {
				place := &q.Value.place
				t.countQuery(place.Dst, place.Src, "open at the end", place)
			}
		}
	})
}
