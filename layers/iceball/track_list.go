package iceball

import (
	"net/netip"
	"slices"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	// grace is the time within which a heartbeat server handles a datagram, so that lists show it. The server reads
	// one datagram each 50 ms.
	grace = int64(2 * time.Second)

	// A server is listed for 120 seconds after its last announce.
	stillListed = int64(119 * time.Second)
	goneBy      = int64(121 * time.Second)

	// unseen is how long before its answer a request that was not captured may have been sent.
	unseen = int64(5 * time.Second)

	// maxReported bounds the findings of one kind about a list.
	maxReported = 8

	// unheard is a time in which a server announces itself, if the capture hears it.
	unheard = burstPeriod + burstEnd
)

// game is a game server as the list shows it. After a restart it announces itself from a new socket.
type game struct {
	sockets  []netip.AddrPort // the latest last
	outlived clock.Moment     // the first list that showed it long after its last announce, and none since
}

func (g *game) held() int { return cap(g.sockets) * int(unsafe.Sizeof(netip.AddrPort{})) }

// heartbeat is a host with a heartbeat server.
type heartbeat struct {
	at       netip.AddrPort   // its name in findings and values
	ports    []uint16         // of the heartbeat, over UDP
	reported []uint16         // of HTTP, reported already
	seen     bool             // a list was
	listed   []netip.AddrPort // by the latest list, sorted
	partial  bool             // there were more

	oldest, newest *member // the announcers of this server
	members        int
}

func (h *heartbeat) held() int {
	return 2*(cap(h.ports)+cap(h.reported)) + cap(h.listed)*int(unsafe.Sizeof(netip.AddrPort{}))
}

// lists reports whether the latest list shows a server.
func (h *heartbeat) lists(at netip.AddrPort) bool {
	_, found := slices.BinarySearchFunc(h.listed, at, netip.AddrPort.Compare)
	return found
}

// requests are answered one after the other. Where bytes are missing it is unknown which answer is to
// which of them.
var requests = &ask.Rules{Most: 16}

// request is one of an HTTP client.
type request struct {
	list bool // for the list, with its body
}

// connection is one of HTTP, with what was asked for on it.
type connection struct {
	number   int // of the conversation
	requests ask.List[request]
}

func (c *connection) held() int { return c.requests.Held() }

// connection gives the connection of a message, by its client and the client's lane. A new connection on the same ports
// replaces an old one with its unanswered requests.
func (t *tracker) connection(client route, lane uint32, p *wire.Place) *connection {
	c := t.connections.MakeAt(lane, client)
	if c.number != p.Conversation {
		*c = connection{number: p.Conversation}
	}
	return c
}

// unanswered ranks a request for ask.List.Answer: 0 if it has an answer already.
func unanswered(q *ask.Question[request]) int {
	if q.Answers > 0 {
		return 0
	}
	return 1
}

// answer says to which request the next answer on a connection is: which list it asked for if that is sure, and
// whether it is one at all as far as is known. A connection on which nothing is awaited is forgotten.
func (t *tracker) answer(p *wire.Place) (asked clock.Moment, list bool) {
	client, lane := route{p.Dst, p.Src}, wire.ReverseLane(p.Lane)
	if t.connections.GetAt(lane, client) == nil {
		return clock.Moment{}, true
	}
	open := &t.connection(client, lane, p).requests
	q, _ := open.Answer(requests, p.Time, unanswered)
	if !open.Complete(requests, p.Time) {
		return clock.Moment{}, false
	}
	if open.Find(requests, unanswered) == nil {
		t.connections.Delete(client)
	}
	if q == nil {
		return clock.Moment{}, true
	}
	return clock.At(q.Asked), q.Value.list
}

// noteHeartbeat notes the port of a heartbeat server and gives its host. The lane is that of its client.
func (t *tracker) noteHeartbeat(at netip.AddrPort, lane uint32) *heartbeat {
	h := t.heartbeats.MakeAt(lane, at.Addr())
	if !h.at.IsValid() {
		h.at = at
	}
	if !slices.Contains(h.ports, at.Port()) && len(h.ports) < maxPorts {
		h.ports = append(h.ports, at.Port())
	}
	return h
}

