package iceball

import (
	"net/netip"
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

const (
	// settle is how long a heartbeat server may take with what it got, before a list has to show it.
	// It reads one datagram a turn, and a turn is 50 ms.
	settle = int64(2 * time.Second)

	// A server is listed for 120 seconds after its last announce.
	stillListed = int64(119 * time.Second)
	goneBy      = int64(121 * time.Second)

	// unseen is how long before its answer a request may have been sent that nobody saw.
	unseen = int64(5 * time.Second)

	// maxTold bounds the findings of one kind about a list.
	maxTold = 8
)

// game is a game server as the list shows it. Started again it announces itself from a new socket.
type game struct {
	sockets []netip.AddrPort // the latest last
}

// heartbeat is a host with a heartbeat server.
type heartbeat struct {
	ports   []uint16                    // of the heartbeat, over UDP
	odd     []uint16                    // of HTTP, told already
	listed  map[netip.AddrPort]struct{} // by the latest list; nil: none was seen
	partial bool                        // there were more
}

// connection is one with HTTP.
type connection struct {
	lost  bool // bytes are missing: nobody knows which answer is to which request
	asked []asked
}

// asked is a request without an answer.
type asked struct {
	at   int64
	list bool // for the list, with its body
}

// heartbeat notes the port of a heartbeat server and gives its host.
func (t *tracker) heartbeat(at netip.AddrPort) *heartbeat {
	h := t.heartbeats.Make(at.Addr())
	if !slices.Contains(h.ports, at.Port()) && len(h.ports) < maxPorts {
		h.ports = append(h.ports, at.Port())
	}
	return h
}

// game notes the socket that a game server announces itself from. Whether it was listed before is
// known from a list, or if the capture is older than an announce lasts.
func (t *tracker) game(a *announcer, h *heartbeat, socket netip.AddrPort, port uint16, now int64) {
	at := netip.AddrPortFrom(socket.Addr(), port)
	g := t.games.Make(at)
	if len(g.sockets) > 0 && g.sockets[len(g.sockets)-1] == socket {
		return
	}
	if i := slices.Index(g.sockets, socket); i >= 0 {
		g.sockets = slices.Delete(g.sockets, i, i+1)
	} else if len(a.hearts) == 0 {
		_, listed := h.listed[at]
		a.unlisted = h.listed != nil && !h.partial && !listed || !t.early(now, goneBy)
	}
	if len(g.sockets) == maxSockets {
		g.sockets = slices.Delete(g.sockets, 0, 1)
	}
	g.sockets = append(g.sockets, socket)
}

// request takes what an HTTP client asks for.
func (t *tracker) request(part *wire.Base, m *HTTPRequest, p *wire.Place) {
	t.port(part, p.Dst)
	c := t.connections.Make(route{p.Src, p.Dst})
	if len(c.asked) == maxAsked {
		c.asked = append(c.asked[:0], c.asked[1:]...)
	}
	list := string(m.Method) == "GET" && string(m.Target) == "/master.json"
	c.asked = append(c.asked, asked{p.Time, list})
}

// port reports HTTP on another port than the heartbeat's, once for each.
func (t *tracker) port(part *wire.Base, server netip.AddrPort) {
	h := t.heartbeats.Get(server.Addr())
	if h == nil || len(h.ports) == 0 || slices.Contains(h.ports, server.Port()) || slices.Contains(h.odd, server.Port()) {
		return
	}
	if len(h.odd) == maxPorts {
		h.odd = h.odd[:0]
	}
	h.odd = append(h.odd, server.Port())
	part.Report(ruleHTTPPort, 0, 0, "HTTP on port %d, the heartbeat's is %d", server.Port(), h.ports[0])
}

// response takes the answer. A list whose request was not seen is known by its content.
func (t *tracker) response(part *wire.Base, m *HTTPResponse, p *wire.Place) {
	t.port(part, p.Src)
	c := t.connections.Get(route{p.Dst, p.Src})
	if c != nil && c.lost {
		return
	}
	l := list{part: part, place: p, from: p.Time - min(unseen, elapsed(t.start, p.Time)), off: part.Size() - len(m.Body)}
	sure := c != nil && len(c.asked) > 0
	if sure {
		first := c.asked[0]
		c.asked = append(c.asked[:0], c.asked[1:]...)
		if !first.list {
			return
		}
		l.from = first.at
	}
	if m.Status != 200 || part.Fault() != nil || part.Truncated() || len(m.Body) > maxList || !sure && !aboutList(part.Contents) {
		return
	}
	l.size = len(m.Body)
	var problem string
	if l.entries, problem = readList(m.Body); problem != "" {
		if sure {
			part.Report(ruleMasterJSON, l.off, l.size, "%s", problem)
		}
		return
	}
	t.list(&l)
}

// list is a master.json.
type list struct {
	part      *wire.Base
	place     *wire.Place // of the answer
	from      int64       // when it was asked for; it was written after that and before the answer
	off, size int         // of the body
	entries   []entry
	at        map[netip.AddrPort]struct{}
	order     []netip.AddrPort // of at
	partial   bool             // at has not all of them
	told      map[*wire.Rule]int
}

func (l *list) report(r *wire.Rule, format string, args ...any) {
	if l.told == nil {
		l.told = make(map[*wire.Rule]int)
	}
	if l.told[r]++; l.told[r] <= maxTold {
		l.part.Report(r, l.off, l.size, format, args...)
	}
}

// list judges a list against what was announced.
func (t *tracker) list(l *list) {
	l.at = make(map[netip.AddrPort]struct{}, min(len(l.entries), maxListed))
	for i := range l.entries {
		e := &l.entries[i]
		if _, there := l.at[e.at]; !there && len(l.at) < maxListed {
			l.at[e.at] = struct{}{}
			l.order = append(l.order, e.at)
		} else {
			l.partial = l.partial || !there
		}
		if g := t.games.Get(e.at); g != nil {
			t.entry(l, e, g)
		}
	}
	t.announcers.Each(func(socket netip.AddrPort, a *announcer) { t.absent(l, socket, a) })
	h := t.heartbeats.Make(l.place.Src.Addr())
	t.changes(l, h)
	h.listed, h.partial = l.at, l.partial
}

// changes measures since and until when servers are listed.
func (t *tracker) changes(l *list, h *heartbeat) {
	state := func(at netip.AddrPort, text string) {
		if at.IsValid() {
			t.Measured(wire.Value{Place: *l.place, Table: "list", Who: at.String(), What: "listed", State: true, Text: text})
		}
	}
	for _, at := range l.order {
		if _, before := h.listed[at]; !before && !h.partial {
			state(at, "yes")
		}
	}
	if l.partial {
		return
	}
	var gone []netip.AddrPort
	for at := range h.listed {
		if _, still := l.at[at]; !still {
			gone = append(gone, at)
		}
	}
	slices.SortFunc(gone, netip.AddrPort.Compare)
	for _, at := range gone {
		state(at, "no")
	}
}

// entry judges what a list shows of a game server that announced itself. It may do so from several
// sockets, and be in the list as often; the entry may belong to any of them.
func (t *tracker) entry(l *list, e *entry, g *game) {
	joined, shook := true, false // all of them are known to have come unlisted; one was shaken hands with
	confirmed := moment{}
	differs := ""
	fits := false
	for _, socket := range g.sockets {
		a := t.announcers.Get(socket)
		if a == nil {
			return
		}
		joined, shook = joined && a.unlisted, shook || a.shakes
		confirmed.later(a.lastAccepted())
		found := false
		for i := range a.hearts {
			h := &a.hearts[i]
			shook = shook || h.current.known || h.unknown || h.answered
			if h.addr.Addr() == l.place.Src.Addr() {
				found = true
				text, decided := h.compare(e, l.from)
				differs, fits = text, fits || !decided || text == ""
			}
		}
		fits = fits || !found
	}
	switch {
	case joined && !shook:
		l.report(ruleNoHandshake, "%s is listed, no HSHK with its newest cookie was seen", e.at)
	case confirmed.known && elapsed(confirmed.at, l.from) > goneBy:
		l.report(ruleListedTooLong, "%s is listed, its last announce is %.1f s old", e.at, seconds(elapsed(confirmed.at, l.from)))
	case !fits:
		l.report(ruleStaleList, "%s: %s", e.at, differs)
	}
}

func (m *moment) later(o moment) {
	if o.known && (!m.known || elapsed(m.at, o.at) > 0) {
		*m = o
	}
}

// lastAccepted is the last announce that was accepted or may have been.
func (a *announcer) lastAccepted() moment {
	m := a.confirmed
	for i := range a.waiting {
		if a.waiting[i].facts.whole {
			m.later(moment{true, a.waiting[i].at})
		}
	}
	return m
}

// compare holds an entry against the last handshake, and the one before if the last was completed
// when the list was written or just before. Nothing is decided where yet another one may count.
func (h *heart) compare(e *entry, from int64) (text string, decided bool) {
	if !h.current.known || h.unknown {
		return "", false
	}
	text = e.differs(&h.current.facts)
	if text == "" || elapsed(h.current.since, from) >= settle {
		return text, true
	}
	if !h.before.known || elapsed(h.before.since, from) < settle || e.differs(&h.before.facts) == "" {
		return "", false
	}
	return text, true
}

// absent judges whether a list should show a server that it does not.
func (t *tracker) absent(l *list, socket netip.AddrPort, a *announcer) {
	if l.partial {
		return
	}
	if len(a.hearts) == 0 || !slices.ContainsFunc(a.hearts, func(h heart) bool { return h.answered || h.current.known }) {
		at := netip.AddrPortFrom(socket.Addr(), a.latest.facts.port)
		if _, listed := l.at[at]; !listed && a.latest.facts.whole {
			a.unlisted = true
		}
		return
	}
	for i := range a.hearts {
		h := &a.hearts[i]
		c := &h.current
		if h.addr.Addr() != l.place.Src.Addr() || !c.known || elapsed(c.since, l.from) < settle || elapsed(c.at, l.place.Time) >= stillListed {
			continue
		}
		at := netip.AddrPortFrom(socket.Addr(), c.facts.port)
		if _, listed := l.at[at]; !listed && !l.translated(socket.Addr(), c) {
			l.report(ruleUnlistedEarly, "%s is missing, its last announce with a handshake is %.1f s old", at, seconds(elapsed(c.at, l.place.Time)))
		}
	}
}

// translated reports whether a server may be in the list with another address, because there is an
// address translation between it and the heartbeat server.
func (l *list) translated(from netip.Addr, c *shaken) bool {
	local := func(a netip.Addr) bool { return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() }
	if local(from) && !local(l.place.Src.Addr()) {
		return true
	}
	for i := range l.entries {
		if e := &l.entries[i]; e.at.Addr() != from && e.name == string(wire.Trim(c.facts.name[:])) && e.port == int64(c.facts.port) {
			return true
		}
	}
	return false
}
