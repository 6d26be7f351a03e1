package iceball

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	headerSize = 4

	// cookieSize is how much of a cookie the real game sends back: its buffer has room for no more.
	cookieSize = 4091

	// oneWay is longer than a message is under way. Answers to messages before the capture come within it.
	oneWay = int64(300 * time.Millisecond)

	// soon is the time in which a heartbeat server answers an announce, before the game sends the next one.
	soon = int64(900 * time.Millisecond)
)

// announces may wait five seconds for their answer.
var announces = &ask.Rules{Most: 8, Patience: int64(5 * time.Second)}

// pendingFinding is a handshake that may answer an MSOK that the capture lacks, since an announce has none. If that
// MSOK comes later, there was none.
type pendingFinding struct {
	place wire.Place
	id    cookieID
}

// noteAnnounce handles an announce.
func (t *tracker) noteAnnounce(core *wire.Base, m *Announce, p *wire.Place) {
	o := offer{asked: p.Dst, at: p.Time}
	o.facts.read(m, core)
	r := t.routes.MakeAt(p.Lane, route{p.Src, p.Dst})
	t.checkAfterBadVersion(core, r, o.facts, p)
	a := t.announcers.MakeAt(p.Lane, p.Src)
	a.announced++
	t.followRhythm(core, a, r, a.entryOf(p.Src, &o), p)
	h := t.noteHeartbeat(p.Dst, p.Lane)
	r.join(h, p.Src)
	if o.facts.whole {
		t.noteGame(a, h, o.facts.port, p)
	}
	t.listAnnounce(a, &o, p)
	a.expectAnswer(&o)
}

// answered gives the announcer that a heartbeat server speaks to, and the rhythm of its announces there.
func (t *tracker) answered(p *wire.Place) (*announcer, *rhythm) {
	t.hear(p.Src)
	lane := wire.ReverseLane(p.Lane)
	r := t.routes.MakeAt(lane, route{p.Dst, p.Src})
	r.join(t.noteHeartbeat(p.Src, lane), p.Dst)
	return t.announcers.MakeAt(lane, p.Dst), r
}

// noteAcceptance handles MSOK: its cookie replaces the one before.
func (t *tracker) noteAcceptance(core *wire.Base, m *Cookie, p *wire.Place) {
	a, _ := t.answered(p)
	o, waited := a.matchAnswer(p.Src, p.Time)
	h := a.heart(p.Src)
	id := identifyCookie(m.Cookie)
	if !waited && h.given && h.cookie == id {
		return // it came before
	}
	if h.given && !h.unknown && h.cookie != id {
		if len(a.old) == maxOld {
			a.old = append(a.old[:0], a.old[1:]...)
		}
		a.old = append(a.old, given{h.cookie, h.addr, h.offer.asked})
	}
	if !waited {
		a.missed = clock.At(p.Time)
	}
	back := t.settlePending(a, &o, waited, id)
	h.cookie, h.given, h.unknown, h.answered = id, true, core.Truncated(), false
	h.offer, h.acceptedAt = o, p.Time
	h.known = o.facts.whole && clock.Elapsed(o.at, p.Time) < soon // else it may answer one that was not seen
	t.listAcceptance(a, h, waited, p)
	if !waited {
		return
	}
	t.measureTime(p, a.entryOf(p.Dst, &o), "time to MSOK", clock.Elapsed(o.at, p.Time), true)
	a.noteAccepted(&o)
	a.accepted++
	if r := t.routes.Get(route{p.Dst, o.asked}); r != nil {
		if r.accepted == 0 && !r.shaken {
			place := *p
			r.acceptance = &place
		}
		r.accepted++
		r.latest = p.Time
	}
	if back {
		t.noteShaken(a, p.Dst, o.asked)
		h.complete(p.Time)
		t.listHandshake(a, h, p.Dst, p)
	}
}

