package iceball

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// handshakes follows each announce until a handshake gets the server listed, or the heartbeat server refuses the
// announce. The heartbeat server accepts an announce with MSOK, which contains a cookie. The game server sends the
// cookie back in HSHK. A refusal is BADV (wrong version) or BADF (wrong format).
type handshakes struct {
	*wire.Reporter
	time       *captureTime
	announcers *bounded.LRU[netip.AddrPort, announcer]
	bursts     *bursts
	games      *games
	masters    *masters
	listed     *listedServers
}

func newAnnouncers(b *bounded.Budget, t *captureTime) *bounded.LRU[netip.AddrPort, announcer] {
	return bounded.NewLRU(b, bounded.Kind{Name: "Iceball servers that announce themselves",
		Silent: "iceball.handshake-stale-cookie, iceball.listed-too-long, iceball.unlisted-too-early"},
		bounded.Values[netip.AddrPort, announcer]{Held: (*announcer).held,
			Dropped: func(netip.AddrPort, *announcer) { t.forget() }})
}

func (s *handshakes) announce(core *wire.Base, m *Announce, p *wire.Place) {
	o := announcement{to: p.Dst, at: p.Time}
	o.facts.read(m, core)
	r := s.bursts.byRoute.MakeAt(p.Lane, route{p.Src, p.Dst})
	r.checkAfterBadVersion(core, &o.facts, p)
	a := s.announcers.MakeAt(p.Lane, p.Src)
	a.announced++
	s.bursts.add(core, a, r, a.entryOf(p.Src, &o), p)
	at := s.masters.addPort(p.Dst, p.Lane)
	r.join(at, p.Src)
	if o.facts.whole {
		if s.games.addSocket(a, at, o.facts.port, p) {
			core.Report(ruleSharedEntry, headerSize+6, 2, "another socket of its host announces port %d too: clients of both "+
				"reach one of them", o.facts.port)
		}
		o.facts.measure(s.Reporter, netip.AddrPortFrom(p.Src.Addr(), o.facts.port), &a.latest.facts, p)
	}
	s.listed.announce(a, &o, p)
	a.expectAnswer(&o)
}

// addressed returns the announcer to which a heartbeat server sends a message, and the rhythm of its announces to that
// server.
func (s *handshakes) addressed(p *wire.Place) (*announcer, *rhythm) {
	s.listed.addresses.Make(p.Src).responds = true
	lane := wire.ReverseLane(p.Lane)
	r := s.bursts.byRoute.MakeAt(lane, route{p.Dst, p.Src})
	r.join(s.masters.addPort(p.Src, lane), p.Dst)
	return s.announcers.MakeAt(lane, p.Dst), r
}

// accept handles MSOK. The cookie of MSOK replaces the previous one.
func (s *handshakes) accept(core *wire.Base, m *Cookie, p *wire.Place) {
	a, _ := s.addressed(p)
	o, waited := a.matchAnswer(p.Src, p.Time)
	r := a.registration(p.Src)
	id := identifyCookie(m.Cookie)
	if !waited && r.hasCookie && r.cookie == id {
		return // a repeated MSOK
	}
	if r.hasCookie && !r.unread && r.cookie != id {
		a.replaceCookie(r)
	}
	if !waited {
		a.missed = clock.At(p.Time)
	}
	if r.hasCookie {
		r.gap = clock.Elapsed(r.announce.at, o.at)
	}
	back := s.settlePending(a, &o, waited, id)
	r.cookie, r.hasCookie, r.unread, r.answered = id, true, core.Truncated(), false
	r.announce, r.acceptedAt = o, p.Time
	// A late MSOK may answer an announce that the capture lacks.
	r.known = o.facts.whole && clock.Elapsed(o.at, p.Time) < soon
	s.listed.challenge(a, &o, waited, p)
	if !waited {
		return
	}
	measureTime(s.Reporter, p, a.entryOf(p.Dst, &o), "time to MSOK", clock.Elapsed(o.at, p.Time), true)
	s.masters.at(p.Src, wire.ReverseLane(p.Lane)).answer(clock.Elapsed(o.at, p.Time), p)
	a.confirm(&o)
	a.accepted++
	s.bursts.accept(route{p.Dst, o.to}, p)
	if back {
		s.answer(a, p.Dst, o.to)
		r.complete(p.Time)
		s.listed.verify(a, r, p.Dst, p)
	}
}

