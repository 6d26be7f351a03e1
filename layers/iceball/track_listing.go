package iceball

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// listedServers follows game servers until they appear in the lists of their heartbeat servers.
type listedServers struct {
	*wire.Reporter
	announcers *bounded.LRU[netip.AddrPort, announcer]
	games      *games
	addresses  *bounded.LRU[netip.AddrPort, masterAddress]
	hosts      *bounded.LRU[netip.Addr, netip.AddrPort] // the socket of each host that last received MSOK
	account    *attempt.Account
}

func newListedServers(r *wire.Reporter, a *bounded.LRU[netip.AddrPort, announcer], g *games) *listedServers {
	s := &listedServers{Reporter: r, announcers: a, games: g}
	s.addresses = bounded.NewLRU(r.Memory, bounded.Kind{Name: "addresses of Iceball heartbeat servers",
		Silent: "which addresses are one server, in the table listing"}, bounded.Values[netip.AddrPort, masterAddress]{})
	s.hosts = bounded.NewLRU(r.Memory, bounded.Kind{Name: "hosts of Iceball servers",
		Silent: "handshakes from other ports"}, bounded.Values[netip.Addr, netip.AddrPort]{})
	s.account = attempt.New(r, "Iceball servers on their way into a list", listing, fetch)
	if s.account != nil {
		r.Watch(s)
	}
	return s
}

// Signal handles ICMP errors and the ends of connections. ICMP quotes the socket of an announcer, but attempts are
// stored under the server's port for players.
func (s *listedServers) Signal(what wire.Signal, p *wire.Place) {
	if p.Transport == wire.TCP {
		if what == wire.Finishing || what == wire.Resetting {
			plainhttp.Closing(s.account.Of(fetch, p.Dst, p.Src), p, true, plainhttp.Awaits)
			plainhttp.Closing(s.account.Of(fetch, p.Src, p.Dst), p, false, plainhttp.Awaits)
		}
		return
	}
	if a := s.announcers.Peek(p.Src); what == wire.Undelivered && a != nil {
		row := *p
		if row.Src = a.entryOf(p.Src, &a.latest); row.Src != p.Src {
			s.account.Signal(what, &row)
		}
	}
}

// begin returns the attempt of an announced game server to be listed at a heartbeat server.
func (s *listedServers) begin(
	a *announcer, socket netip.AddrPort, o *announcement, at netip.AddrPort, p *wire.Place,
) *attempt.Attempt {
	return s.account.Begin(listing, p, a.entryOf(socket, o), at)
}

// happened reports an event of a game server. Its text is the server's address, followed by the formatted text.
func (s *listedServers) happened(p *wire.Place, x *attempt.Attempt, kind, format string, args ...any) {
	game, master := x.Ends()
	s.Happened(p, master, game.String(), kind, game.String()+" "+format, args...)
}

func (s *listedServers) announce(a *announcer, o *announcement, p *wire.Place) {
	x := s.begin(a, p.Src, o, p.Dst, p)
	if x == nil {
		return
	}
	f := &o.facts
	x.Suspect(suspectAnnounce(p.Src.Addr(), f))
	first := x.Try(p, stepAnnounced)
	switch {
	case first && f.whole:
		s.happened(p, x, eventAnnounced, "announces itself at %s: %s (%d/%d players, %s)", p.Dst, wire.Trim(f.name[:]),
			f.current, f.limit, wire.Trim(f.level[:]))
	case first:
		s.happened(p, x, eventAnnounced, "announces itself at %s", p.Dst)
	case f.whole && a.latest.facts.whole && a.latest.facts.port == f.port:
		s.reportChanges(x, &a.latest.facts, f, p)
	}
	if f.whole {
		x.Name(p, string(wire.Trim(f.name[:])))
	}
	to := s.addresses.Make(p.Dst)
	to.announces++
	if to.isSecondary() {
		s.pointElsewhere(x, to, p.Dst, p)
	}
}

// suspectAnnounce returns the likely reason why an announce gets no answer, or "".
func suspectAnnounce(from netip.Addr, f *facts) (cause, detail string) {
	switch {
	case from.Is6():
		return because(ruleIPv6, "no answer to its announces over IPv6"), ""
	case f.size != announceSize:
		return "no answer to an announce that does not have 86 bytes", because(ruleAnnounceLength, "%d bytes", f.size)
	}
	return "", ""
}

// reportChanges reports an event for each change since the previous announce.
func (s *listedServers) reportChanges(x *attempt.Attempt, old, now *facts, p *wire.Place) {
	if old.name != now.name {
		s.happened(p, x, "title", "is called %s now", wire.Trim(now.name[:]))
	}
	if old.level != now.level || old.mode != now.mode {
		s.happened(p, x, "map", "now plays %s (%s)", wire.Trim(now.level[:]), wire.Trim(now.mode[:]))
	}
	if old.current != now.current || old.limit != now.limit {
		s.happened(p, x, "players", "has %d/%d players", now.current, now.limit)
	}
}

