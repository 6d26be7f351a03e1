package tribes

import (
	"fmt"
	"math"
	"net/netip"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

const (
	grace       = 2 * time.Second // time from a server's verification until it must be in the list
	fewestLimit = 5               // real masters list at least this many servers per address
	quick       = 2 * time.Second // every master accepts an answer that arrives within this time
)

// listedServers follows how game servers enter and leave the lists of their masters.
type listedServers struct {
	*wire.Reporter
	ends       endpoints
	time       *captureTime
	heartbeats *heartbeats
	account    *attempt.Account
	homes      *bounded.LRU[home, netip.AddrPort]
	visits     *visits
	latest     *bounded.LRU[netip.AddrPort, latestList] // keys are masters
}

// home is a game server and the host of a master to which the server sends heartbeats. The master's port is left out,
// because a master may send its verification from another port. If server has a port, the value in homes is the
// master's address and port. If not, the value is the last address and port of a server at this address.
type home struct {
	server netip.AddrPort
	master netip.Addr
}

// latestList holds the packets of a master's last list. Most packets of the next list are identical, so the tracker
// does not read their servers again.
type latestList struct {
	packets []latestPacket
	serial  uint32 // number of packets read so far
	counted bool   // a whole list has been read
}

type latestPacket struct {
	hash   uint64
	seen   int64  // time when it last came
	serial uint32 // value of latestList.serial
	total  uint8  // number of packets of the list, according to this packet
	flawed bool   // some servers in it could not be read
}

// The tag of a listing has three parts: the number of the packet that last named the server, a version bit, and the
// packet's serial number.
const (
	tagNumber       = 24        // number of bits after the packet number
	tagOtherVersion = 1 << 23   // set if the last heartbeat had the wrong version
	tagSerial       = 1<<23 - 1 // mask of the serial number
)

func (r *latestList) held() int { return cap(r.packets) * int(unsafe.Sizeof(latestPacket{})) }

func newListedServers(r *reporter, now *captureTime, h *heartbeats) *listedServers {
	s := &listedServers{Reporter: r.Reporter, ends: r.ends, time: now, heartbeats: h}
	s.account = attempt.New(r.Reporter, "Tribes servers on their way into a list, and players into a game", listing, joins)
	kind := bounded.Kind{Name: "masters of Tribes servers", Silent: "rows in the table listing, events"}
	s.homes = bounded.NewLRU(r.Memory, kind, bounded.Values[home, netip.AddrPort]{})
	s.visits = newVisits(r)
	kind.Name = "packets of Tribes lists"
	s.latest = bounded.NewLRU(r.Memory, kind, bounded.Values[netip.AddrPort, latestList]{Held: (*latestList).held})
	return s
}

// happened reports an event of a game server. The text of the event is the server's address followed by the formatted
// text.
func (s *listedServers) happened(p *wire.Place, x *attempt.Attempt, kind, format string, args ...any) {
	game, master := x.Ends()
	s.Happened(p, master, game.String(), kind, game.String()+" "+format, args...)
}

func (s *listedServers) heartbeat(p *wire.Place, version uint8) {
	if s.account == nil {
		return
	}
	*s.homes.Make(home{p.Src, p.Dst.Addr()}) = p.Dst
	last := s.homes.Make(home{withoutPort(p.Src), p.Dst.Addr()})
	before := *last
	*last = p.Src
	v := s.visits.record(p)
	x := s.account.Begin(listing, p, p.Src, p.Dst)
	if x == nil {
		return
	}
	x.SetTag(x.Tag() &^ tagOtherVersion)
	x.Blame("")
	switch {
	case x.Outcome() == wire.Done:
		s.suspectGap(x)
	case version != Version:
		x.SetTag(x.Tag() | tagOtherVersion)
		x.Suspect("its heartbeat has the wrong version",
			because(ruleVersion, "0x%02x, not 0x%02x", version, Version))
	case v.tooMany():
		x.Suspect("", "")
		x.Blame(v.explain(p.Src.Addr()))
	case v.answered:
		x.Suspect("no verification by the master, though it answers this address: it drops the heartbeats, "+
			"or lists the server from before the capture", "")
	default:
		x.Suspect("", "")
		if !s.account.Heard(p.Dst) {
			x.Blame("or it is down")
		}
	}
	if x.Try(p, stepAnnounced) {
		s.happened(p, x, eventAnnounced, "announces itself at %s", p.Dst)
		v.ports += min(1, math.MaxUint16-v.ports)
		if old := s.account.Of(listing, before, p.Dst); before != p.Src && old.Outcome() == wire.Done {
			old.Suspect("no heartbeat for 300 s, and its host now announces itself from a new port", "")
		}
	}
	if version == Version {
		x.Renew(p, p.Time)
	}
}

// suspectGap records the gap between heartbeats as a possible reason, in case a master drops the server.
func (s *listedServers) suspectGap(x *attempt.Attempt) {
	last := s.heartbeats.last.Peek(s.ends.pair(x.Ends()))
	if last == nil || last.gap <= maxSilence {
		x.Suspect("", "")
		return
	}
	x.Suspect("it sends heartbeats too seldom",
		because(ruleGap, "every %.0f s, but masters forget it after 250 to 300 s", float64(last.gap)/1e9))
}

// challenge handles a query that is or may be a master's verification of a server.
func (s *listedServers) challenge(p *wire.Place, certain bool) {
	if s.account == nil {
		return
	}
	var x *attempt.Attempt
	if certain {
		x = s.account.Begin(listing, p, p.Dst, p.Src)
	} else if x = s.known(p.Dst, p.Src); !x.Awaits(stepAnnounced) {
		return // the query is not from a known master
	}
	if x.Outcome() != wire.Done {
		x.Suspect("no answer to the verification",
			because(ruleUnanswered, "UDP port %d may be closed to the master", p.Dst.Port()))
	}
	x.Reach(p, stepChallenged)
}

// known returns the listing of a server that sent heartbeats to a master's host, or nil.
func (s *listedServers) known(server, master netip.AddrPort) *attempt.Attempt {
	if s.homes.Len() == 0 {
		return nil
	}
	at := s.homes.Get(home{server, master.Addr()})
	if at == nil {
		return nil
	}
	return s.account.Of(listing, server, *at)
}

// verified returns the listing of the server that answers a master's verification, or nil if there is none.
func (s *listedServers) verified(l wire.Layer, p *wire.Place) *attempt.Attempt {
	if s.account == nil {
		return nil
	}
	if l.(*Layer).Peers.ToMaster {
		return s.account.Begin(listing, p, p.Src, p.Dst)
	}
	if x := s.known(p.Src, p.Dst); x.Awaits(stepChallenged) {
		return x
	}
	return nil
}

// answerFromAnotherPort handles an answer from a port that has sent no heartbeats. If a server at the same address has
// not yet answered its verification, the verification fails.
func (s *listedServers) answerFromAnotherPort(p *wire.Place, m *GameInfoReply) bool {
	if s.account == nil || s.homes.Len() == 0 || s.homes.Get(home{p.Src, p.Dst.Addr()}) != nil {
		return false
	}
	server := s.homes.Get(home{withoutPort(p.Src), p.Dst.Addr()})
	if server == nil {
		return false
	}
	x := s.known(*server, p.Dst)
	if !x.Awaits(stepChallenged) {
		return false
	}
	x.Reach(p, stepAnswered)
	x.Name(p, string(m.name()))
	x.Fail(p, wire.Asker, "its answer to the verification comes from another port than its heartbeats",
		fmt.Sprintf("port %d, not %d", p.Src.Port(), server.Port()))
	return true
}

// answer handles a game info reply that may answer a master's verification. known is true if the tracker is certain
// which query the reply answers, or that there was no query.
func (s *listedServers) answer(l wire.Layer, p *wire.Place, m *GameInfoReply, r *reply, known bool) {
	if s.answerFromAnotherPort(p, m) {
		return
	}
	x := s.verified(l, p)
	if x == nil {
		return
	}
	if known && r.unasked && r.late == nil {
		if !x.Reached(stepVerified) {
			x.Fail(p, wire.Asker, because(ruleUnsolicited, "it sends its information before the master asks"), "")
		}
		return
	}
	x.Reach(p, stepAnswered)
	x.Name(p, string(m.name()))
	fail := func(rule *wire.Rule, cause, format string, args ...any) {
		x.Fail(p, wire.Asker, cause, because(rule, format, args...))
	}
	switch {
	case !known || l.Core().Truncated():
	case r.mismatched:
		x.Fail(p, wire.Asker, because(ruleUnknownKey, "its answer to the verification has another key"), "")
	case r.late != nil:
		late, _ := seconds(r.late.Asked, s.time.now)
		fail(ruleUnsolicited, "its answer to the verification came too late", "after %.1f s; masters wait 5 s", late)
	case !m.HasKey:
		x.Fail(p, wire.Asker, because(ruleShort, "its answer to the verification ends before the key"), "")
	case m.GameType != GameTribes:
		fail(ruleGameType, "it says that it is another game", "type 0x%02x", uint8(m.GameType))
	default:
		s.suspectGap(x)
		x.Reach(p, stepVerified)
	}
}

// answerOtherType handles type 0x07. According to the protocol document, servers answer a verification with it, but
// real masters ignore it.
func (s *listedServers) answerOtherType(p *wire.Place) {
	if x := s.account.Of(listing, p.Src, p.Dst); x.Awaits(stepChallenged) {
		x.Reach(p, stepAnswered)
		x.Fail(p, wire.Asker,
			because(ruleVerifyReply, "it answers the verification with type 0x07, which masters ignore"), "")
	}
}

// addPacket handles a packet of a list. If the packet is the same as in the last list, addPacket does not process its
// servers again.
func (s *listedServers) addPacket(p *wire.Place, m *MasterListReply, l *list, next *listPacket) {
	if s.account == nil {
		return
	}
	s.visits.answer(p)
	latest := s.latest.MakeAt(p.Lane, p.Src)
	for len(latest.packets) <= int(m.Number) {
		latest.packets = append(latest.packets, latestPacket{})
	}
	now := &latest.packets[m.Number]
	now.seen, now.total = s.time.now, m.Total
	if !next.whole || now.hash != next.hash || now.serial == 0 {
		latest.serial++
		*now = latestPacket{hash: next.hash, flawed: !next.whole || len(m.Trailing) > 0, total: m.Total,
			seen: s.time.now, serial: latest.serial}
		for i := range m.Servers {
			e := &m.Servers[i]
			if e.Marker != entryMarker || e.Port == 0 || unreachable(e.IP) || !next.whole && i == len(m.Servers)-1 {
				now.flawed = true
				continue
			}
			if x := s.account.Begin(listing, p, e.AddrPort(), p.Src); x != nil {
				x.SetTag(uint32(m.Number)<<tagNumber | x.Tag()&tagOtherVersion | now.serial&tagSerial)
				s.list(x, p, m, latest.counted)
			}
		}
	}
	if l.complete() && !l.partial && l.came == len(l.packets) {
		s.finish(p, latest, l)
	}
}

// list records that a packet of a list names a server. Servers in the first list cause no events.
func (s *listedServers) list(x *attempt.Attempt, p *wire.Place, m *MasterListReply, counted bool) {
	gone := x.Reached(stepListed) && (x.Outcome() == wire.Absent || x.Outcome() == wire.NotKnown)
	if first := x.Reach(p, stepListed); !gone && (!first || !counted && !x.Reached(stepAnnounced)) {
		return
	}
	count := ""
	if m.Total == 1 {
		count = " (" + wire.Counted(len(m.Servers), "server") + ")"
	}
	s.happened(p, x, eventListed, "appears in the list of %s%s", p.Src, count)
}
