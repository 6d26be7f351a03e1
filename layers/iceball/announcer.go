package iceball

import (
	"hash/fnv"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// announcer is a game server that announces itself, by its socket.
type announcer struct {
	name      string
	waiting   []offer // announces without an answer, the oldest first
	latest    offer   // the announce sent last
	hearts    []heart
	old       []given // cookies that newer ones replaced, the oldest first
	refused   moment  // by BADV or BADF, from whomever: the real game falls silent to all
	confirmed moment  // the last announce that was accepted, or may have been
	missed    moment  // the last MSOK to an announce that was not seen
	doubt     doubt
	unlisted  bool // it was not listed when it came
	shakes    bool // HSHK came from it, and no MSOK to it was seen: the capture may lack those
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

// given is a cookie and where the announce went that it accepts.
type given struct {
	id    cookieID
	asked netip.AddrPort
}

func identify(cookie []byte) cookieID {
	cookie = cookie[:min(len(cookie), cookieSize)]
	h := fnv.New64a()
	h.Write(cookie)
	return cookieID{len(cookie), h.Sum64()}
}

// read takes the facts out of an announce.
func (f *facts) read(a *Announce, part *wire.Base) {
	f.whole = part.Size() == announceSize && part.Fault() == nil && !part.Truncated()
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

// missedSince reports whether an announce of a burst was not seen, or one just before it.
func (a *announcer) missedSince(start int64) bool {
	return a.missed.known && elapsed(start, a.missed.at) >= -burstEnd
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

// waits reports whether an announce has no answer yet.
func (a *announcer) waits(now int64) bool {
	for i := range a.waiting {
		if elapsed(a.waiting[i].at, now) <= lateAnswer {
			return true
		}
	}
	return false
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

// replaced finds a cookie that was replaced.
func (a *announcer) replaced(id cookieID) *given {
	for i := range a.old {
		if a.old[i].id == id {
			return &a.old[i]
		}
	}
	return nil
}

// guessing reports whether a cookie is not known because it was cut off.
func (a *announcer) guessing() bool {
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