// challenge handles MSOK, which contains a cookie for the game server. For a server that is already listed, MSOK
// extends the listing.
func (s *listedServers) challenge(a *announcer, o *announcement, waited bool, p *wire.Place) {
	x := s.addressed(a, o, waited, p)
	if x == nil {
		return
	}
	*s.hosts.Make(p.Dst.Addr()) = p.Dst
	x.Suspect("", "")
	x.Reach(p, stepChallenged)
	if x.Outcome() == wire.Done && waited {
		x.Renew(p, o.at)
	}
}

// answer handles an HSHK whose cookie cannot be checked. a is nil if the sender is unknown.
func (s *listedServers) answer(a *announcer, p *wire.Place) {
	if a == nil && s.answerFromAnotherPort(p) {
		return
	}
	if a == nil {
		a = new(announcer)
	}
	x := s.begin(a, p.Src, &a.latest, p.Dst, p)
	x.Reach(p, stepAnswered)
	x.Stop()
}

// verify handles HSHK with the right cookie. It does nothing if the announce was too long ago.
func (s *listedServers) verify(a *announcer, r *registration, socket netip.AddrPort, p *wire.Place) {
	when := r.acceptedAt
	if r.known {
		when = r.announce.at
	}
	if clock.Elapsed(when, p.Time) >= goneBy {
		return
	}
	x := s.begin(a, socket, &r.announce, r.master, p)
	x.Reach(p, stepAnswered)
	x.Suspect("", "")
	if r.gap > goneBy {
		x.Suspect("it announces itself too seldom",
			because(rulePeriod, "every %.0f s, but the master forgets it after 120 s", seconds(r.gap)))
	}
	x.Renew(p, when)
	x.Reach(p, stepVerified)
}

// answerStale handles HSHK with an old cookie, which a newer MSOK had replaced.
func (s *listedServers) answerStale(a *announcer, master netip.AddrPort, p *wire.Place) {
	x := s.account.Of(listing, a.entryOf(p.Src, &a.latest), master)
	if x.Outcome() != wire.Done {
		x.Suspect(because(ruleStaleCookie, "a newer MSOK had replaced the cookie of its HSHK"), "")
	}
	x.Reach(p, stepAnswered)
}

// answerWrong handles HSHK with an unknown cookie, or from an address without an announce.
func (s *listedServers) answerWrong(a *announcer, rule *wire.Rule, p *wire.Place) {
	if a == nil && s.answerFromAnotherPort(p) {
		return
	}
	if a == nil {
		a = new(announcer)
	}
	x := s.begin(a, p.Src, &a.latest, p.Dst, p)
	x.Reach(p, stepAnswered)
	switch {
	case rule == ruleWrongCookie:
		x.Fail(p, wire.Asker, because(rule, "its HSHK has another cookie than MSOK"), "")
	case x.Outcome() == wire.Done:
	case x.Reached(stepChallenged):
		x.Suspect(because(rule, "its HSHK carries a cookie of no MSOK in the capture"), "")
	case x.Reached(stepAnnounced):
		x.Doubt(p, because(rule, "it sends HSHK, and the capture has no MSOK"))
	default:
		x.Doubt(p, because(rule, "it sends HSHK from a port that announced nothing"))
	}
}

// answerFromAnotherPort handles HSHK from an address without an announce, if another socket of the same host should
// have sent HSHK. It reports whether there is such a socket.
func (s *listedServers) answerFromAnotherPort(p *wire.Place) bool {
	socket := s.hosts.Get(p.Src.Addr())
	if socket == nil {
		return false
	}
	a := s.announcers.Peek(*socket)
	if a == nil {
		return false
	}
	x := s.account.Of(listing, a.entryOf(*socket, &a.latest), p.Dst)
	if !x.Awaits(stepChallenged) {
		return false
	}
	x.Reach(p, stepAnswered)
	x.Fail(p, wire.Asker, "its HSHK comes from another port than its announces",
		because(ruleUnasked, "port %d, not %d", p.Src.Port(), socket.Port()))
	return true
}

// refuseVersion handles BADV.
func (s *listedServers) refuseVersion(
	a *announcer, o *announcement, waited bool, m *BadVersion, whole bool, p *wire.Place,
) {
	f := &o.facts
	var cause, detail string
	switch {
	case !f.versions || !whole:
		cause = "the master wants another version (BADV)"
	case f.heartbeat.swapped() || f.version.swapped():
		cause = because(ruleByteOrder, "its version has the bytes swapped")
	case f.heartbeat == m.Heartbeat && f.version == m.Version:
		cause, detail = "its version is the one that the master wants (BADV)", because(ruleSameVersion, "%s", f.version)
	case f.heartbeat != m.Heartbeat:
		cause = "its heartbeat has the wrong version (BADV)"
		detail = fmt.Sprintf("version %d, not %d", f.heartbeat, m.Heartbeat)
	default:
		cause = "the master refuses its version (BADV)"
		detail = fmt.Sprintf("version %s, not %s", f.version, m.Version)
	}
	s.addressed(a, o, waited, p).Refuse(p, wire.Asked, cause, detail)
}

