package tribes

import (
	"net/netip"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/internal/listing"
)

const (
	maxPatience = 300 * int64(time.Second) // the longest time after which a real master forgets a server
	grace       = 2 * int64(time.Second)   // within which a list shows a verified server
)

// listedServers follows game servers into the lists of their masters.
type listedServers struct {
	time   *captureTime
	book   *listing.Book
	homes  *bounded.LRU[home, netip.AddrPort]
	latest *bounded.LRU[netip.AddrPort, latestList] // by master
}

// home is a game server and a host to which it sends heartbeats. It has no port of the master, which may ask back from
// another one than it gets heartbeats on.
type home struct {
	server netip.AddrPort
	master netip.Addr
}

// latestList is a master's last list, packet by packet. Most packets of the next list are equal, and are not read
// again.
type latestList struct {
	packets []latestPacket
	counted bool // a whole list was
}

type latestPacket struct {
	hash        uint64
	total       uint8 // packets of the list, as this one says
	flawed      bool  // not all of its servers could be read
	seen, since int64 // when it came last, and when it came first with these servers
}

func (r *latestList) held() int { return cap(r.packets) * int(unsafe.Sizeof(latestPacket{})) }

func newListedServers(r *wire.Reporter, now *captureTime) *listedServers {
	s := &listedServers{time: now}
	kind := bounded.Kind{Name: "Tribes servers on their way into a list", Silent: "row in the table listing, no events"}
	s.book = listing.NewBook(r, kind, listing.Habits{Patience: patience, Keeps: maxSilence, Forgets: maxPatience,
		Announces: "heartbeats", Why: whyNot})
	kind.Name = "masters of Tribes servers"
	s.homes = bounded.NewLRU(r.Memory, kind, bounded.Values[home, netip.AddrPort]{})
	kind.Name = "packets of Tribes lists"
	s.latest = bounded.NewLRU(r.Memory, kind, bounded.Values[netip.AddrPort, latestList]{Held: (*latestList).held})
	return s
}

func (s *listedServers) heartbeat(p *wire.Place, version uint8) {
	if !s.book.Wanted() {
		return
	}
	*s.homes.Make(home{p.Src, p.Dst.Addr()}) = p.Dst
	server := s.book.Server(p.Dst, p.Src, p)
	if server == nil {
		return
	}
	if server.Announce(p, int(version)) {
		server.ReportAnnounced(p)
	}
	if version == Version {
		server.Alive(p, p.Time)
	}
}

// challenge handles a query that may be a master's verification of a server, or certainly is one.
func (s *listedServers) challenge(p *wire.Place, certain bool) {
	if !s.book.Wanted() {
		return
	}
	var server *listing.Server
	if certain {
		server = s.book.Server(p.Src, p.Dst, p)
	} else if server = s.known(p.Dst, p.Src); server != nil && !server.Waits(listing.Challenged) {
		return // another host asks there
	}
	if server != nil {
		server.Challenge(p)
	}
}

// known returns a server that sent heartbeats to a master's host, or nil.
func (s *listedServers) known(server, master netip.AddrPort) *listing.Server {
	if s.homes.Len() == 0 {
		return nil
	}
	at := s.homes.Get(home{server, master.Addr()})
	if at == nil {
		return nil
	}
	return s.book.Known(*at, server)
}

// verified returns the server that answers a master's verification, or nil.
func (s *listedServers) verified(l wire.Layer, p *wire.Place) *listing.Server {
	if !s.book.Wanted() {
		return nil
	}
	if l.(*Layer).Peers.ToMaster {
		return s.book.Server(p.Dst, p.Src, p)
	}
	if server := s.known(p.Src, p.Dst); server != nil && server.Waits(listing.Answered) {
		return server
	}
	return nil
}

// answer handles a game info reply, which may answer a master's verification; known says that its query is known, or
// that there is none.
func (s *listedServers) answer(l wire.Layer, p *wire.Place, m *GameInfoReply, r *reply, known bool) {
	server := s.verified(l, p)
	if server == nil {
		return
	}
	if known && r.unasked && r.late == nil {
		if !server.Reached(listing.Verified) {
			server.Fail(p, listing.Challenged, listing.Because(ruleUnsolicited,
				"it speaks of itself before the master asks"))
		}
		return
	}
	server.Answer(p)
	server.Named(p, wire.Trim(m.Name))
	fail := func(rule *wire.Rule, format string, args ...any) {
		server.Fail(p, listing.Verified, listing.Because(rule, format, args...))
	}
	switch {
	case !known || l.Core().Truncated():
	case r.mismatched:
		fail(ruleUnknownKey, "its answer to the verification carries another key")
	case r.late != nil:
		late, _ := seconds(r.late.Asked, s.time.now)
		fail(ruleUnsolicited, "its answer to the verification came after %.1f s, masters wait 5 s", late)
	case !m.HasKey:
		fail(ruleShort, "its answer to the verification ends before the key")
	case m.GameType != GameTribes:
		fail(ruleGameType, "it says that it is another game: type 0x%02x, Tribes is 0x%02x", uint8(m.GameType),
			uint8(GameTribes))
	default:
		server.Verify(p)
	}
}

