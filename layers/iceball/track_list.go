package iceball

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

const (
	// unseen is the maximum time between a request that the capture lacks and the answer to it.
	unseen = int64(5 * time.Second)

	// unheard is a time span in which every server announces itself at least once.
	unheard = burstPeriod + burstEnd
)

// lists checks lists against the announces.
type lists struct {
	*wire.Reporter
	time       *captureTime
	announcers *bounded.LRU[netip.AddrPort, announcer]
	games      *games
	masters    *masters
	requests   *plainhttp.Requests
	listed     *listedServers
	checked    int // number of lists so far
}

// What an HTTP client requests.
const (
	aboutOther uint8 = iota
	aboutList        // the list; the client reads the body
	aboutListByGame
	aboutNothing // a path that browsers request automatically
)

// aboutOf returns what a request is for.
func aboutOf(m *HTTPRequest) uint8 {
	switch target := string(m.Target); {
	case string(m.Method) == "GET" && target == "/master.json":
		if bytes.HasPrefix(plainhttp.Find(m.Headers, "User-Agent"), []byte("IceballQuery")) {
			return aboutListByGame
		}
		return aboutList
	case target == "/favicon.ico", target == "/robots.txt", strings.HasPrefix(target, "/apple-touch-icon"):
		return aboutNothing
	}
	return aboutOther
}

// request handles a request from an HTTP client.
func (s *lists) request(core *wire.Base, m *HTTPRequest, p *wire.Place) {
	s.masters.checkPort(core, p.Dst, p.Lane)
	a := s.requests.Ask(m, p, aboutOf(m), netip.AddrPort{})
	if a.About != aboutNothing {
		plainhttp.Begin(s.listed.account.Begin(fetch, p, p.Src, p.Dst), p)
	}
}

// checkResponse handles an answer. If the capture lacks the request, checkResponse recognises a list by its content.
func (s *lists) checkResponse(core *wire.Base, m *HTTPResponse, p *wire.Place) {
	s.masters.checkPort(core, p.Src, wire.ReverseLane(p.Lane))
	asked, when, mayBeAny := s.requests.Answer(p)
	sure := when.Known()
	problem := ""
	if asked.About == aboutListByGame {
		checkGameCanRead(core, m)
	}
	if sure && (asked.About == aboutList || asked.About == aboutListByGame) || mayBeAny && isAboutList(core.Contents) {
		problem = s.readResponse(core, m, p, when)
	}
	if sure {
		plainhttp.Decide(s.listed.account.Of(fetch, p.Dst, p.Src), p, &asked, core, m, problem)
	}
}

// readResponse reads a list and returns what is wrong with it. It returns "" if the capture does not contain the whole
// list.
func (s *lists) readResponse(core *wire.Base, m *HTTPResponse, p *wire.Place, asked clock.Moment) (problem string) {
	if m.Status != 200 || core.Fault() != nil || core.Truncated() {
		return ""
	}
	c := m.Content(maxList)
	if c.Cut != "" || c.Odd != "" {
		return ""
	}
	l := list{core: core, place: p, from: p.Time - min(unseen, clock.Elapsed(s.time.start.When(), p.Time)),
		off: core.Size() - len(m.Body), size: len(m.Body)}
	if asked.Known() {
		l.from = asked.When()
	}
	if problem = l.read(c.Data); problem != "" {
		if asked.Known() {
			core.Report(ruleMasterJSON, l.off, l.size, "%s", problem)
		}
		return problem
	}
	s.check(&l)
	return ""
}

func (s *lists) check(l *list) {
	l.at = make(map[netip.AddrPort]struct{}, min(len(l.entries), maxListed))
	for i := range l.entries {
		e := &l.entries[i]
		if _, there := l.at[e.at]; !there && len(l.at) < maxListed {
			l.at[e.at] = struct{}{}
			l.order = append(l.order, e.at)
		} else {
			l.partial = l.partial || !there
		}
		if g := s.games.byAddress.Get(e.at); g != nil {
			s.checkEntry(l, e, g)
		}
	}
	m := s.masters.at(l.place.Src, wire.ReverseLane(l.place.Lane))
	l.checkAddresses()
	l.checkVersion()
	s.listed.addEntries(l, m)
	if !l.partial {
		s.checkMembers(l, m)
	}
	s.measureChanges(l, m)
	if !l.partial {
		s.listed.removeMissing(l, m)
	}
	slices.SortFunc(l.order, netip.AddrPort.Compare)
	m.seen, m.listed, m.partial = true, l.order, l.partial
}

