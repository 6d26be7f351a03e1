package iceball

import (
	"fmt"
	"math"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/listing"
)

// entryOf gives the game server's endpoint for players: the announcer's address and the port in the announce. If the
// announce is too short for a port, it is the port of an earlier announce, or the socket's.
func (a *announcer) entryOf(socket netip.AddrPort, o *offer) netip.AddrPort {
	if o.facts.ported {
		return netip.AddrPortFrom(socket.Addr(), o.facts.port)
	}
	for i := range a.hearts {
		if h := &a.hearts[i]; h.current.known {
			return netip.AddrPortFrom(socket.Addr(), h.current.facts.port)
		}
	}
	return socket
}

// server gives the game server of an announce at a heartbeat server. It is nil if the caller wants no values.
func (t *tracker) server(
	a *announcer, socket netip.AddrPort, o *offer, at netip.AddrPort, p *wire.Place,
) *listing.Server {
	if !t.book.Wanted() {
		return nil
	}
	return t.book.Server(at, a.entryOf(socket, o), p)
}

// listAnnounce handles an announce.
func (t *tracker) listAnnounce(a *announcer, o *offer, p *wire.Place) {
	s := t.server(a, p.Src, o, p.Dst, p)
	if s == nil {
		return
	}
	f := &o.facts
	if f.whole {
		t.measureGame(netip.AddrPortFrom(p.Src.Addr(), f.port), &a.latest.facts, f, p)
	}
	news := s.Announce(p, f.size)
	switch {
	case news && f.whole:
		s.Happened(p, listing.EventAnnounced, "announces itself at %s: %s (%d/%d players, %s)", p.Dst, wire.Trim(f.name[:]),
			f.current, f.limit, wire.Trim(f.level[:]))
	case news:
		s.TellAnnounced(p)
	case f.whole && a.latest.facts.whole && a.latest.facts.port == f.port:
		tellChanges(s, &a.latest.facts, f, p)
	}
	if f.whole {
		s.Named(p, wire.Trim(f.name[:]))
	}
	v := t.voices.Make(p.Dst)
	v.asked++
	if v.isAlias() {
		t.pointElsewhere(s, v, p.Dst, p)
	}
}

// measureGame measures what an announce tells of its server, as far as it differs from the announce before.
func (t *tracker) measureGame(server netip.AddrPort, old, now *facts, p *wire.Place) {
	first := !old.whole || old.port != now.port
	tell := func(news bool, what string, text func() string) {
		if first || news {
			t.Measured(wire.Value{Place: *p, Table: servers, Server: server, What: what, State: true, Text: text()})
		}
	}
	tell(old.name != now.name, "name", func() string { return string(wire.Trim(now.name[:])) })
	tell(old.level != now.level, "map", func() string { return string(wire.Trim(now.level[:])) })
	tell(old.mode != now.mode, "game type", func() string { return string(wire.Trim(now.mode[:])) })
	tell(old.version != now.version, "version", now.version.String)
	tell(old.current != now.current || old.limit != now.limit, "players",
		func() string { return fmt.Sprintf("%d/%d", now.current, now.limit) })
}

// tellChanges emits an event for each fact that an announce changes.
func tellChanges(s *listing.Server, old, now *facts, p *wire.Place) {
	if old.name != now.name {
		s.Happened(p, "title", "is called %s now", wire.Trim(now.name[:]))
	}
	if old.level != now.level || old.mode != now.mode {
		s.Happened(p, "map", "now plays %s (%s)", wire.Trim(now.level[:]), wire.Trim(now.mode[:]))
	}
	if old.current != now.current || old.limit != now.limit {
		s.Happened(p, "players", "has %d/%d players", now.current, now.limit)
	}
}

// listAcceptance handles MSOK.
func (t *tracker) listAcceptance(a *announcer, h *heart, waited bool, p *wire.Place) {
	if s := t.credit(a, &h.offer, waited, p); s != nil {
		s.Challenge(p)
	}
}