// answerOtherType handles the document's answer to a verification, which real masters ignore.
func (s *listedServers) answerOtherType(p *wire.Place) {
	if !s.book.Wanted() {
		return
	}
	server := s.book.Known(p.Dst, p.Src)
	if server == nil || !server.Waits(listing.Answered) {
		return
	}
	server.Answer(p)
	server.Fail(p, listing.Verified, listing.Because(ruleVerifyReply,
		"it answers the verification with type 0x07, which masters ignore"))
}

// addPacket handles a packet of a list. It skips the servers of a packet that is as in the last list.
func (s *listedServers) addPacket(p *wire.Place, m *MasterListReply, l *list, next *listPacket) {
	if !s.book.Wanted() {
		return
	}
	latest := s.latest.MakeAt(p.Lane, p.Src)
	for len(latest.packets) <= int(m.Number) {
		latest.packets = append(latest.packets, latestPacket{})
	}
	now := &latest.packets[m.Number]
	now.seen, now.total = s.time.now, m.Total
	if !next.whole || now.hash != next.hash || now.since == 0 {
		*now = latestPacket{hash: next.hash, flawed: !next.whole || len(m.Trailing) > 0, total: m.Total,
			seen: s.time.now, since: s.time.now}
		servers := 0
		if m.Total == 1 {
			servers = len(m.Servers)
		}
		for i := range m.Servers {
			e := &m.Servers[i]
			if e.Marker != entryMarker || e.Port == 0 || unreachable(e.IP) || !next.whole && i == len(m.Servers)-1 {
				now.flawed = true
				continue
			}
			if server := s.book.Server(p.Src, e.AddrPort(), p); server != nil {
				server.Part = m.Number
				server.List(p, servers, !latest.counted)
			}
		}
	}
	if l.complete() && !l.partial && l.came == len(l.packets) {
		s.finish(p, latest, l)
	}
}

// finish handles a complete list. What it lacks is not listed.
func (s *listedServers) finish(p *wire.Place, latest *latestList, l *list) {
	since := l.first
	for i := range l.packets {
		n := int(l.packets[i].number)
		if n >= len(latest.packets) || latest.packets[n].flawed || int(latest.packets[n].total) != len(l.packets) {
			return // a missing server may be in what could not be read
		}
	}
	if !latest.counted {
		latest.counted = true
		s.book.FirstList(p, p.Src, l.servers)
	}
	named := func(server *listing.Server) bool {
		in := &latest.packets[min(int(server.Part), len(latest.packets)-1)]
		return server.Part > 0 && in.seen >= since && server.Seen() >= in.since
	}
	var of map[netip.Addr]int // how many servers of each address the list names; made when it is needed
	s.book.Each(p.Src, func(server *listing.Server) {
		switch {
		case named(server):
		case server.Reached(listing.Listed):
			server.Delist(p)
		case server.Reached(listing.Verified):
			if of == nil {
				of = make(map[netip.Addr]int)
				s.book.Each(p.Src, func(o *listing.Server) { of[o.Address.Addr()] += btoi(named(o)) })
			}
			server.Absent(p, grace, of[server.Address.Addr()])
		case server.Failed() == listing.Challenged && !server.Reached(listing.Challenged) && server.Hint == Version:
			server.Fail(p, listing.Challenged, "the master neither asks it back nor lists it: its heartbeats do not "+
				"arrive, or are dropped")
		}
	})
}

// whyNot returns why a server did not reach a step towards the list, or "".
func whyNot(s *listing.Server, step listing.Step) string {
	switch {
	case step == listing.Challenged && s.Hint != Version:
		return listing.Because(ruleVersion, "its heartbeat has version 0x%02x, masters want 0x%02x", s.Hint, Version)
	case step == listing.Challenged && !s.Reached(listing.Answered):
		return "the master does not ask it back: it is down, drops heartbeats, or lists it from before the capture"
	case step == listing.Answered:
		return listing.Because(ruleUnanswered, "no answer to the verification (is UDP port %d open to the master?)",
			s.Address.Port())
	case step == listing.Renewed && s.Gap > maxSilence:
		return listing.Because(ruleGap, "it sends a heartbeat every %.0f s, masters forget it after 250 to 300 s",
			float64(s.Gap)/1e9)
	case step == listing.Renewed:
		return listing.Because(ruleGap, "no heartbeat for 300 s, after which masters forget it")
	}
	return ""
}
