package iceball

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

const (
	headerSize = 4

	// cookieSize is how much of a cookie the real game sends back: its buffer has room for no more.
	cookieSize = 4091

	// oneWay is more than an answer takes from one side to the other. What answers to something
	// before the capture comes by then.
	oneWay = int64(300 * time.Millisecond)

	// soon is by when a heartbeat server has answered an announce, before the next one is sent.
	soon = int64(900 * time.Millisecond)

	// lateAnswer is how long an announce may wait for its answer.
	lateAnswer = int64(5 * time.Second)
)

// doubt is a handshake that may answer an MSOK that was not seen, since an announce has none. If it
// comes later, there was none before the handshake.
type doubt struct {
	place wire.Place
	rule  *wire.Rule // nil: there is no doubt
	text  string
	id    cookieID
}

// announce takes an announce.
func (t *tracker) announce(part *wire.Base, m *Announce, p *wire.Place) {
	o := offer{asked: p.Dst, at: p.Time}
	o.facts.read(m, part)
	r := t.routes.Make(route{p.Src, p.Dst})
	t.afterBadVersion(part, r, o.facts, p)
	a := t.announcer(p.Src)
	if !t.beat(part, a, r, o.facts, p) {
		return
	}
	h := t.heartbeat(p.Dst)
	if o.facts.whole {
		t.game(a, h, p.Src, o.facts.port, p.Time)
	}
	a.latest = o
	for len(a.waiting) > 0 && (len(a.waiting) == maxWaiting || elapsed(a.waiting[0].at, p.Time) > lateAnswer) {
		a.maybe(&a.waiting[0])
		a.waiting = append(a.waiting[:0], a.waiting[1:]...)
	}
	a.waiting = append(a.waiting, o)
}

// accepted takes MSOK: a new cookie, which replaces the one before.
func (t *tracker) accepted(part *wire.Base, m *Cookie, p *wire.Place) {
	t.heartbeat(p.Src)
	a := t.announcer(p.Dst)
	o, waited := a.answer(p.Src, p.Time)
	h := a.heart(p.Src)
	id := identify(m.Cookie)
	if h.given && h.cookie != id {
		if len(a.old) == maxOld {
			a.old = append(a.old[:0], a.old[1:]...)
		}
		a.old = append(a.old, given{h.cookie, h.offer.asked})
	}
	if !waited && (!h.given || h.cookie != id) {
		a.missed = moment{true, p.Time}
	}
	back := t.settle(a, &o, waited, id)
	h.cookie, h.given, h.unknown, h.answered = id, true, part.Truncated(), false
	h.offer, h.known, h.acceptedAt = o, o.facts.whole, p.Time
	if !waited {
		return
	}
	t.measure(p, a.name, "time to MSOK", elapsed(o.at, p.Time), true)
	a.maybe(&o)
	if r := t.routes.Get(route{p.Dst, o.asked}); r != nil && !r.accepted {
		r.accepted, r.acceptance = true, *p
	}
	if back {
		t.shaken(p.Dst, o.asked)
		h.complete(p.Time)
	}
}

// handshake takes HSHK, whose cookie has to be the newest.
func (t *tracker) handshake(part *wire.Base, m *Cookie, p *wire.Place) {
	a := t.announcers.Get(p.Src)
	id := identify(m.Cookie)
	if a == nil || len(a.hearts) == 0 {
		if a != nil {
			a.shakes = true
		}
		t.blame(part, a, p, &doubt{rule: ruleUnasked, text: "no MSOK went to " + p.Src.String(), id: id})
		return
	}
	h, o := a.newest(id, p.Dst), a.replaced(id)
	switch {
	case part.Truncated():
		t.unread(a, p)
	case h != nil:
		t.shaken(p.Src, h.offer.asked)
		if !h.answered {
			t.measure(p, a.name, "time to HSHK", elapsed(h.acceptedAt, p.Time), true)
		}
		h.complete(p.Time)
	case o != nil:
		t.shaken(p.Src, o.asked)
		part.Report(ruleStaleCookie, headerSize, len(m.Cookie), "a newer MSOK replaced this cookie")
	case a.guessing():
		t.unread(a, p)
	default:
		t.blame(part, a, p, &doubt{rule: ruleWrongCookie, text: "this cookie was never given to " + p.Src.String(), id: id})
	}
}

// blame reports a handshake, unless its MSOK may have gone unseen: before the capture, or as the
// answer to an announce that has none. Then it waits for that.
func (t *tracker) blame(part *wire.Base, a *announcer, p *wire.Place, d *doubt) {
	switch {
	case t.early(p.Time, oneWay):
	case a != nil && a.waits(p.Time):
		a.doubt = *d
		a.doubt.place = *p
	case d.rule == ruleUnasked:
		part.Report(d.rule, 0, headerSize, "%s", d.text)
	default:
		part.Report(d.rule, headerSize, len(part.Contents)-headerSize, "%s", d.text)
	}
}

// settle ends a doubt when MSOK comes with a cookie. If it answers the only announce in front of the
// handshake, that was wrong. If the cookie is that of the handshake, the two have changed places on
// the way: it came back already.
func (t *tracker) settle(a *announcer, o *offer, waited bool, id cookieID) (back bool) {
	if a.doubt.rule == nil || !waited {
		return false
	}
	d := a.doubt
	a.doubt = doubt{}
	if d.id == id {
		return true
	}
	if elapsed(o.at, d.place.Time) >= 0 && !a.waits(d.place.Time) {
		t.Report(&d.place, d.rule, "%s", d.text)
	}
	return false
}

// unread takes a handshake whose cookie, or the one it answers, was cut off. It may be that of any
// heartbeat server.
func (t *tracker) unread(a *announcer, p *wire.Place) {
	for i := range a.hearts {
		h := &a.hearts[i]
		h.unknown = true
		t.shaken(p.Src, h.offer.asked)
	}
}

// shaken notes that a cookie of a burst came back.
func (t *tracker) shaken(from, asked netip.AddrPort) {
	if r := t.routes.Get(route{from, asked}); r != nil {
		r.shaken = true
	}
}

// badVersion takes BADV.
func (t *tracker) badVersion(part *wire.Base, m *BadVersion, p *wire.Place) {
	t.heartbeat(p.Src)
	a := t.announcer(p.Dst)
	a.refused = moment{true, p.Time}
	o, waited := a.answer(p.Src, p.Time)
	whole := part.Fault() == nil && !part.Truncated()
	if whole && waited && o.facts.versions && o.facts.heartbeat == m.Heartbeat && o.facts.version == m.Version {
		part.Report(ruleSameVersion, headerSize, 6, "heartbeat %d and iceball %s were announced", m.Heartbeat, m.Version)
	}
	r := t.routes.Make(route{p.Dst, p.Src})
	r.badVersion, r.heartbeat, r.anyVersion = moment{true, p.Time}, m.Heartbeat, !whole
}

// badFormat takes BADF. With bytes behind it the real game does not know it.
func (t *tracker) badFormat(part *wire.Base, m *BadFormat, p *wire.Place) {
	t.heartbeat(p.Src)
	if len(m.Trailing) > 0 || part.Truncated() {
		return
	}
	a := t.announcer(p.Dst)
	a.refused = moment{true, p.Time}
	a.answer(p.Src, p.Time)
	t.routes.Make(route{p.Dst, p.Src}).badFormat = moment{true, p.Time}
}
