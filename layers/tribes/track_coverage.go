package tribes

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// coverage reports whether the capture has the queries to which replies belong.
type coverage struct {
	ends endpoints
	time *captureTime

	// hosts are the hosts that sent or received a query. The capture may lack the queries of other hosts, so their
	// replies need no query.
	hosts *bounded.LRU[endpoint, struct{}] // keys from endpoints.host

	// waiting has the clients that requested a list just after the capture began and have not received one yet.
	waiting *bounded.LRU[endpoint, struct{}]
}

func newCoverage(r *reporter, now *captureTime) *coverage {
	s := &coverage{ends: r.ends, time: now}
	s.hosts = bounded.NewLRU(r.Memory, bounded.Kind{Name: "hosts that take part in Tribes queries",
		Silent: "tribes.unsolicited-reply, tribes.unknown-key"}, bounded.Values[endpoint, struct{}]{})
	s.waiting = bounded.NewLRU(r.Memory, bounded.Kind{Name: "clients that wait for their first Tribes list",
		Silent: "tribes.unsolicited-reply"}, bounded.Values[endpoint, struct{}]{})
	return s
}

func (s *coverage) addHosts(p *wire.Place) {
	s.hosts.Make(s.ends.host(p.Src))
	s.hosts.Make(s.ends.host(p.Dst))
}

// asked reports whether a host has sent or received queries.
func (s *coverage) asked(a netip.AddrPort) bool { return s.hosts.Get(s.ends.host(a)) != nil }

// awaitList records that a client requests a list.
func (s *coverage) awaitList(p *wire.Place) {
	if s.time.isEarly() {
		s.waiting.Make(s.ends.Of(p.Src))
	}
}

// gotList records that a client has received its list.
func (s *coverage) gotList(client endpoint) {
	if s.waiting.Len() > 0 {
		s.waiting.Delete(client)
	}
}

// hasQueries reports whether the capture has the queries of a reply's receiver. If neither host has sent or received a
// query, the capture may lack queries. Just after the capture began, the query may be from before the capture. In this
// case, hasQueries assumes that answers come in the order of their queries, and that a client requests no other list
// while it waits for its first one.
func (s *coverage) hasQueries(l wire.Layer, p *wire.Place, x *exchange, k kind) bool {
	switch now := s.time.now; {
	case !s.asked(p.Dst) && !s.asked(p.Src), s.time.forgot.Within(now, patience):
		return false
	case !s.time.isEarly():
		return true
	}
	if _, list := l.Core().Body.(*MasterListReply); list {
		if s.waiting.Get(s.ends.Of(p.Dst)) != nil {
			return true
		}
	}
	return x != nil && x.queries.Find(queryRules, func(q *ask.Question[query]) int {
		return btoi(q.Value.seen && q.Value.kind == k && q.Value.number == AllPackets)
	}) != nil
}

// sweep clears waiting when it is too late for replies to queries from before the capture.
func (s *coverage) sweep() {
	if !s.time.isEarly() {
		s.waiting.Each(func(who endpoint, _ *struct{}) { s.waiting.Delete(who) })
	}
}

func (s *coverage) clear() {
	s.hosts.Clear()
	s.waiting.Clear()
}
