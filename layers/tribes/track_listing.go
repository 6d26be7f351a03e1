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

// home is a game server and a host to which it sends heartbeats. It has no port of the master, which may ask back from
// another one than it gets heartbeats on.
type home struct {
	server netip.AddrPort
	master netip.Addr
}

// roll is a master's last list, packet by packet. Most packets of the next list are equal, and are not read again.
type roll struct {
	parts []part
	told  bool // a whole list was counted
}

// part is a packet of a roll.
type part struct {
	hash        uint64
	total       uint8 // packets of the list, as this one says
	flawed      bool  // not all of its servers could be read
	seen, since int64 // when it came last, and when it came first with these servers
}

func (r *roll) held() int { return cap(r.parts) * int(unsafe.Sizeof(part{})) }

// followLists makes what the tracker remembers of masters and their servers.
func (t *tracker) followLists(r *wire.Reporter) {
	kind := bounded.Kind{Name: "Tribes servers on their way into a list", Silent: "row in the table listing, no events"}
	t.book = listing.NewBook(r, kind, listing.Habits{Patience: patience, Keeps: maxSilence, Forgets: maxPatience,
		Announces: "heartbeats", Why: whyNot})
	kind.Name = "masters of Tribes servers"
	t.homes = bounded.NewLRU(r.Memory, kind, bounded.Values[home, netip.AddrPort]{})
	kind.Name = "packets of Tribes lists"
	t.rolls = bounded.NewLRU(r.Memory, kind, bounded.Values[netip.AddrPort, roll]{Held: (*roll).held})
}

// listHeartbeat handles a heartbeat.
func (t *tracker) listHeartbeat(p *wire.Place, version uint8) {
	if !t.book.Wanted() {
		return
	}
	*t.homes.Make(home{p.Src, p.Dst.Addr()}) = p.Dst
	s := t.book.Server(p.Dst, p.Src, p)
	if s == nil {
		return
	}
	if s.Announce(p, int(version)) {
		s.TellAnnounced(p)
	}
	if version == Version {
		s.Alive(p, p.Time)
	}
}

// listVerification handles a query that may be a master's verification of a server, or certainly is one.
func (t *tracker) listVerification(p *wire.Place, certain bool) {
	if !t.book.Wanted() {
		return
	}
	var s *listing.Server
	if certain {
		s = t.book.Server(p.Src, p.Dst, p)
	} else if t.homes.Len() > 0 {
		if master := t.homes.Get(home{p.Dst, p.Src.Addr()}); master != nil {
			s = t.book.Known(*master, p.Dst)
		}
		if s != nil && !s.Waits(listing.Challenged) {
			return // another host asks there
		}
	}
	if s != nil {
		s.Challenge(p)
	}
}

// verified returns the server that answers a master's verification, or nil.
func (t *tracker) verified(l wire.Layer, p *wire.Place) *listing.Server {
	if !t.book.Wanted() {
		return nil
	}
	if l.(*Layer).Peers.ToMaster {
		return t.book.Server(p.Dst, p.Src, p)
	}
	if t.homes.Len() == 0 {
		return nil
	}
	master := t.homes.Get(home{p.Src, p.Dst.Addr()})
	if master == nil {
		return nil
	}
	if s := t.book.Known(*master, p.Src); s != nil && s.Waits(listing.Answered) {
		return s
	}
	return nil
}

