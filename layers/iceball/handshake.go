package iceball

import (
	"hash/fnv"
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

// announcer is a game server that announces itself, by its socket.
type announcer struct {
	name      string
	waiting   []offer // announces without an answer, the oldest first
	latest    offer   // the announce sent last
	hearts    []heart
	old       []cookieID
	refused   moment // by BADV or BADF, from whomever: the real game falls silent to all
	confirmed moment // the last announce that was accepted, or may have been
	unlisted  bool   // it was not listed when it came
}

// offer is an announce on its way to being accepted.
type offer struct {
	asked netip.AddrPort
	at    int64
	facts facts
}

// facts are what an announce says of a server, without an allocation.
type facts struct {
	whole    bool // all of it was read
	versions bool // the versions were read

	heartbeat            HeartbeatVersion
	version              Version
	port, current, limit uint16
	name, level          [30]byte
	mode                 [10]byte
}

// heart is a heartbeat server as its announcer sees it, by the address it answers from.
type heart struct {
	addr       netip.AddrPort
	cookie     cookieID // the newest
	given      bool     // there is one
	unknown    bool     // the newest was cut off: it may be any
	answered   bool     // it came back
	offer      offer    // the announce that it answers
	known      bool     // the offer is known
	acceptedAt int64

	current, before shaken
}

// shaken is a handshake that was completed.
type shaken struct {
	known bool
	facts facts
	since int64 // when it was completed first
	at    int64 // when the announce was sent last
}

// cookieID stands for a cookie, which may have any length.
type cookieID struct {
	size int
	sum  uint64
}

func identify(cookie []byte) cookieID {
	cookie = cookie[:min(len(cookie), cookieSize)]
	h := fnv.New64a()
	h.Write(cookie)
	return cookieID{len(cookie), h.Sum64()}
}

// read takes the facts out of an announce.
func (f *facts) read(a *Announce, part *wire.Base) {
	f.whole = part.Size() == announceSize && part.Fault() == nil && !part.Cut()
	f.versions = len(part.Contents) >= headerSize+6
	f.heartbeat, f.version = a.Heartbeat, a.Version
	f.port, f.current, f.limit = a.Port, a.PlayersCurrent, a.PlayersMax
	copy(f.name[:], a.Name)
	copy(f.mode[:], a.Mode)
	copy(f.level[:], a.Map)
}

// announcer gives what is known of a game server's socket.
func (t *tracker) announcer(at netip.AddrPort) *announcer {
	a := t.announcers.Make(at)
	if a.name == "" {
		a.name = at.String()
	}
	return a
}

func (a *announcer) refusedSince(when int64) bool {
	return a.refused.known && a.refused.at >= when
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

// maybe notes that an announce was accepted, or could have been.
func (a *announcer) maybe(o *offer) {
	if o.facts.whole && (!a.confirmed.known || elapsed(a.confirmed.at, o.at) > 0) {
		a.confirmed = moment{true, o.at}
	}
}

// answer gives the announce that a heartbeat server's answer is about: the oldest one that was sent
// there lately, else the oldest, else one that was sent to another address.
func (a *announcer) answer(from netip.AddrPort, now int64) (offer, bool) {
	best, rank := -1, -1
	for i := range a.waiting {
		n := 0
		if a.waiting[i].asked == from {
			n += 2
		}
		if elapsed(a.waiting[i].at, now) < soon {
			n++
		}
		if n > rank {
			best, rank = i, n
		}
	}
	if best < 0 {
		return a.latest, false
	}
	o := a.waiting[best]
	a.waiting = append(a.waiting[:best], a.waiting[best+1:]...)
	return o, true
}

// heart gives what an announcer has with a heartbeat server. A fifth one takes the place of the first.
func (a *announcer) heart(at netip.AddrPort) *heart {
	for i := range a.hearts {
		if a.hearts[i].addr == at {
			return &a.hearts[i]
		}
	}
	if len(a.hearts) == maxHearts {
		a.hearts = append(a.hearts[:0], a.hearts[1:]...)
	}
	a.hearts = append(a.hearts, heart{addr: at})
	return &a.hearts[len(a.hearts)-1]
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
		a.old = append(a.old, h.cookie)
	}
	h.cookie, h.given, h.unknown, h.answered = id, true, part.Cut(), false
	h.offer, h.known, h.acceptedAt = o, o.facts.whole, p.Time
	if !waited {
		return
	}
	t.measure(p, a.name, "time to MSOK", elapsed(o.at, p.Time))
	a.maybe(&o)
	if r := t.routes.Get(route{p.Dst, o.asked}); r != nil && !r.accepted {
		r.accepted, r.acceptance = true, *p
	}
}

// handshake takes HSHK, whose cookie has to be the newest.
func (t *tracker) handshake(part *wire.Base, m *Cookie, p *wire.Place) {
	a := t.announcers.Get(p.Src)
	if a == nil || len(a.hearts) == 0 {
		if !t.early(p.Time, oneWay) {
			part.Report(ruleUnasked, 0, headerSize, "no MSOK went to %s", p.Src)
		}
		return
	}
	id := identify(m.Cookie)
	h := a.newest(id, p.Dst)
	switch {
	case part.Cut():
		a.answers(t, p)
		for i := range a.hearts {
			a.hearts[i].unknown = true // it may have been theirs
		}
	case h != nil:
		if r := t.routes.Get(route{p.Src, h.offer.asked}); r != nil {
			r.shaken = true
		}
		t.complete(a, h, p)
	case a.isOld(id):
		a.answers(t, p)
		part.Report(ruleStaleCookie, headerSize, len(m.Cookie), "a newer MSOK replaced this cookie")
	case a.guessing():
		a.answers(t, p)
	case !t.early(p.Time, oneWay):
		part.Report(ruleWrongCookie, headerSize, len(m.Cookie), "this cookie was never given to %s", p.Src)
	}
}

// complete ends a handshake: from now on the heartbeat server lists the announce.
func (t *tracker) complete(a *announcer, h *heart, p *wire.Place) {
	if h.answered {
		return // it may be sent again until the next announce
	}
	h.answered = true
	t.measure(p, a.name, "time to HSHK", elapsed(h.acceptedAt, p.Time))
	if !h.known {
		h.before, h.current = shaken{}, shaken{}
		return
	}
	if !h.current.known || h.current.facts != h.offer.facts {
		h.before = h.current
		h.current = shaken{known: true, facts: h.offer.facts, since: p.Time}
	}
	h.current.at = h.offer.at
}

// newest finds the heartbeat server whose newest cookie this is, best the one that it is sent to.
func (a *announcer) newest(id cookieID, to netip.AddrPort) *heart {
	var found *heart
	for i := range a.hearts {
		h := &a.hearts[i]
		if h.cookie == id && !h.unknown && (found == nil || h.addr == to) {
			found = h
		}
	}
	return found
}

func (a *announcer) isOld(id cookieID) bool {
	for _, o := range a.old {
		if o == id {
			return true
		}
	}
	return false
}

// guessing tells whether a cookie is not known because it was cut off.
func (a *announcer) guessing() bool {
	for i := range a.hearts {
		if a.hearts[i].unknown {
			return true
		}
	}
	return false
}

// answers notes that something like a handshake came, for all bursts that it may belong to.
func (a *announcer) answers(t *tracker, p *wire.Place) {
	for i := range a.hearts {
		if r := t.routes.Get(route{p.Src, a.hearts[i].offer.asked}); r != nil {
			r.shaken = true
		}
	}
}

// badVersion takes BADV.
func (t *tracker) badVersion(part *wire.Base, m *BadVersion, p *wire.Place) {
	t.heartbeat(p.Src)
	a := t.announcer(p.Dst)
	a.refused = moment{true, p.Time}
	o, waited := a.answer(p.Src, p.Time)
	whole := part.Fault() == nil && !part.Cut()
	if whole && waited && o.facts.versions && o.facts.heartbeat == m.Heartbeat && o.facts.version == m.Version {
		part.Report(ruleSameVersion, headerSize, 6, "heartbeat %d and iceball %s were announced", m.Heartbeat, m.Version)
	}
	r := t.routes.Make(route{p.Dst, p.Src})
	r.badVersion, r.heartbeat, r.anyVersion = moment{true, p.Time}, m.Heartbeat, !whole
}

// badFormat takes BADF. With bytes behind it the real game does not know it.
func (t *tracker) badFormat(part *wire.Base, m *BadFormat, p *wire.Place) {
	t.heartbeat(p.Src)
	if len(m.Trailing) > 0 || part.Cut() {
		return
	}
	a := t.announcer(p.Dst)
	a.refused = moment{true, p.Time}
	a.answer(p.Src, p.Time)
	t.routes.Make(route{p.Dst, p.Src}).badFormat = moment{true, p.Time}
}
