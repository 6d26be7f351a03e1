package iceball

import (
	"bytes"
	"hash/fnv"
	"net/netip"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// announcer is a game server that announces itself, by its socket.
type announcer struct {
	announces ask.List[offer]
	latest    offer // the announce sent last
	hearts    []heart
	old       []given         // cookies that newer ones replaced, the oldest first
	refused   clock.Moment    // by BADV or BADF of any heartbeat server: the real game then stops announcing to all
	confirmed clock.Moment    // the last announce that was accepted, or may have been
	missed    clock.Moment    // the last MSOK that answers an announce which the capture lacks
	pending   *pendingFinding // nil: there is none
	unlisted  bool            // a list lacked it before its first handshake
	shakes    bool            // it sent an HSHK that may be right
	announced int             // announces
	accepted  int             // MSOKs
	list      int             // the number of the list that it was compared with last
}

// offer is an announce on its way to being accepted.
type offer struct {
	asked netip.AddrPort
	at    int64
	facts facts
}

// facts are what an announce says of a server, without an allocation.
type facts struct {
	size     int
	whole    bool // all of it was read
	versions bool // the versions were read
	ported   bool // the port was read

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
	given      bool     // cookie is set
	unknown    bool     // the newest cookie was cut off, so that its bytes are not known
	answered   bool     // the announcer sent the cookie back
	offer      offer    // the announce that it answers
	known      bool     // the offer is known
	acceptedAt int64
	doubted    clock.Moment // the handshake after which lists began to tell something else

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
	head [16]byte
}

// given is a cookie, the heartbeat server that gave it, and where the announce went that it accepts.
type given struct {
	id          cookieID
	from, asked netip.AddrPort
}

func identifyCookie(cookie []byte) cookieID {
	cookie = cookie[:min(len(cookie), cookieSize)]
	h := fnv.New64a()
	h.Write(cookie)
	id := cookieID{size: len(cookie), sum: h.Sum64()}
	copy(id.head[:], cookie)
	return id
}

// damage says what a client did to the cookie that it was given, "" if this one may be another cookie. One that differs
// in a few bytes may be the next cookie of a server that counts.
func (c cookieID) damage(from cookieID) string {
	n := min(c.size, from.size, len(c.head))
	if n < 2 && (c.size > 0 || from.size == 0) {
		return "" // too little to tell
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
		return "turned round"
	}
	return ""
}

// read sets the facts from an announce.
func (f *facts) read(a *Announce, core *wire.Base) {
	f.whole = core.Size() == announceSize && core.Fault() == nil && !core.Truncated()
	f.size, f.versions, f.ported = core.Size(), len(core.Contents) >= headerSize+6, len(core.Contents) >= headerSize+8
	f.heartbeat, f.version = a.Heartbeat, a.Version
	f.port, f.current, f.limit = a.Port, a.PlayersCurrent, a.PlayersMax
	copy(f.name[:], a.Name)
	copy(f.mode[:], a.Mode)
	copy(f.level[:], a.Map)
}

func (a *announcer) held() int {
	held := a.announces.Held() + cap(a.hearts)*int(unsafe.Sizeof(heart{})) + cap(a.old)*int(unsafe.Sizeof(given{}))
	if a.pending != nil {
		held += int(unsafe.Sizeof(pendingFinding{}))
	}
	return held
}

func (a *announcer) refusedSince(when int64) bool {
	return a.refused.Known() && a.refused.When() >= when
}

// missedSince reports whether an announce of a burst was not seen, or one just before it.
func (a *announcer) missedSince(start int64) bool {
	return a.missed.Known() && clock.Elapsed(start, a.missed.When()) >= -burstEnd
}

// noteAccepted notes that an announce was accepted, or could have been.
func (a *announcer) noteAccepted(o *offer) {
	if o.facts.whole {
		a.confirmed = later(a.confirmed, clock.At(o.at))
	}
}

// expectAnswer adds an announce. Earlier ones without an answer may have been accepted too: the capture may lack it.
func (a *announcer) expectAnswer(o *offer) {
	forget := func(q *ask.Question[offer]) { a.noteAccepted(&q.Value) }
	a.announces.Overdue(announces, o.at, forget)
	a.announces.Ask(announces, o.at, *o, forget)
	a.latest = *o
}

// matchAnswer gives the announce that a heartbeat server answers, and forgets it: the oldest recent one to that
// address, else the oldest one to it, else one to another address.
func (a *announcer) matchAnswer(from netip.AddrPort, now int64) (o offer, known bool) {
	q, _ := a.announces.Answer(announces, now, func(q *ask.Question[offer]) int {
		if q.Overdue() {
			return 0
		}
		rank := 1
		if q.Value.asked == from {
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

// heart gives the heart of a heartbeat server. A fifth one replaces the first.
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

// awaitsAnswer reports whether an announce has no answer yet.
func (a *announcer) awaitsAnswer(now int64) bool {
	for i := range a.announces.Len() {
		if q := a.announces.At(i); !q.Overdue() && q.Waits(announces, now) {
			return true
		}
	}
	return false
}

// findNewest finds the heartbeat server whose newest cookie this is. It prefers the server that the cookie is sent to.
func (a *announcer) findNewest(id cookieID, to netip.AddrPort) *heart {
	var found *heart
	for i := range a.hearts {
		h := &a.hearts[i]
		if h.cookie == id && !h.unknown && (found == nil || h.addr == to) {
			found = h
		}
	}
	return found
}

// findReplaced finds a cookie that was replaced.
func (a *announcer) findReplaced(id cookieID) *given {
	for i := range a.old {
		if a.old[i].id == id {
			return &a.old[i]
		}
	}
	return nil
}

// findDamage says what the announcer did to a cookie that it was given, "" if this one may be another cookie.
func (a *announcer) findDamage(id cookieID) string {
	for i := range a.hearts {
		if text := id.damage(a.hearts[i].cookie); text != "" && a.hearts[i].given {
			return text
		}
	}
	for i := range a.old {
		if text := id.damage(a.old[i].id); text != "" {
			return text
		}
	}
	return ""
}

// hasUnreadCookie reports whether a cookie is not known because it was cut off.
func (a *announcer) hasUnreadCookie() bool {
	for i := range a.hearts {
		if a.hearts[i].unknown {
			return true
		}
	}
	return false
}

// complete ends a handshake: from now on the heartbeat server lists the announce. The cookie may come
// again until the next announce.
func (h *heart) complete(now int64) {
	if h.answered {
		return
	}
	h.answered = true
	if !h.known {
		h.before, h.current = shaken{}, shaken{}
		return
	}
	if !h.current.known || h.current.facts != h.offer.facts {
		h.before = h.current
		h.current = shaken{known: true, facts: h.offer.facts, since: now}
	}
	h.current.at = h.offer.at
}

// compare compares an entry with the last handshake, and with the one before if the last was completed when the list
// was written or just before. If an even earlier one may count, it reports nothing.
func (h *heart) compare(e *entry, from int64) (text string, decided bool) {
	if !h.current.known || h.unknown {
		return "", false
	}
	text = e.differs(&h.current.facts)
	if text == "" || clock.Elapsed(h.current.since, from) >= grace {
		return text, true
	}
	if !h.before.known || clock.Elapsed(h.before.since, from) < grace || e.differs(&h.before.facts) == "" {
		return "", false
	}
	return text, true
}

// contradict notes whether a list tells something else than the last handshake. It reports whether an earlier one did
// so after an earlier handshake: the loss of a message on the way explains one of them, not both.
func (h *heart) contradict(wrong bool) bool {
	switch {
	case !wrong:
		h.doubted = clock.Moment{}
	case !h.doubted.Known():
		h.doubted = clock.At(h.current.at)
	}
	return wrong && clock.Elapsed(h.doubted.When(), h.current.at) > 0
}
