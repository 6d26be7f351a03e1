package iceball

import (
	"fmt"
	"math"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/listing"
)

// sameAfter is how many announces to an address another one has to answer until the two are taken for one server.
const sameAfter = 2

// listedServers follows game servers into the lists of their heartbeat servers.
type listedServers struct {
	*wire.Reporter
	announcers *bounded.LRU[netip.AddrPort, announcer]
	games      *games
	addresses  *bounded.LRU[netip.AddrPort, masterAddress]
	book       *listing.Book
}

func newListedServers(r *wire.Reporter, a *bounded.LRU[netip.AddrPort, announcer], g *games) *listedServers {
	s := &listedServers{Reporter: r, announcers: a, games: g}
	s.addresses = bounded.NewLRU(r.Memory, bounded.Kind{Name: "addresses of Iceball heartbeat servers",
		Silent: "which addresses are one server, in the table listing"}, bounded.Values[netip.AddrPort, masterAddress]{})
	s.book = listing.NewBook(r, bounded.Kind{Name: "Iceball servers on their way into a list",
		Silent: "row in the table listing, no events"}, listing.Habits{Patience: announceRules.Patience, Keeps: stillListed,
		Forgets: goneBy, Answers: true, Announces: "announces", Why: whyNot})
	return s
}

// masterAddress is what is known of who answers for the address of a heartbeat server: a server that listens on all
// addresses of its host answers from one of them.
type masterAddress struct {
	responds   bool           // the address has sent something itself
	announces  int            // to it
	answeredBy netip.AddrPort // the address that answered such an announce last
	answers    int            // from there, in a row
	reported   bool           // that the two are one server
}

// isSecondary reports whether the address and the one that answers for it are one server. Where the capture lacks
// announces, an answer to a lost one may be taken for one to another address, so most have to be answered in this way.
func (a *masterAddress) isSecondary() bool {
	return !a.responds && a.answers >= sameAfter && 2*a.answers >= a.announces
}

// server returns the game server of an announce at a heartbeat server. It is nil if the caller wants no values.
func (s *listedServers) server(
	a *announcer, socket netip.AddrPort, o *announcement, at netip.AddrPort, p *wire.Place,
) *listing.Server {
	if !s.book.Wanted() {
		return nil
	}
	return s.book.Server(at, a.entryOf(socket, o), p)
}

func (s *listedServers) announce(a *announcer, o *announcement, p *wire.Place) {
	server := s.server(a, p.Src, o, p.Dst, p)
	if server == nil {
		return
	}
	f := &o.facts
	news := server.Announce(p, f.size)
	switch {
	case news && f.whole:
		server.Happened(p, listing.EventAnnounced, "announces itself at %s: %s (%d/%d players, %s)", p.Dst,
			wire.Trim(f.name[:]), f.current, f.limit, wire.Trim(f.level[:]))
	case news:
		server.ReportAnnounced(p)
	case f.whole && a.latest.facts.whole && a.latest.facts.port == f.port:
		reportChanges(server, &a.latest.facts, f, p)
	}
	if f.whole {
		server.Named(p, wire.Trim(f.name[:]))
	}
	to := s.addresses.Make(p.Dst)
	to.announces++
	if to.isSecondary() {
		s.pointElsewhere(server, to, p.Dst, p)
	}
}

// reportChanges reports an event for each fact that an announce changes.
func reportChanges(server *listing.Server, old, now *facts, p *wire.Place) {
	if old.name != now.name {
		server.Happened(p, "title", "is called %s now", wire.Trim(now.name[:]))
	}
	if old.level != now.level || old.mode != now.mode {
		server.Happened(p, "map", "now plays %s (%s)", wire.Trim(now.level[:]), wire.Trim(now.mode[:]))
	}
	if old.current != now.current || old.limit != now.limit {
		server.Happened(p, "players", "has %d/%d players", now.current, now.limit)
	}
}

// challenge handles MSOK.
func (s *listedServers) challenge(a *announcer, o *announcement, waited bool, p *wire.Place) {
	if server := s.addressed(a, o, waited, p); server != nil {
		server.Challenge(p)
	}
}

// answer handles HSHK that may be right or wrong; a is nil if its sender is unknown.
func (s *listedServers) answer(a *announcer, p *wire.Place) {
	if a == nil {
		a = new(announcer)
	}
	if server := s.server(a, p.Src, &a.latest, p.Dst, p); server != nil {
		server.Answer(p)
	}
}