// checkCookie handles HSHK, which must have the newest cookie.
func (s *handshakes) checkCookie(core *wire.Base, m *Cookie, p *wire.Place) {
	a := s.announcers.GetAt(p.Lane, p.Src)
	id := identifyCookie(m.Cookie)
	if a == nil || len(a.registrations) == 0 {
		if a != nil {
			a.sentHandshake = true
			s.listed.answer(a, p)
		}
		s.reportOrPostpone(core, a, p, id)
		return
	}
	r, old := a.findNewest(id, p.Dst), a.findReplaced(id)
	switch {
	case core.Truncated():
		s.listed.answer(a, p)
		s.answerUnread(a, p)
	case r != nil:
		s.answer(a, p.Src, r.announce.to)
		if !r.answered {
			measureTime(s.Reporter, p, a.entryOf(p.Src, &r.announce), "time to HSHK", clock.Elapsed(r.acceptedAt, p.Time),
				true)
		}
		r.complete(p.Time)
		s.listed.verify(a, r, p.Src, p)
	case old != nil:
		s.answer(a, p.Src, old.announcedTo)
		s.listed.answerStale(a, old.master, p)
		core.Report(ruleStaleCookie, headerSize, len(m.Cookie), "a newer MSOK replaced this cookie")
	case a.hasUnreadCookie():
		s.listed.answer(a, p)
		s.answerUnread(a, p)
	default:
		if text := a.findDamage(id); text != "" {
			core.Report(ruleWrongCookie, headerSize, len(core.Contents)-headerSize, "this is a cookie of MSOK, but %s", text)
			s.listed.answerWrong(a, ruleWrongCookie, p)
			return
		}
		s.answerAny(a, p)
		s.reportOrPostpone(core, a, p, id)
	}
}

// reportOrPostpone reports a handshake without MSOK, unless the capture may lack that MSOK. Soon after the capture's
// start nothing is reported. If an announce is still unanswered, the finding stays pending until an answer comes. a may
// be nil.
func (s *handshakes) reportOrPostpone(core *wire.Base, a *announcer, p *wire.Place, id cookieID) {
	switch {
	case s.time.isEarly(p.Time, oneWay):
		s.listed.answer(a, p)
	case a != nil && a.awaitsAnswer(p.Time):
		a.pending = &pendingFinding{id: id, place: *p}
	default:
		core.Report(ruleUnasked, 0, headerSize, "no MSOK with this cookie went to %s", p.Src)
		s.listed.answerWrong(a, ruleUnasked, p)
	}
}

// settlePending settles the pending finding when an MSOK comes. If the MSOK has the cookie of the handshake, the
// network reordered the two, and settlePending returns true. If the MSOK answers the only announce before the
// handshake, the handshake had no MSOK, and the finding is reported.
func (s *handshakes) settlePending(a *announcer, o *announcement, waited bool, id cookieID) (back bool) {
	d := a.pending
	if d == nil || !waited {
		return false
	}
	a.pending = nil
	if d.id == id {
		return true
	}
	if clock.Elapsed(o.at, d.place.Time) >= 0 && !a.awaitsAnswer(d.place.Time) {
		s.Report(&d.place, ruleUnasked, "no MSOK with this cookie went to %s", d.place.Src)
		s.listed.answerWrong(a, ruleUnasked, &d.place)
	}
	return false
}

// answer records that the announcer sent back the cookie for an announce.
func (s *handshakes) answer(a *announcer, from, announcedTo netip.AddrPort) {
	a.sentHandshake = true
	s.bursts.answer(route{from, announcedTo})
}

// answerAny handles a handshake that may belong to any heartbeat server.
func (s *handshakes) answerAny(a *announcer, p *wire.Place) {
	s.answer(a, p.Src, p.Dst)
	for i := range a.registrations {
		s.answer(a, p.Src, a.registrations[i].announce.to)
	}
}

// answerUnread handles a handshake whose cookie cannot be compared, because the snap length cut off this cookie or the
// cookie of an MSOK. The handshake may belong to any heartbeat server.
func (s *handshakes) answerUnread(a *announcer, p *wire.Place) {
	for i := range a.registrations {
		a.registrations[i].unread = true
	}
	s.answerAny(a, p)
}

// refuseVersion handles BADV.
func (s *handshakes) refuseVersion(core *wire.Base, m *BadVersion, p *wire.Place) {
	a, r := s.addressed(p)
	a.refused = clock.At(p.Time)
	o, waited := a.matchAnswer(p.Src, p.Time)
	whole := core.Fault() == nil && !core.Truncated()
	if whole && waited && o.facts.versions && o.facts.heartbeat == m.Heartbeat && o.facts.version == m.Version {
		core.Report(ruleSameVersion, headerSize, 6, "heartbeat %d and iceball %s were announced", m.Heartbeat, m.Version)
	}
	r.badVersion, r.heartbeat, r.anyVersion = clock.At(p.Time), m.Heartbeat, !whole
	s.listed.refuseVersion(a, &o, waited, m, whole, p)
}

// refuseFormat handles BADF. The real game ignores BADF if bytes follow it.
func (s *handshakes) refuseFormat(core *wire.Base, m *BadFormat, p *wire.Place) {
	if len(m.Trailing) > 0 || core.Truncated() {
		s.masters.addPort(p.Src, wire.ReverseLane(p.Lane))
		return
	}
	a, r := s.addressed(p)
	a.refused = clock.At(p.Time)
	o, waited := a.matchAnswer(p.Src, p.Time)
	r.badFormat = clock.At(p.Time)
	s.listed.refuseFormat(a, &o, waited, p)
}