// listAnswer handles HSHK that may be right or wrong; a is nil if its sender is unknown.
func (t *tracker) listAnswer(a *announcer, to netip.AddrPort, p *wire.Place) {
	if a == nil {
		a = new(announcer)
	}
	if s := t.server(a, p.Src, &a.latest, to, p); s != nil {
		s.Answer(p)
	}
}

// listHandshake handles HSHK with the right cookie.
func (t *tracker) listHandshake(a *announcer, h *heart, socket netip.AddrPort, p *wire.Place) {
	s := t.server(a, socket, &h.offer, h.addr, p)
	if s == nil {
		return
	}
	s.Answer(p)
	s.Verify(p)
	when := h.acceptedAt
	if h.known {
		when = h.offer.at
	}
	s.Alive(p, when)
}

// listStale handles HSHK with a cookie that a newer one replaced.
func (t *tracker) listStale(a *announcer, g *given, p *wire.Place) {
	s := t.server(a, p.Src, &a.latest, g.from, p)
	if s == nil {
		return
	}
	s.Answer(p)
	if h := a.heart(g.from); !s.Reached(listing.Verified) && clock.Elapsed(h.acceptedAt, p.Time) >= promptly {
		s.Fail(p, listing.Verified, listing.Because(ruleStaleCookie, "a newer MSOK had replaced the cookie of its HSHK"))
	}
}

// listWrong handles HSHK with an unknown cookie, or from an address without an announce.
func (t *tracker) listWrong(a *announcer, rule *wire.Rule, p *wire.Place) {
	if a == nil {
		a = new(announcer)
	}
	s := t.server(a, p.Src, &a.latest, p.Dst, p)
	if s == nil {
		return
	}
	s.Answer(p)
	switch {
	case rule == ruleWrongCookie:
		s.Fail(p, listing.Verified, listing.Because(rule, "its HSHK carries another cookie than MSOK"))
	case s.Reached(listing.Challenged):
		s.Fail(p, listing.Verified, listing.Because(rule, "its HSHK carries a cookie of no MSOK in the capture"))
	case s.Reached(listing.Announced):
		s.Fail(p, listing.Verified, listing.Because(rule, "it sends HSHK, and the capture has no MSOK"))
	default:
		s.Fail(p, listing.Verified, listing.Because(rule, "it sends HSHK from a port that announced nothing"))
	}
}

// listBadVersion handles BADV.
func (t *tracker) listBadVersion(a *announcer, o *offer, waited bool, m *BadVersion, whole bool, p *wire.Place) {
	s := t.credit(a, o, waited, p)
	if s == nil {
		return
	}
	f := &o.facts
	switch {
	case !f.versions || !whole:
		s.Refuse(p, "the master wants another version (BADV)")
	case f.heartbeat.swapped() || f.version.swapped():
		s.Refuse(p, listing.Because(ruleByteOrder, "its version has the bytes swapped"))
	case f.heartbeat == m.Heartbeat && f.version == m.Version:
		s.Refuse(p, listing.Because(ruleSameVersion, "its version %s is the one that the master wants", f.version))
	case f.heartbeat != m.Heartbeat:
		s.Refuse(p, fmt.Sprintf("it speaks version %d of the heartbeat, the master wants %d (BADV)", f.heartbeat,
			m.Heartbeat))
	default:
		s.Refuse(p, fmt.Sprintf("its version %s does not go with the master's %s (BADV)", f.version, m.Version))
	}
}

// listBadFormat handles BADF.
func (t *tracker) listBadFormat(a *announcer, o *offer, waited bool, p *wire.Place) {
	s := t.credit(a, o, waited, p)
	switch {
	case s == nil:
	case o.facts.size == announceSize || o.facts.size == 0:
		s.Refuse(p, "the master cannot read its announce (BADF)")
	default:
		s.Refuse(p, listing.Because(ruleAnnounceLength, "its announce has %d bytes, not %d", o.facts.size, announceSize))
	}
}

