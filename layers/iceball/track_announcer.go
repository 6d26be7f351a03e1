package iceball

import (
	"bytes"
	"hash/fnv"
	"net/netip"
	"slices"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	maxRegistrations = 4  // per announcer
	maxOldCookies    = 16 // per announcer

	// cookieSize is the number of cookie bytes that the real game sends back. Its buffer is not larger.
	cookieSize = 4091
)

// announceRules let an announce wait five seconds for its answer.
var announceRules = &ask.Rules{Most: 8, Patience: int64(5 * time.Second)}

// announcer is a game server that announces itself, identified by its socket.
//
// Several addresses may belong to one heartbeat server: if it listens on all addresses of its host, it may answer from
// a different address than the announcer sent to. So this struct stores cookies per announcer, not per server address.
type announcer struct {
	announces     ask.List[announcement]
	latest        announcement
	registrations []registration
	oldCookies    []oldCookie     // oldest first
	refused       clock.Moment    // last BADV or BADF of any server; after it, the real game announces to no server
	confirmed     clock.Moment    // time of the last announce that was or may have been accepted
	missed        clock.Moment    // time of the last MSOK (acceptance) whose announce the capture lacks
	pending       *pendingFinding // nil if there is none
	unlisted      bool            // a list before the first handshake did not contain the server
	sentHandshake bool            // it sent a handshake that may be correct
	announced     int             // number of announces
	accepted      int             // number of MSOKs
	lastList      int             // number of the last list compared with this announcer
}

// registration is an announcer's registration at a heartbeat server, identified by the server's source address.
type registration struct {
	master     netip.AddrPort
	cookie     cookieID // the newest cookie
	hasCookie  bool
	unread     bool // the newest cookie was cut off by the snap length
	answered   bool // the announcer sent the cookie back
	announce   announcement
	known      bool // the cookie certainly belongs to announce
	acceptedAt int64
	gap        int64        // time between the last two accepted announces
	doubted    clock.Moment // announce time of the first handshake that a list contradicted

	current, before completedHandshake
}

type completedHandshake struct {
	known bool
	facts facts
	since int64 // when the handshake was first completed
	at    int64 // when an announce with these facts was last sent
}

// cookieID identifies a cookie, which may have any length.
type cookieID struct {
	size int
	sum  uint64
	head [16]byte
}

// oldCookie is a cookie that a newer one replaced.
type oldCookie struct {
	id          cookieID
	master      netip.AddrPort // the address that sent the cookie
	announcedTo netip.AddrPort
}

// pendingFinding is a finding about a handshake (HSHK) without MSOK. While an announce is unanswered, the handshake may
// belong to an MSOK that the capture lacks. If the MSOK for the announce comes later, none was missing, and the finding
// is reported.
type pendingFinding struct {
	place wire.Place
	id    cookieID
}

func identifyCookie(cookie []byte) cookieID {
	cookie = cookie[:min(len(cookie), cookieSize)]
	h := fnv.New64a()
	h.Write(cookie)
	id := cookieID{size: len(cookie), sum: h.Sum64()}
	copy(id.head[:], cookie)
	return id
}

// damage returns how a client changed the cookie that it received, or "" if c may be a different cookie. A difference
// in a few bytes is not damage, since a server may use a counter as its cookie.
func (c cookieID) damage(from cookieID) string {
	n := min(c.size, from.size, len(c.head))
	if n < 2 && (c.size > 0 || from.size == 0) {
		return "" // too short for a comparison
	}
	ours, theirs := c.head[:n], from.head[:n]
	switch {
	case c.size < from.size && bytes.Equal(ours, theirs):
		return "cut"
	case c.size > from.size && bytes.Equal(ours, theirs):
		return "padded"
	}
	slices.Reverse(ours)
	if c.size == from.size && c.size <= len(c.head) && bytes.Equal(ours, theirs) {
		return "reversed"
	}
	return ""
}

func (a *announcer) held() int {
	n := a.announces.Held() + cap(a.registrations)*int(unsafe.Sizeof(registration{})) +
		cap(a.oldCookies)*int(unsafe.Sizeof(oldCookie{}))
	if a.pending != nil {
		n += int(unsafe.Sizeof(pendingFinding{}))
	}
	return n
}

func (a *announcer) refusedSince(when int64) bool {
	return a.refused.Known() && a.refused.When() >= when
}

// missedSince reports whether the capture lacks an announce of a burst, or an announce shortly before it.
func (a *announcer) missedSince(start int64) bool {
	return a.missed.Known() && clock.Elapsed(start, a.missed.When()) >= -burstEnd
}

// confirm records that an announce was or may have been accepted.
func (a *announcer) confirm(o *announcement) {
	if o.facts.whole {
		a.confirmed = later(a.confirmed, clock.At(o.at))
	}
}

// lastConfirmed returns the time of the last announce that was or may have been accepted.
func (a *announcer) lastConfirmed() clock.Moment {
	last := a.confirmed
	for i := range a.announces.Len() {
		if q := a.announces.At(i); q.Value.facts.whole {
			last = later(last, clock.At(q.Asked))
		}
	}
	return last
}

// expectAnswer adds an announce. It treats older unanswered announces as possibly accepted, since the capture may lack
// the answers.
func (a *announcer) expectAnswer(o *announcement) {
	forget := func(q *ask.Question[announcement]) { a.confirm(&q.Value) }
	a.announces.Overdue(announceRules, o.at, forget)
	a.announces.Ask(announceRules, o.at, *o, forget)
	a.latest = *o
}