// refuseFormat handles BADF.
func (s *listedServers) refuseFormat(a *announcer, o *announcement, waited bool, p *wire.Place) {
	cause, detail := "the master cannot read its announce (BADF)", ""
	if o.facts.size != announceSize && o.facts.size != 0 {
		cause = "its announce does not have 86 bytes (BADF)"
		detail = because(ruleAnnounceLength, "%d bytes", o.facts.size)
	}
	s.addressed(a, o, waited, p).Refuse(p, wire.Asked, cause, detail)
}

// unknown handles a message that the heartbeat server does not know.
func (s *listedServers) unknown(core *wire.Base, p *wire.Place) {
	if p.Transport != wire.UDP || s.account == nil ||
		!slices.ContainsFunc(core.Findings(), func(f wire.Finding) bool { return f.Rule == ruleMagic }) {
		return
	}
	a := s.announcers.Peek(p.Src)
	if a != nil && a.latest.facts.whole {
		return // it also sends valid announces
	}
	s.account.Begin(listing, p, p.Src, p.Dst).Fail(p, wire.Asker, because(ruleMagic,
		"what it sends begins with no letters that the master knows"), "")
}

// addEntries handles the entries of a list. A heartbeat server with several addresses has one list of all announcers,
// whichever address they announced to.
func (s *listedServers) addEntries(l *list, m *master) {
	if s.account == nil {
		return
	}
	p, master := l.place, m.announcePort(l.place.Src)
	if !m.seen {
		s.Happened(p, master, "", eventList, "%s has %s in its list", master, wire.Counted(len(l.order), "server"))
	}
	for i := range l.entries {
		e := &l.entries[i]
		if _, there := l.at[e.at]; !there || !e.at.IsValid() {
			continue
		}
		known := false
		for _, at := range s.games.mastersOf(e.at, p.Src.Addr()) {
			if x := s.account.Of(listing, e.at, at); x != nil {
				s.list(x, l, m)
				known = true
			}
		}
		if known {
			continue
		}
		x := s.account.Begin(listing, p, e.at, master)
		s.list(x, l, m)
		x.Name(p, e.name)
	}
}

// list records that a server is in a list. The servers of the first list are reported as one event.
func (s *listedServers) list(x *attempt.Attempt, l *list, m *master) {
	if x == nil {
		return
	}
	gone := x.Reached(stepListed) && (x.Outcome() == wire.Absent || x.Outcome() == wire.NotKnown)
	if first := x.Reach(l.place, stepListed); gone || first && (m.seen || x.Reached(stepAnnounced)) {
		s.happened(l.place, x, eventListed, "appears in the list of %s (%s)", l.place.Src,
			wire.Counted(len(l.order), "server"))
	}
}

// missing handles a server that completed its handshake but is not in a list. since is the time of the handshake. soon
// means that the list may be older than the handshake.
func (s *listedServers) missing(master, game netip.AddrPort, since int64, soon bool, l *list) {
	x := s.account.Of(listing, game, master)
	if !soon {
		x.Miss(l.place, because(ruleUnlistedEarly, "it is verified, but missing from the list"), "")
		return
	}
	others := 0
	for _, at := range l.order {
		if at.Addr() == game.Addr() {
			others++
		}
	}
	detail := fmt.Sprintf("%.3f s later", seconds(clock.Elapsed(since, l.place.Time)))
	if others > 0 {
		detail += fmt.Sprintf("; it names %d others of %s: it may limit servers per address", others, game.Addr())
	}
	x.MayMiss("it is verified, but a complete list does not name it", detail)
}

// removeMissing handles servers that are missing from a complete list.
func (s *listedServers) removeMissing(l *list, m *master) {
	host := l.place.Src.Addr()
	ports := m.ports
	if len(ports) == 0 {
		ports = []uint16{l.place.Src.Port()}
	}
	for _, port := range ports {
		s.account.Each(netip.AddrPortFrom(host, port), func(game netip.AddrPort, x *attempt.Attempt) {
			_, named := l.at[game]
			switch o := x.Outcome(); {
			case named:
			case o == wire.Done, o == wire.NotKnown && x.Renewed().Known():
				s.remove(x, l.place)
			case o == wire.Open:
				x.GiveUp(l.place)
			}
		})
	}
}

// remove handles a server that is missing from a complete list.
func (s *listedServers) remove(x *attempt.Attempt, p *wire.Place) {
	last, listed := x.Renewed(), x.Reached(stepListed)
	_, master := x.Ends()
	if listed {
		s.happened(p, x, eventUnlisted, "is gone from the list of %s", master)
	}
	switch {
	case last.Known() && clock.Elapsed(last.When(), p.Time) >= stillListed:
		x.Lapse(p, fmt.Sprintf("last announce %.0f s before the list", seconds(clock.Elapsed(last.When(), p.Time))))
	case !listed:
	case x.Reached(stepAnnounced):
		x.Miss(p, "it is gone from the list", "")
	default:
		x.Doubt(p, "it is gone from the list; its announces are not in the capture")
	}
}