// noteGame notes the socket that a game server announces itself from. Whether it was listed before is
// known from a list, or if the capture is older than an announce lasts.
func (t *tracker) noteGame(a *announcer, h *heartbeat, port uint16, p *wire.Place) {
	socket := p.Src
	at := netip.AddrPortFrom(socket.Addr(), port)
	g := t.games.MakeAt(p.Lane, at)
	if len(g.sockets) > 0 && g.sockets[len(g.sockets)-1] == socket {
		return
	}
	if i := slices.Index(g.sockets, socket); i >= 0 {
		g.sockets = slices.Delete(g.sockets, i, i+1)
	} else if len(a.hearts) == 0 {
		a.unlisted = h.seen && !h.partial && !h.lists(at) || !t.isEarly(p.Time, goneBy)
	}
	if len(g.sockets) == maxSockets {
		g.sockets = slices.Delete(g.sockets, 0, 1)
	}
	g.sockets = append(g.sockets, socket)
}

// noteRequest takes what an HTTP client asks for.
func (t *tracker) noteRequest(core *wire.Base, m *HTTPRequest, p *wire.Place) {
	t.checkPort(core, p.Dst, p.Lane)
	list := string(m.Method) == "GET" && string(m.Target) == "/master.json"
	t.connection(route{p.Src, p.Dst}, p.Lane, p).requests.Ask(requests, p.Time, request{list}, nil)
}

// checkPort reports each port of HTTP that is not the heartbeat's, once.
func (t *tracker) checkPort(core *wire.Base, server netip.AddrPort, lane uint32) {
	h := t.heartbeats.GetAt(lane, server.Addr())
	if h == nil || len(h.ports) == 0 || slices.Contains(h.ports, server.Port()) || slices.Contains(h.reported,
		server.Port()) {
		return
	}
	if len(h.reported) == maxPorts {
		h.reported = h.reported[:0]
	}
	h.reported = append(h.reported, server.Port())
	core.Report(ruleHTTPPort, 0, 0, "HTTP on port %d, the heartbeat's is %d", server.Port(), h.ports[0])
}

// checkResponse handles an answer. A list without a request in the capture is recognised by its content.
func (t *tracker) checkResponse(core *wire.Base, m *HTTPResponse, p *wire.Place) {
	t.checkPort(core, p.Src, wire.ReverseLane(p.Lane))
	l := list{core: core, place: p, from: p.Time - min(unseen, clock.Elapsed(t.start.When(), p.Time)),
		off: core.Size() - len(m.Body)}
	asked, isList := t.answer(p)
	sure := asked.Known()
	if sure {
		l.from = asked.When()
	}
	if !isList || m.Status != 200 || core.Fault() != nil || core.Truncated() || len(m.Body) > maxList || !sure &&
		!isAboutList(core.Contents) {
		return
	}
	l.size = len(m.Body)
	var problem string
	if l.entries, problem = readList(m.Body); problem != "" {
		if sure {
			core.Report(ruleMasterJSON, l.off, l.size, "%s", problem)
		}
		return
	}
	t.checkList(&l)
}

// list is a master.json.
type list struct {
	core      *wire.Base
	place     *wire.Place // of the answer
	from      int64       // the time of the request; the server wrote the list between this and its answer
	off, size int         // of the body
	entries   []entry
	at        map[netip.AddrPort]struct{}
	order     []netip.AddrPort // of at
	partial   bool             // at has not all of them
	reported  map[*wire.Rule]int
}

func (l *list) report(r *wire.Rule, format string, args ...any) {
	if l.reported == nil {
		l.reported = make(map[*wire.Rule]int)
	}
	if l.reported[r]++; l.reported[r] <= maxReported {
		l.core.Report(r, l.off, l.size, format, args...)
	}
}

// checkList checks a list against what was announced.
func (t *tracker) checkList(l *list) {
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
			t.checkEntry(l, e, g)
		}
	}
	h := t.heartbeats.MakeAt(wire.ReverseLane(l.place.Lane), l.place.Src.Addr())
	if !h.at.IsValid() {
		h.at = l.place.Src
	}
	t.listEntries(l, h)
	if !l.partial {
		t.checkMembers(l, h)
	}
	t.measureChanges(l, h)
	slices.SortFunc(l.order, netip.AddrPort.Compare)
	h.seen, h.listed, h.partial = true, l.order, l.partial
}

