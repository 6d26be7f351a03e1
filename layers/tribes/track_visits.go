package tribes

import (
	"fmt"
	"math"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// The limit of the master t1master. Each query or heartbeat adds five points to its address, and each second removes
// one point. While an address has at least fifty points, the master drops its packets. The constants express one point
// as one second.
const (
	visitCost = 5 * int64(time.Second)
	visitMost = 50 * int64(time.Second)
)

// visits records the packets that hosts send to masters from any port, and whether the masters answer. One such packet
// is a visit.
type visits struct {
	ends   endpoints
	byPair *bounded.LRU[pair, visit] // keys from endpoints.host
}

type visit struct {
	load     int64 // see visitCost
	since    int64 // the time at which the load was 0
	last     int64
	count    uint16 // number of visits since then
	most     uint16 // the last count of visits that exceeded the limit
	within   int64  // time in which these visits came
	ports    uint16 // ports from which the host announced itself
	answered bool   // the host received a list
}

func newVisits(r *reporter) *visits {
	kind := bounded.Kind{Name: "hosts that ask Tribes masters", Silent: "whether a master answers the host of a server"}
	return &visits{r.ends, bounded.NewLRU(r.Memory, kind, bounded.Values[pair, visit]{})}
}

func (s *visits) visitors(host, master netip.AddrPort) pair {
	return pair{s.ends.host(host), s.ends.host(master)}
}

// record records a query or a heartbeat, and returns the visit of its host.
func (s *visits) record(p *wire.Place) *visit {
	v := s.byPair.Make(s.visitors(p.Src, p.Dst))
	if v.load = max(v.load-max(clock.Elapsed(v.last, p.Time), 0), 0); v.load == 0 {
		v.since, v.count = p.Time, 0
	}
	v.last = p.Time
	v.count += min(1, math.MaxUint16-v.count)
	if v.load += visitCost; v.load > visitMost {
		v.load = visitMost + visitCost // the master counts no points for packets that it drops
		v.most, v.within = v.count, clock.Elapsed(v.since, p.Time)
	}
	return v
}

// find returns the visit of a host, or nil if the host sent nothing to the master.
func (s *visits) find(host, master netip.AddrPort) *visit {
	if s.byPair.Len() == 0 {
		return nil
	}
	return s.byPair.Get(s.visitors(host, master))
}

// answer records that a master sends a list to a host.
func (s *visits) answer(p *wire.Place) {
	if v := s.find(p.Dst, p.Src); v != nil {
		v.answered = true
	}
}

// tooMany reports whether the last visit may have been dropped.
func (v *visit) tooMany() bool { return v.load > visitMost }

// explain returns a reason why a master may drop the heartbeats of a host, or "" if nothing suggests one.
func (v *visit) explain(host netip.Addr) string {
	switch {
	case v == nil:
		return ""
	case v.most > 0:
		return fmt.Sprintf("%d packets of its host came in %.1f s; some masters allow 10", v.most, float64(v.within)/1e9)
	case v.answered:
		return "though the master sends lists to " + host.String()
	}
	return ""
}

// visit records a query for a list.
func (s *listedServers) visit(p *wire.Place) {
	if s.account != nil {
		s.visits.record(p)
	}
}