// matchAnswer finds the announce that a heartbeat server's message answers, and removes it. It prefers a recent
// announce to that address, then any announce to that address, then an announce to another address; among equals it
// takes the oldest.
func (a *announcer) matchAnswer(from netip.AddrPort, now int64) (o announcement, known bool) {
	q, _ := a.announces.Answer(announceRules, now, func(q *ask.Question[announcement]) int {
		if q.Overdue() {
			return 0
		}
		rank := 1
		if q.Value.to == from {
			rank += 2
		}
		if clock.Elapsed(q.Asked, now) < soon {
			rank++
		}
		return rank
	})
	if q == nil {
		return a.latest, false
	}
	o = q.Value
	for i := range a.announces.Len() {
		if a.announces.At(i) == q {
			a.announces.Delete(i)
			break
		}
	}
	return o, true
}

// awaitsAnswer reports whether an announce is still unanswered.
func (a *announcer) awaitsAnswer(now int64) bool {
	for i := range a.announces.Len() {
		if q := a.announces.At(i); !q.Overdue() && q.Waits(announceRules, now) {
			return true
		}
	}
	return false
}

// registration returns the registration at a heartbeat server. If there are too many, a new registration replaces the
// oldest.
func (a *announcer) registration(master netip.AddrPort) *registration {
	for i := range a.registrations {
		if a.registrations[i].master == master {
			return &a.registrations[i]
		}
	}
	if len(a.registrations) == maxRegistrations {
		a.registrations = append(a.registrations[:0], a.registrations[1:]...)
	}
	a.registrations = append(a.registrations, registration{master: master})
	return &a.registrations[len(a.registrations)-1]
}

// replaceCookie moves the newest cookie of a registration to the old cookies. The caller sets the new cookie.
func (a *announcer) replaceCookie(r *registration) {
	if len(a.oldCookies) == maxOldCookies {
		a.oldCookies = append(a.oldCookies[:0], a.oldCookies[1:]...)
	}
	a.oldCookies = append(a.oldCookies, oldCookie{r.cookie, r.master, r.announce.to})
}

// findNewest returns the registration that has this cookie as its newest. If there are several, it prefers the
// registration at the given address.
func (a *announcer) findNewest(id cookieID, to netip.AddrPort) *registration {
	var found *registration
	for i := range a.registrations {
		r := &a.registrations[i]
		if r.cookie == id && !r.unread && (found == nil || r.master == to) {
			found = r
		}
	}
	return found
}

// findReplaced returns the old cookie with this id.
func (a *announcer) findReplaced(id cookieID) *oldCookie {
	for i := range a.oldCookies {
		if a.oldCookies[i].id == id {
			return &a.oldCookies[i]
		}
	}
	return nil
}

// findDamage returns how the announcer changed a cookie that it received, or "" if this may be a different cookie.
func (a *announcer) findDamage(id cookieID) string {
	for i := range a.registrations {
		if text := id.damage(a.registrations[i].cookie); text != "" && a.registrations[i].hasCookie {
			return text
		}
	}
	for i := range a.oldCookies {
		if text := id.damage(a.oldCookies[i].id); text != "" {
			return text
		}
	}
	return ""
}

// hasUnreadCookie reports whether any cookie is unknown because the snap length cut it off.
func (a *announcer) hasUnreadCookie() bool {
	return slices.ContainsFunc(a.registrations, func(r registration) bool { return r.unread })
}

// hasHandshake reports whether any handshake was completed.
func (a *announcer) hasHandshake() bool {
	return slices.ContainsFunc(a.registrations, func(r registration) bool { return r.answered || r.current.known })
}

// entryOf returns the game server's endpoint for players: the announcer's address and the announced port. If the
// announce is too short to have a port, entryOf uses the port of an earlier announce, or else the socket's port.
func (a *announcer) entryOf(socket netip.AddrPort, o *announcement) netip.AddrPort {
	if o.facts.ported {
		return netip.AddrPortFrom(socket.Addr(), o.facts.port)
	}
	for i := range a.registrations {
		if c := &a.registrations[i].current; c.known {
			return netip.AddrPortFrom(socket.Addr(), c.facts.port)
		}
	}
	return socket
}

// complete completes a handshake, so the heartbeat server now lists the announced server. A repeated cookie changes
// nothing until the next announce.
func (r *registration) complete(now int64) {
	if r.answered {
		return
	}
	r.answered = true
	if !r.known {
		r.before, r.current = completedHandshake{}, completedHandshake{}
		return
	}
	if !r.current.known || r.current.facts != r.announce.facts {
		r.before = r.current
		r.current = completedHandshake{known: true, facts: r.announce.facts, since: now}
	}
	r.current.at = r.announce.at
}

// compare compares a list's entry with the last completed handshake. from is the time when the list was requested. If
// the handshake was completed just before that time, or after it, the entry may also match the previous handshake.
// decided is false if an even older handshake might match.
func (r *registration) compare(e *entry, from int64) (text string, decided bool) {
	if !r.current.known || r.unread {
		return "", false
	}
	text = e.differs(&r.current.facts)
	if text == "" || clock.Elapsed(r.current.since, from) >= grace {
		return text, true
	}
	if !r.before.known || clock.Elapsed(r.before.since, from) < grace || e.differs(&r.before.facts) == "" {
		return "", false
	}
	return text, true
}

// contradict records whether a list contradicts the last handshake. It returns true if an earlier list also
// contradicted an earlier handshake. One lost message can explain one contradiction, but not two.
func (r *registration) contradict(wrong bool) bool {
	switch {
	case !wrong:
		r.doubted = clock.Moment{}
	case !r.doubted.Known():
		r.doubted = clock.At(r.current.at)
	}
	return wrong && clock.Elapsed(r.doubted.When(), r.current.at) > 0
}