// verify handles HSHK with the right cookie.
func (s *listedServers) verify(a *announcer, r *registration, socket netip.AddrPort, p *wire.Place) {
	server := s.server(a, socket, &r.announce, r.master, p)
	if server == nil {
		return
	}
	server.Answer(p)
	server.Verify(p)
	when := r.acceptedAt
	if r.known {
		when = r.announce.at
	}
	server.Alive(p, when)
}

// answerStale handles HSHK with a cookie of a heartbeat server that a newer one replaced.
func (s *listedServers) answerStale(a *announcer, master netip.AddrPort, p *wire.Place) {
	server := s.server(a, p.Src, &a.latest, master, p)
	if server == nil {
		return
	}
	server.Answer(p)
	if r := a.registration(master); !server.Reached(listing.Verified) &&
		clock.Elapsed(r.acceptedAt, p.Time) >= promptly {
		server.Fail(p, listing.Verified, listing.Because(ruleStaleCookie, "a newer MSOK had replaced the cookie of its HSHK"))
	}
}

// answerWrong handles HSHK with an unknown cookie, or from an address without an announce.
func (s *listedServers) answerWrong(a *announcer, rule *wire.Rule, p *wire.Place) {
	if a == nil {
		a = new(announcer)
	}
	server := s.server(a, p.Src, &a.latest, p.Dst, p)
	if server == nil {
		return
	}
	server.Answer(p)
	why := "it sends HSHK from a port that announced nothing"
	switch {
	case rule == ruleWrongCookie:
		why = "its HSHK carries another cookie than MSOK"
	case server.Reached(listing.Challenged):
		why = "its HSHK carries a cookie of no MSOK in the capture"
	case server.Reached(listing.Announced):
		why = "it sends HSHK, and the capture has no MSOK"
	}
	server.Fail(p, listing.Verified, listing.Because(rule, "%s", why))
}

// refuseVersion handles BADV.
func (s *listedServers) refuseVersion(
	a *announcer, o *announcement, waited bool, m *BadVersion, whole bool, p *wire.Place,
) {
	server := s.addressed(a, o, waited, p)
	if server == nil {
		return
	}
	f := &o.facts
	switch {
	case !f.versions || !whole:
		server.Refuse(p, "the master wants another version (BADV)")
	case f.heartbeat.swapped() || f.version.swapped():
		server.Refuse(p, listing.Because(ruleByteOrder, "its version has the bytes swapped"))
	case f.heartbeat == m.Heartbeat && f.version == m.Version:
		server.Refuse(p, listing.Because(ruleSameVersion, "its version %s is the one that the master wants", f.version))
	case f.heartbeat != m.Heartbeat:
		server.Refuse(p, fmt.Sprintf("it speaks version %d of the heartbeat, the master wants %d (BADV)", f.heartbeat,
			m.Heartbeat))
	default:
		server.Refuse(p, fmt.Sprintf("its version %s does not go with the master's %s (BADV)", f.version, m.Version))
	}
}

// refuseFormat handles BADF.
func (s *listedServers) refuseFormat(a *announcer, o *announcement, waited bool, p *wire.Place) {
	server := s.addressed(a, o, waited, p)
	switch {
	case server == nil:
	case o.facts.size == announceSize || o.facts.size == 0:
		server.Refuse(p, "the master cannot read its announce (BADF)")
	default:
		server.Refuse(p, listing.Because(ruleAnnounceLength, "its announce has %d bytes, not %d", o.facts.size, announceSize))
	}
}

// unknown handles a message that the heartbeat server does not know.
func (s *listedServers) unknown(core *wire.Base, p *wire.Place) {
	if p.Transport != wire.UDP || !s.book.Wanted() ||
		!slices.ContainsFunc(core.Findings(), func(f wire.Finding) bool { return f.Rule == ruleMagic }) {
		return
	}
	a := s.announcers.Peek(p.Src)
	if a != nil && a.latest.facts.whole {
		return // it can do better
	}
	if server := s.book.Server(p.Dst, p.Src, p); server != nil {
		server.Fail(p, listing.Announced, listing.Because(ruleMagic,
			"what it sends begins with no letters that the master knows"))
	}
}