// checkMembers checks whether a list shows the announcers of its heartbeat server.
func (t *tracker) checkMembers(l *list, h *heartbeat) {
	t.lists++
	for m := h.oldest; m != nil; m = m.newer {
		if a := t.announcers.Peek(m.socket); a != nil && a.list != t.lists {
			a.list = t.lists
			t.checkAbsence(l, m.socket, a)
		}
	}
}

// measureChanges measures since and until when servers are listed.
func (t *tracker) measureChanges(l *list, h *heartbeat) {
	state := func(at netip.AddrPort, text string) {
		if at.IsValid() {
			t.Measured(wire.Value{Place: *l.place, Table: "list", Server: h.at, Who: at.String(), What: "listed", State: true,
				Text: text})
		}
	}
	for _, at := range l.order {
		if !h.partial && !h.lists(at) {
			state(at, "yes")
		}
	}
	if l.partial {
		return
	}
	for _, at := range h.listed {
		if _, still := l.at[at]; !still {
			state(at, "no")
			t.listGone(h, at, l.place)
		}
	}
}

// checkEntry checks the entry of a game server. The server may announce itself from several sockets and have as many
// entries; this one may be of any socket.
func (t *tracker) checkEntry(l *list, e *entry, g *game) {
	joined, shook := true, false // all of them are known to have come unlisted; one was shaken hands with
	var confirmed clock.Moment
	differs := ""
	fits, again := false, false
	for _, socket := range g.sockets {
		a := t.announcers.Get(socket)
		if a == nil {
			return
		}
		joined = joined && a.unlisted && (a.accepted > mayUnanswer || a.accepted == 0 && a.announced > mayUnanswer)
		shook = shook || a.shakes
		confirmed = later(confirmed, a.lastAccepted())
		found := false
		for i := range a.hearts {
			h := &a.hearts[i]
			if h.addr.Addr() == l.place.Src.Addr() {
				found = true
				text, decided := h.compare(e, l.from)
				wrong := decided && text != "" && e.differs(&a.latest.facts) != "" // its HSHK may be lost
				differs, fits, again = text, fits || !wrong, h.contradict(wrong) || again
			}
		}
		fits = fits || !found
	}
	switch outlived := confirmed.Known() && clock.Elapsed(confirmed.When(), l.from) > goneBy; {
	case !outlived:
		g.outlived = clock.Moment{}
	case !g.outlived.Known():
		g.outlived = clock.At(l.place.Time)
	}
	switch {
	case joined && !shook:
		l.report(ruleNoHandshake, "%s is listed, no HSHK of it was seen", e.at)
	case g.outlived.Known() && clock.Elapsed(g.outlived.When(), l.from) > unheard:
		l.report(ruleListedTooLong, "%s is listed, its last announce is %.1f s old", e.at,
			seconds(clock.Elapsed(confirmed.When(), l.from)))
	case !fits && again:
		l.report(ruleStaleList, "%s: %s", e.at, differs)
	}
}

// later is the later one of two moments.
func later(a, b clock.Moment) clock.Moment {
	if !a.Known() || b.Known() && b.When() > a.When() {
		return b
	}
	return a
}

// lastAccepted is the last announce that was accepted or may have been.
func (a *announcer) lastAccepted() clock.Moment {
	last := a.confirmed
	for i := range a.announces.Len() {
		if q := a.announces.At(i); q.Value.facts.whole {
			last = later(last, clock.At(q.Asked))
		}
	}
	return last
}

// checkAbsence checks whether a list should show a server that it does not.
func (t *tracker) checkAbsence(l *list, socket netip.AddrPort, a *announcer) {
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
		if h.addr.Addr() != l.place.Src.Addr() || !c.known || clock.Elapsed(c.at, l.place.Time) >= stillListed {
			continue
		}
		at := netip.AddrPortFrom(socket.Addr(), c.facts.port)
		if _, listed := l.at[at]; listed || l.translated(socket.Addr(), c) {
			continue
		}
		early := clock.Elapsed(c.since, l.from) >= grace && h.contradict(true)
		if early {
			l.report(ruleUnlistedEarly, "%s is missing, its last announce with a handshake is %.1f s old", at,
				seconds(clock.Elapsed(c.at, l.place.Time)))
		}
		t.listMissing(h.addr, at, !early, l)
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
		if e := &l.entries[i]; e.at.Addr() != from && e.name == string(wire.Trim(c.facts.name[:])) &&
			e.port == int64(c.facts.port) {
			return true
		}
	}
	return false
}