// listReply handles a game info reply, which may answer a master's verification.
func (t *tracker) listReply(l wire.Layer, p *wire.Place, m *GameInfoReply, r *reply) {
	s := t.verified(l, p)
	if s == nil {
		return
	}
	judged := !r.stranger && !r.unasked || t.knowsQueries(l, p, r)
	if judged && r.unasked && r.late == nil {
		if !s.Reached(listing.Verified) {
			s.Fail(p, listing.Challenged, listing.Because(ruleUnsolicited, "it speaks of itself before the master asks"))
		}
		return
	}
	s.Answer(p)
	s.Named(p, wire.Trim(m.Name))
	fail := func(rule *wire.Rule, format string, args ...any) {
		s.Fail(p, listing.Verified, listing.Because(rule, format, args...))
	}
	switch {
	case !judged || l.Core().Truncated():
	case r.stranger:
		fail(ruleUnknownKey, "its answer to the verification carries another key")
	case r.late != nil:
		late, _ := seconds(r.late.Asked, t.now)
		fail(ruleUnsolicited, "its answer to the verification came after %.1f s, masters wait 5 s", late)
	case !m.HasKey:
		fail(ruleShort, "its answer to the verification ends before the key")
	case m.GameType != GameTribes:
		fail(ruleGameType, "it says that it is another game: type 0x%02x, Tribes is 0x%02x", uint8(m.GameType),
			uint8(GameTribes))
	default:
		s.Verify(p)
	}
}

// listOtherReply handles the document's answer to a verification, which real masters ignore.
func (t *tracker) listOtherReply(p *wire.Place) {
	if !t.book.Wanted() {
		return
	}
	s := t.book.Known(p.Dst, p.Src)
	if s == nil || !s.Waits(listing.Answered) {
		return
	}
	s.Answer(p)
	s.Fail(p, listing.Verified, listing.Because(ruleVerifyReply,
		"it answers the verification with type 0x07, which masters ignore"))
}

// listServers handles a packet of a list. It skips the servers of a packet that is as in the last list.
func (t *tracker) listServers(p *wire.Place, m *MasterListReply, s *list, next *portion) {
	if !t.book.Wanted() {
		return
	}
	r := t.rolls.MakeAt(p.Lane, p.Src)
	for len(r.parts) <= int(m.Number) {
		r.parts = append(r.parts, part{})
	}
	now := &r.parts[m.Number]
	now.seen, now.total = t.now, m.Total
	if !next.whole || now.hash != next.hash || now.since == 0 {
		*now = part{hash: next.hash, flawed: !next.whole || len(m.Trailing) > 0, total: m.Total,
			seen: t.now, since: t.now}
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
			if one := t.book.Server(p.Src, e.AddrPort(), p); one != nil {
				one.Part = m.Number
				one.List(p, servers, !r.told)
			}
		}
	}
	if s.complete() && !s.partial && s.came == len(s.packets) {
		t.listWhole(p, r, s)
	}
}

// listWhole handles a complete list. What it lacks is not listed.
func (t *tracker) listWhole(p *wire.Place, r *roll, s *list) {
	since := s.first
	for i := range s.packets {
		n := int(s.packets[i].number)
		if n >= len(r.parts) || r.parts[n].flawed || int(r.parts[n].total) != len(s.packets) {
			return // a missing server may be in what could not be read
		}
	}
	if !r.told {
		r.told = true
		t.book.FirstList(p, p.Src, s.servers)
	}
	named := func(one *listing.Server) bool {
		in := &r.parts[min(int(one.Part), len(r.parts)-1)]
		return one.Part > 0 && in.seen >= since && one.Seen() >= in.since
	}
	var of map[netip.Addr]int // how many servers of each address the list names; made when it is needed
	t.book.Each(p.Src, func(one *listing.Server) {
		switch {
		case named(one):
		case one.Reached(listing.Listed):
			one.Unlist(p)
		case one.Reached(listing.Verified):
			if of == nil {
				of = make(map[netip.Addr]int)
				t.book.Each(p.Src, func(o *listing.Server) { of[o.Address.Addr()] += btoi(named(o)) })
			}
			one.Lacks(p, grace, of[one.Address.Addr()])
		case one.Failed() == listing.Challenged && !one.Reached(listing.Challenged) && one.Hint == Version:
			one.Fail(p, listing.Challenged, "the master neither asks it back nor lists it: its heartbeats do not arrive, or "+
				"are dropped")
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