// addEntries handles a list. A heartbeat server with several addresses lists the announcers of all of them, by the one
// that it answers from.
func (s *listedServers) addEntries(l *list, m *master) {
	if !s.book.Wanted() {
		return
	}
	p, master := l.place, m.announcePort(l.place.Src)
	first := s.book.FirstList(p, master, len(l.order))
	for i := range l.entries {
		e := &l.entries[i]
		if _, there := l.at[e.at]; !there || !e.at.IsValid() {
			continue
		}
		known := false
		for _, at := range s.games.mastersOf(e.at, p.Src.Addr()) {
			if server := s.book.Known(at, e.at); server != nil {
				server.List(p, len(l.order), first)
				known = true
			}
		}
		if known {
			continue
		}
		if server := s.book.Server(master, e.at, p); server != nil {
			server.List(p, len(l.order), first)
			server.Named(p, []byte(e.name))
		}
	}
}

// addressed returns the game server of an announcer at the heartbeat server that answers it. An announce that waited
// may have gone to another address: if that one never responds, addressed notes which address answers for it.
func (s *listedServers) addressed(a *announcer, o *announcement, waited bool, p *wire.Place) *listing.Server {
	if !s.book.Wanted() {
		return nil
	}
	game := a.entryOf(p.Dst, o)
	server := s.book.Server(p.Src, game, p)
	if !waited || o.to == p.Src {
		return server
	}
	to := s.addresses.Get(o.to)
	if to == nil || to.responds {
		return server
	}
	if to.answeredBy != p.Src {
		to.answeredBy, to.answers = p.Src, 0
	}
	to.answers++
	if silent := s.book.Known(o.to, game); silent != nil {
		s.pointElsewhere(silent, to, o.to, p)
	}
	if server != nil && !server.Reached(listing.Announced) {
		at := *p // the announce counts as one to the address that answers
		at.Time = o.at
		server.Announce(&at, o.facts.size)
		if o.facts.whole {
			server.Named(&at, wire.Trim(o.facts.name[:]))
		}
	}
	return server
}

// pointElsewhere notes at a server's row of a silent address which address answers. The other row has the steps.
func (s *listedServers) pointElsewhere(server *listing.Server, a *masterAddress, silent netip.AddrPort, p *wire.Place) {
	by := a.answeredBy.String()
	if a.answeredBy.Port() == silent.Port() {
		by = a.answeredBy.Addr().String()
	}
	if !a.isSecondary() {
		server.Elsewhere(p, "not known: "+by+" may have answered in its place")
		return
	}
	server.Elsewhere(p, fmt.Sprintf("the same master as %s, by its cookies", by))
	if !a.reported {
		a.reported = true
		s.Happened(p, silent, "", listing.EventSame, "%s is the same master as %s, by its cookies", silent, a.answeredBy)
	}
}

// missing handles a server that completed its handshake and that a list lacks; soon says that the list may have
// been written before.
func (s *listedServers) missing(master, game netip.AddrPort, soon bool, l *list) {
	server := s.book.Known(master, game)
	switch {
	case server == nil:
	case soon:
		others := 0
		for _, at := range l.order {
			others += btoi(at.Addr() == game.Addr())
		}
		server.Absent(l.place, math.MaxInt64, others)
	default:
		server.FailListed(l.place, listing.Because(ruleUnlistedEarly, "it is verified, but missing from the list"))
	}
}

// removeEntry handles a server that an earlier list had and this one lacks.
func (s *listedServers) removeEntry(m *master, game netip.AddrPort, p *wire.Place) {
	for _, at := range append(s.games.mastersOf(game, p.Src.Addr()), m.announcePort(p.Src)) {
		if server := s.book.Known(at, game); server != nil {
			server.Delist(p)
		}
	}
}

// whyNot returns why a server did not reach a step towards the list, or "".
func whyNot(server *listing.Server, step listing.Step) string {
	switch {
	case step == listing.Challenged && server.Address.Addr().Is6():
		return listing.Because(ruleIPv6, "no answer to its announces over IPv6")
	case step == listing.Challenged && server.Hint != announceSize:
		return listing.Because(ruleAnnounceLength, "no answer to an announce of %d bytes, %d are right", server.Hint,
			announceSize)
	case step == listing.Challenged:
		return "no answer to its announces: the master is down, or a firewall is in between"
	case step == listing.Answered:
		return listing.Because(ruleAcceptUnanswered, "no HSHK answers the master's MSOK")
	case step == listing.Renewed && server.Gap > goneBy:
		return listing.Because(rulePeriod, "it announces itself every %.0f s, the master forgets it after 120 s",
			seconds(server.Gap))
	case step == listing.Renewed:
		return "no announce of it was accepted for 120 s, after which the master forgets it"
	}
	return ""
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
