package bzflag17

import (
	"math"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// How much a tracker remembers. A tank has some 100 bytes, a shot or a name 200, a connection 700 with its
// suspicions aside, and 5000 if its game has all the flags there can be. With everything full that is
// 14 MB; strangers who come and go leave 6.
const (
	maxGames   = 32 // servers; the links of a world take 44 KB at most
	maxViews   = 1024
	maxTanks   = 32768 // of all connections together
	maxShots   = 8192  // in the air, of all connections together
	maxPlayers = 2048  // names of players, and whose they are
	maxCalls   = 1024  // ports that were announced, and to whom
	maxTasks   = 8192  // what falls due
)

// tracker is what is remembered of all games. Each connection is judged by what was said on it: in
// 1.07e one player has other ids on other connections.
type tracker struct {
	out  *wire.Reporter
	now  int64  // the newest time
	last uint32 // serial number of the connection that came last

	views   *bounded.LRU[bzflag.Route, view]
	games   *bounded.LRU[netip.AddrPort, game]           // by the address that says hello
	ports   *bounded.LRU[netip.AddrPort, netip.AddrPort] // who announced a port
	calls   *bounded.LRU[call, waiting]                  // hellos that nobody followed yet
	refused *bounded.LRU[hosts, int64]                   // when a client was refused last
	links   *bounded.LRU[udpLink, bzflag.Route]          // whose a client's UDP port is
	names   *bounded.LRU[playerKey, name]
	shots   *bounded.LRU[shotKey, shot]
	tasks   bounded.Deadlines[task]
	tanks   int   // in all views
	blind   int64 // until when shots may be missing that there was no room for

	ends  [32]ending // of shots, as clients told them last
	ended int

	// The message at hand.
	m *Layer
	p *wire.Place
	v *view
}

// game is what connections to one server share.
type game struct {
	style   *Style // nil: the world is not known
	faces   int    // two for each teleporter
	ways    []Link
	size    int    // of the world database
	counter uint32 // the connection by which events are counted
	heard   int64  // when it told anything last
	players int    // as told last
	queried int64  // when MsgQueryPlayers was answered last
}

// playerKey names a player of a server.
type playerKey struct {
	game   netip.AddrPort
	player PlayerID
}

// name is who a player is, and which connection is its own; 0: that was not seen.
type name struct {
	sign string
	view uint32
}

func newTracker(out *wire.Reporter) wire.Tracker {
	t := &tracker{out: out}
	t.views = bounded.NewLRU(maxViews, func(_ bzflag.Route, v *view) { t.tanks -= len(v.tanks) })
	t.games = bounded.NewLRU[netip.AddrPort, game](maxGames, nil)
	t.ports = bounded.NewLRU[netip.AddrPort, netip.AddrPort](maxCalls, nil)
	t.calls = bounded.NewLRU[call, waiting](maxCalls, nil)
	t.refused = bounded.NewLRU[hosts, int64](maxCalls, nil)
	t.links = bounded.NewLRU[udpLink, bzflag.Route](maxCalls, nil)
	t.names = bounded.NewLRU[playerKey, name](maxPlayers, nil)
	t.shots = bounded.NewLRU(maxShots, func(_ shotKey, s *shot) {
		if before(s.when, t.now, shotMemory) {
			t.blind = later(t.now, shotMemory)
		}
	})
	return t
}

// Message implements wire.Tracker.
func (t *tracker) Message(l wire.Layer, p *wire.Place) {
	m, ok := l.(*Layer)
	if !ok {
		return
	}
	t.m, t.p = m, p
	t.now = max(t.now, p.Time)
	if h, ok := m.Body.(*ServerHello); ok {
		t.hello(h)
		return
	}
	switch m.Direction {
	case wire.ToServer:
		if t.v = t.find(p.Src, p.Dst); t.v != nil {
			t.fromClient()
		}
	case wire.FromServer:
		if t.v = t.find(p.Dst, p.Src); t.v != nil {
			t.fromServer()
		}
	}
	t.m, t.p, t.v = nil, nil, nil
}

// report is about the message at hand.
func (t *tracker) report(rule *wire.Rule, off, size int, format string, args ...any) {
	n := t.m.Size()
	off = min(off, n)
	t.m.Report(rule, off, min(size, n-off), format, args...)
}

// find gives the connection of the message at hand; nil for datagrams that belong to none.
func (t *tracker) find(client, server netip.AddrPort) *view {
	route := bzflag.Route{Client: client, Server: server}
	if t.p.Transport == wire.UDP {
		own := t.links.Get(udpLink{client, server.Addr()})
		if own == nil {
			return nil
		}
		return t.views.Get(*own)
	}
	v := t.views.Make(route)
	if v.serial == 0 || v.stream != t.p.Conversation {
		t.begin(v, route)
	}
	return v
}

// begin makes a view of a connection of which nothing was seen before.
func (t *tracker) begin(v *view, route bzflag.Route) {
	t.tanks -= len(v.tanks)
	t.last++
	*v = view{route: route, serial: t.last, stream: t.p.Conversation, game: route.Server}
	if server := t.ports.Get(route.Server); server != nil {
		v.game = *server
	}
	t.follow(v)
}

// Lost implements wire.Tracker.
func (t *tracker) Lost(p *wire.Place) {
	if v := t.views.Get(bzflag.Route{Client: p.Src, Server: p.Dst}); v != nil {
		v.lostFromClient(p.Time)
		return
	}
	t.refused.Delete(hosts{p.Dst.Addr(), p.Src.Addr()}) // a hello may be among what is lost
	if v := t.views.Get(bzflag.Route{Client: p.Dst, Server: p.Src}); v != nil {
		v.lostFromServer(p.Time)
	}
}

// Time implements wire.Tracker.
func (t *tracker) Time(now int64) {
	t.now = max(t.now, now)
	for {
		k, when, ok := t.tasks.Due(t.now)
		if !ok {
			return
		}
		t.due(k, when)
	}
}

// Next implements wire.Tracker.
func (t *tracker) Next() int64 { return t.tasks.Next() }

// Close implements wire.Tracker. What was not yet late by then is not known to be wrong; all that was
// captured has been seen, though.
func (t *tracker) Close(now int64) {
	t.Time(now)
	t.views.Each(func(_ bzflag.Route, v *view) {
		for i := range v.suspicions {
			s := &v.suspicions[i]
			if s.crossing || s.rule == ruleActing && !before(s.place.Time, t.now, sameInstant) {
				t.out.Report(&s.place, s.rule, "%s", s.text)
			}
		}
		v.suspicions = nil
	})
}

// A task looks after what falls due: a suspicion of a connection, or a hello.
type task struct {
	route  bzflag.Route
	serial uint32
	call   call // with serial 0
}

func (t *tracker) due(k task, when int64) {
	if k.serial == 0 {
		t.unused(k.call, when)
		return
	}
	v := t.views.Get(k.route)
	if v == nil || v.serial != k.serial {
		return
	}
	rest := v.suspicions[:0]
	for i := range v.suspicions {
		s := &v.suspicions[i]
		if s.due <= when {
			t.out.Report(&s.place, s.rule, "%s", s.text)
			continue
		}
		rest = append(rest, *s)
	}
	v.suspicions = rest
}

// suspect notes a finding about the message at hand that holds if nothing comes in time that
// explains it.
func (t *tracker) suspect(rule *wire.Rule, who PlayerID, wait int64, text string) {
	t.note(suspicion{rule: rule, who: who, due: later(t.p.Time, wait), place: *t.p, text: text})
}

// note keeps a suspicion until it is due.
func (t *tracker) note(s suspicion) {
	v := t.v
	if len(v.suspicions) >= maxSuspicions || t.tasks.Len() >= maxTasks {
		return
	}
	v.suspicions = append(v.suspicions, s)
	t.tasks.Add(s.due, task{route: v.route, serial: v.serial})
}

// arrival is how long what the other side said may be missing only because it was captured later, or
// because its stream waits for bytes.
const arrival = 2 * second

// doubt is for findings about what one side said that rest on what the other did not say. Those about
// a client wait for what the server's stream may still bring.
func (t *tracker) doubt(rule *wire.Rule, who PlayerID, off, size int, text string) {
	if t.m.Direction == s2c {
		t.report(rule, off, size, "%s", text)
		return
	}
	t.note(suspicion{rule: rule, who: who, due: later(t.p.Time, arrival), place: *t.p, text: text, crossing: true})
}

// overtaken drops the findings that wait for the server when its stream turns out to be behind.
func (v *view) overtaken(now int64) {
	rest := v.suspicions[:0]
	for i := range v.suspicions {
		if s := &v.suspicions[i]; !s.crossing || s.place.Time <= now {
			rest = append(rest, *s)
		}
	}
	v.suspicions = rest
}

// explain drops the suspicions of a rule about a player, those that are not due before now.
func (v *view) explain(rule *wire.Rule, who PlayerID, now int64) {
	rest := v.suspicions[:0]
	for i := range v.suspicions {
		if s := &v.suspicions[i]; s.rule != rule || s.who != who || s.due < now {
			rest = append(rest, *s)
		}
	}
	v.suspicions = rest
}

// Times are whatever a capture says: sums and differences must not go round.

// later is a time after another.
func later(when, wait int64) int64 {
	if when > math.MaxInt64-wait {
		return math.MaxInt64
	}
	return when + wait
}

// passed is how much later now is than when, 0 if it is not.
func passed(when, now int64) int64 {
	if now <= when {
		return 0
	}
	if n := now - when; n >= 0 {
		return n
	}
	return math.MaxInt64
}

// before reports whether less than a time has passed.
func before(when, now, limit int64) bool { return passed(when, now) < limit }