// checkMembers looks for servers that a list should contain, among the announcers of the list's heartbeat server.
func (s *lists) checkMembers(l *list, of *master) {
	s.checked++
	for m := of.oldest; m != nil; m = m.newer {
		if a := s.announcers.Peek(m.socket); a != nil && a.lastList != s.checked {
			a.lastList = s.checked
			s.checkAbsence(l, m.socket, a)
		}
	}
}

// measureChanges measures when servers enter and leave the list.
func (s *lists) measureChanges(l *list, m *master) {
	state := func(at netip.AddrPort, text string) {
		if at.IsValid() {
			s.Measured(wire.Value{Place: *l.place, Table: "list", Server: m.at, Who: at.String(), What: "listed", State: true,
				Text: text})
		}
	}
	for _, at := range l.order {
		if !m.partial && !m.lists(at) {
			state(at, "yes")
		}
	}
	if l.partial {
		return
	}
	for _, at := range m.listed {
		if _, still := l.at[at]; !still {
			state(at, "no")
		}
	}
}

// checkEntry checks the entry of a game server. If several sockets announce the server, the list may have an entry for
// each, and this entry may belong to any of them.
func (s *lists) checkEntry(l *list, e *entry, g *game) {
	joined, handshake := true, false // joined: all sockets were unlisted at first; handshake: one sent HSHK
	var confirmed clock.Moment
	differs := ""
	fits, again := false, false
	for _, socket := range g.sockets {
		a := s.announcers.Get(socket)
		if a == nil {
			return
		}
		joined = joined && a.unlisted && (a.accepted > mayUnanswer || a.accepted == 0 && a.announced > mayUnanswer)
		handshake = handshake || a.sentHandshake
		confirmed = later(confirmed, a.lastConfirmed())
		found := false
		for i := range a.registrations {
			r := &a.registrations[i]
			if r.master.Addr() == l.place.Src.Addr() {
				found = true
				text, decided := r.compare(e, l.from)
				// An entry like the latest announce is right, because its HSHK may be lost.
				wrong := decided && text != "" && e.differs(&a.latest.facts) != ""
				differs, fits, again = text, fits || !wrong, r.contradict(wrong) || again
			}
		}
		fits = fits || !found
	}
	// After a silence of all servers, a gap in the capture is more likely than an outdated entry.
	heard := confirmed.Known() && !(s.time.quiet.Known() && s.time.quiet.When() > confirmed.When())
	switch outlived := heard && clock.Elapsed(confirmed.When(), l.from) > goneBy; {
	case !outlived:
		g.outlived = clock.Moment{}
	case !g.outlived.Known():
		g.outlived = clock.At(l.place.Time)
	}
	switch {
	case joined && !handshake:
		l.report(ruleNoHandshake, "%s is listed, no HSHK of it was seen", e.at)
	case g.outlived.Known() && clock.Elapsed(g.outlived.When(), l.from) > unheard:
		l.report(ruleListedTooLong, "%s is listed, its last announce is %.1f s old", e.at,
			seconds(clock.Elapsed(confirmed.When(), l.from)))
	case !fits && again:
		l.report(ruleStaleList, "%s: %s", e.at, differs)
	}
}

// checkAbsence checks whether a list lacks a server that it should contain.
func (s *lists) checkAbsence(l *list, socket netip.AddrPort, a *announcer) {
	if !a.hasHandshake() {
		at := netip.AddrPortFrom(socket.Addr(), a.latest.facts.port)
		if _, listed := l.at[at]; !listed && a.latest.facts.whole {
			a.unlisted = true
		}
		return
	}
	for i := range a.registrations {
		r := &a.registrations[i]
		c := &r.current
		if r.master.Addr() != l.place.Src.Addr() || !c.known || clock.Elapsed(c.at, l.place.Time) >= stillListed {
			continue
		}
		at := netip.AddrPortFrom(socket.Addr(), c.facts.port)
		if _, listed := l.at[at]; listed || l.translated(socket.Addr(), &c.facts) {
			continue
		}
		early := clock.Elapsed(c.since, l.from) >= grace && r.contradict(true)
		if early {
			l.report(ruleUnlistedEarly, "%s is missing, its last announce with a handshake is %.1f s old", at,
				seconds(clock.Elapsed(c.at, l.place.Time)))
		}
		s.listed.missing(r.master, at, c.since, !early, l)
	}
}