// checkCookie handles HSHK, whose cookie has to be the newest.
func (t *tracker) checkCookie(core *wire.Base, m *Cookie, p *wire.Place) {
	a := t.announcers.GetAt(p.Lane, p.Src)
	id := identifyCookie(m.Cookie)
	if a == nil || len(a.hearts) == 0 {
		if a != nil {
			a.shakes = true
			t.listAnswer(a, p.Dst, p)
		}
		t.reportOrPostpone(core, a, p, &pendingFinding{id: id, place: *p})
		return
	}
	h, o := a.findNewest(id, p.Dst), a.findReplaced(id)
	switch {
	case core.Truncated():
		t.listAnswer(a, p.Dst, p)
		t.noteUnreadCookie(a, p)
	case h != nil:
		t.noteShaken(a, p.Src, h.offer.asked)
		if !h.answered {
			t.measureTime(p, a.entryOf(p.Src, &h.offer), "time to HSHK", clock.Elapsed(h.acceptedAt, p.Time), true)
		}
		h.complete(p.Time)
		t.listHandshake(a, h, p.Src, p)
	case o != nil:
		t.noteShaken(a, p.Src, o.asked)
		t.listStale(a, o, p)
		core.Report(ruleStaleCookie, headerSize, len(m.Cookie), "a newer MSOK replaced this cookie")
	case a.hasUnreadCookie():
		t.listAnswer(a, p.Dst, p)
		t.noteUnreadCookie(a, p)
	default:
		if text := a.findDamage(id); text != "" {
			core.Report(ruleWrongCookie, headerSize, len(core.Contents)-headerSize, "this is a cookie of MSOK, but %s", text)
			t.listWrong(a, ruleWrongCookie, p)
			return
		}
		t.noteShakenAll(a, p)
		t.reportOrPostpone(core, a, p, &pendingFinding{id: id, place: *p})
	}
}

// reportOrPostpone reports a handshake, unless the capture may lack its MSOK: it came before the capture, or it answers
// an announce without an answer. Then the finding stays pending until an answer comes.
func (t *tracker) reportOrPostpone(core *wire.Base, a *announcer, p *wire.Place, d *pendingFinding) {
	switch {
	case t.isEarly(p.Time, oneWay):
		t.listAnswer(a, p.Dst, p)
	case a != nil && a.awaitsAnswer(p.Time):
		a.pending = d
	default:
		core.Report(ruleUnasked, 0, headerSize, "no MSOK with this cookie went to %s", p.Src)
		t.listWrong(a, ruleUnasked, p)
	}
}

// settlePending settles the pending finding when MSOK comes with a cookie. If MSOK answers the only announce before the
// handshake, the handshake was unasked. If the cookie is the handshake's, the network reordered the two.
func (t *tracker) settlePending(a *announcer, o *offer, waited bool, id cookieID) (back bool) {
	d := a.pending
	if d == nil || !waited {
		return false
	}
	a.pending = nil
	if d.id == id {
		return true
	}
	if clock.Elapsed(o.at, d.place.Time) >= 0 && !a.awaitsAnswer(d.place.Time) {
		t.Report(&d.place, ruleUnasked, "no MSOK with this cookie went to %s", d.place.Src)
		t.listWrong(a, ruleUnasked, &d.place)
	}
	return false
}

// noteUnreadCookie takes a handshake whose cookie, or the one it answers, was cut off. It may be that of any
// heartbeat server.
func (t *tracker) noteUnreadCookie(a *announcer, p *wire.Place) {
	for i := range a.hearts {
		a.hearts[i].unknown = true
	}
	t.noteShakenAll(a, p)
}

// noteShakenAll takes a handshake that may be with any heartbeat server.
func (t *tracker) noteShakenAll(a *announcer, p *wire.Place) {
	t.noteShaken(a, p.Src, p.Dst)
	for i := range a.hearts {
		t.noteShaken(a, p.Src, a.hearts[i].offer.asked)
	}
}

// noteShaken notes that a cookie of a burst came back.
func (t *tracker) noteShaken(a *announcer, from, asked netip.AddrPort) {
	a.shakes = true
	if r := t.routes.Get(route{from, asked}); r != nil {
		r.shaken, r.acceptance = true, nil
	}
}

// noteBadVersion handles BADV.
func (t *tracker) noteBadVersion(core *wire.Base, m *BadVersion, p *wire.Place) {
	a, r := t.answered(p)
	a.refused = clock.At(p.Time)
	o, waited := a.matchAnswer(p.Src, p.Time)
	whole := core.Fault() == nil && !core.Truncated()
	if whole && waited && o.facts.versions && o.facts.heartbeat == m.Heartbeat && o.facts.version == m.Version {
		core.Report(ruleSameVersion, headerSize, 6, "heartbeat %d and iceball %s were announced", m.Heartbeat, m.Version)
	}
	r.badVersion, r.heartbeat, r.anyVersion = clock.At(p.Time), m.Heartbeat, !whole
	t.listBadVersion(a, &o, waited, m, whole, p)
}

// noteBadFormat handles BADF. The real game ignores BADF with bytes behind it.
func (t *tracker) noteBadFormat(core *wire.Base, m *BadFormat, p *wire.Place) {
	if len(m.Trailing) > 0 || core.Truncated() {
		t.noteHeartbeat(p.Src, wire.ReverseLane(p.Lane))
		return
	}
	a, r := t.answered(p)
	a.refused = clock.At(p.Time)
	o, waited := a.matchAnswer(p.Src, p.Time)
	r.badFormat = clock.At(p.Time)
	t.listBadFormat(a, &o, waited, p)
}
