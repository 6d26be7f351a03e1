package tribes

import (
	"math/bits"
	"net/netip"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// broadcasts holds the queries that hosts sent to broadcast addresses.
type broadcasts struct {
	ends     endpoints
	time     *captureTime
	byClient *bounded.LRU[endpoint, ask.List[query]]
}

func newBroadcasts(r *reporter, now *captureTime) *broadcasts {
	s := &broadcasts{ends: r.ends, time: now}
	s.byClient = bounded.NewLRU(r.Memory, bounded.Kind{Name: "Tribes queries to many", Silent: "ping"},
		bounded.Values[endpoint, ask.List[query]]{
			Held:    func(l *ask.List[query]) int { return l.Held() + l.Len()*int(unsafe.Sizeof(rareQuery{})) },
			Dropped: func(endpoint, *ask.List[query]) { now.forgot = clock.At(now.now) },
		})
	return s
}

// add adds a query if its destination may be a broadcast address.
func (s *broadcasts) add(p *wire.Place, q query) {
	if !mayBroadcast(p.Dst.Addr()) {
		return
	}
	q.rare = &rareQuery{broadcast: p.Dst}
	addQuery(s.byClient.Make(s.ends.Of(p.Src)), q, s.time.now)
}

// find returns the queries of a client, or nil if there are none.
func (s *broadcasts) find(client endpoint) *ask.List[query] {
	if s.byClient.Len() == 0 {
		return nil
	}
	return s.byClient.Get(client)
}

// An address may be the broadcast address of a network if at least its lowest broadcastBits bits are ones. A capture
// does not show the size of networks.
const broadcastBits = 5

func mayBroadcast(a netip.Addr) bool { return a.IsMulticast() || lowOnes(a) >= broadcastBits }

// lowOnes returns the number of trailing one bits. It is 0 for IPv6, which has no broadcast.
func lowOnes(a netip.Addr) int {
	if a = a.Unmap(); !a.Is4() {
		return 0
	}
	return bits.TrailingZeros32(^ipv4Number(a))
}

func ipv4Number(a netip.Addr) uint32 {
	b := a.As4()
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}

// reaches reports whether a packet to one address may have reached another, because a broadcast address reaches all
// hosts of its network. An address that itself sends answers is not a broadcast address.
func reaches(to, who netip.AddrPort) bool {
	if to.Port() != who.Port() || to == who {
		return false
	}
	if to.Addr().IsMulticast() {
		return true
	}
	ones, a := lowOnes(to.Addr()), who.Addr().Unmap()
	if ones < broadcastBits || !a.Is4() {
		return false
	}
	return uint64(ipv4Number(a))>>ones == uint64(ipv4Number(to.Addr().Unmap()))>>ones
}