// listUnknown handles a message that the heartbeat server does not know.
func (t *tracker) listUnknown(core *wire.Base, p *wire.Place) {
	if core.Direction != wire.ToServer || p.Transport != wire.UDP || !t.book.Wanted() ||
		!slices.ContainsFunc(core.Findings(), func(f wire.Finding) bool { return f.Rule == ruleMagic }) {
		return
	}
	a := t.announcers.Peek(p.Src)
	if a != nil && a.latest.facts.whole {
		return // it can do better
	}
	if s := t.book.Server(p.Dst, p.Src, p); s != nil {
		s.Fail(p, listing.Announced, listing.Because(ruleMagic, "what it sends begins with no letters that the master knows"))
	}
}

// masterOf names the heartbeat server of a list by its port for announces.
func (h *heartbeat) masterOf(src netip.AddrPort) netip.AddrPort {
	if len(h.ports) == 0 || slices.Contains(h.ports, src.Port()) {
		return src
	}
	return netip.AddrPortFrom(src.Addr(), h.ports[0])
}

// listEntries handles a list. A heartbeat server with several addresses lists the announcers of all of them, by the one
// that it answers from.
func (t *tracker) listEntries(l *list, h *heartbeat) {
	if !t.book.Wanted() {
		return
	}
	p, master := l.place, h.masterOf(l.place.Src)
	first := t.book.FirstList(p, master, len(l.order))
	for i := range l.entries {
		e := &l.entries[i]
		if _, there := l.at[e.at]; !there || !e.at.IsValid() {
			continue
		}
		known := false
		for _, at := range t.answeredBy(e.at, p.Src.Addr()) {
			if s := t.book.Known(at, e.at); s != nil {
				s.List(p, len(l.order), first)
				known = true
			}
		}
		if known {
			continue
		}
		if s := t.book.Server(master, e.at, p); s != nil {
			s.List(p, len(l.order), first)
			s.Named(p, []byte(e.name))
		}
	}
}

// answeredBy gives the heartbeat servers of a host that accepted announces of a game server.
func (t *tracker) answeredBy(game netip.AddrPort, host netip.Addr) (list []netip.AddrPort) {
	g := t.games.Get(game)
	if g == nil {
		return nil
	}
	for _, socket := range g.sockets {
		a := t.announcers.Peek(socket)
		if a == nil {
			continue
		}
		for i := range a.hearts {
			if at := a.hearts[i].addr; at.Addr() == host && !slices.Contains(list, at) {
				list = append(list, at)
			}
		}
	}
	return list
}

// listMissing handles a server that completed its handshake and that a list lacks; soon says that the list may have
// been written before.
func (t *tracker) listMissing(master, game netip.AddrPort, soon bool, l *list) {
	s := t.book.Known(master, game)
	switch {
	case s == nil:
	case soon:
		others := 0
		for _, at := range l.order {
			others += btoi(at.Addr() == game.Addr())
		}
		s.Lacks(l.place, math.MaxInt64, others)
	default:
		s.Miss(l.place, listing.Because(ruleUnlistedEarly, "it is verified, but missing from the list"))
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// listGone handles a server that an earlier list had and this one lacks.
func (t *tracker) listGone(h *heartbeat, game netip.AddrPort, p *wire.Place) {
	for _, at := range append(t.answeredBy(game, p.Src.Addr()), h.masterOf(p.Src)) {
		if s := t.book.Known(at, game); s != nil {
			s.Unlist(p)
		}
	}
}

// whyNot gives the reason for which a server is not listed.
func whyNot(s *listing.Server, step listing.Step) string {
	switch {
	case step == listing.Challenged && s.Address.Addr().Is6():
		return listing.Because(ruleIPv6, "no answer to its announces over IPv6")
	case step == listing.Challenged && s.Hint != announceSize:
		return listing.Because(ruleAnnounceLength, "no answer to an announce of %d bytes, %d are right", s.Hint, announceSize)
	case step == listing.Challenged:
		return "no answer to its announces: the master is down, or a firewall is in between"
	case step == listing.Answered:
		return listing.Because(ruleAcceptUnanswered, "no HSHK answers the master's MSOK")
	case step == listing.Renewed && s.Gap > goneBy:
		return listing.Because(rulePeriod, "it announces itself every %.0f s, the master forgets it after 120 s",
			seconds(s.Gap))
	case step == listing.Renewed:
		return "no announce of it was accepted for 120 s, after which the master forgets it"
	}
	return ""
}
