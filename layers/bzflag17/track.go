package bzflag17

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const second = int64(time.Second)

// How much a tracker remembers. A tank has some 100 bytes, a shot or a name 200, a connection 700 with its
// doubts aside, and 5000 if its game has all the flags there can be. With everything full that is 14 MB;
// strangers who come and go leave 6.
const (
	maxTanks = 32768 // of all connections together
	maxTasks = 8192  // what falls due
)

// tracker is what is remembered of all games. Each connection is checked by what was said on it: in
// 1.07e one player has other ids on other connections.
type tracker struct {
	reporter   *wire.Reporter
	now        int64  // the newest time
	lastSerial uint32 // of the connection that came last

	views      *bounded.LRU[bzflag.Route, view]
	games      *bounded.LRU[netip.AddrPort, game]           // by the address that says hello
	announcers *bounded.LRU[netip.AddrPort, netip.AddrPort] // who announced a port
	reconnects *bounded.LRU[reconnect, []announcement]      // hellos that nobody followed yet, oldest first
	refused    *bounded.LRU[hostPair, int64]                // when a client was refused last
	links      *bounded.LRU[udpLink, bzflag.Route]          // whose a client's UDP port is
	identities *bounded.LRU[playerKey, identity]
	shots      *bounded.LRU[shotKey, shot]
	tasks      *bounded.Deadlines[task]
	tankCount  int // in all views

	shotsUnseenUntil int64 // shots may be missing that there was no room for

	recentEnds [32]ending // of shots, as clients told them last
	endCount   int
}

// game is what connections to one server share.
type game struct {
	style       *Style // nil: the world is not known
	faces       int    // two for each teleporter
	links       []Link
	worldSize   int          // of the database
	witness     uint32       // serial number of the connection by which events are counted; 0: none
	witnessTime int64        // when it told anything last
	playerCount int          // as told last
	queried     clock.Moment // when MsgQueryPlayers was answered last
}

// playerKey names a player of a server.
type playerKey struct {
	game   netip.AddrPort
	player PlayerID
}

// identity is who a player is, and which connection is its own; 0: that was not seen.
type identity struct {
	callSign string
	serial   uint32
}

func newTracker(r *wire.Reporter) wire.Tracker {
	t := &tracker{reporter: r}
	t.views = bounded.NewLRU(r.Memory, bounded.Kind{Name: "games as clients see them"}, bounded.Values[bzflag.Route, view]{
		Dropped: func(_ bzflag.Route, v *view) { t.tankCount -= len(v.tanks) }})
	t.games = bounded.NewLRU(r.Memory, bounded.Kind{Name: "games"}, bounded.Values[netip.AddrPort, game]{})
	t.announcers = bounded.NewLRU(r.Memory, bounded.Kind{Name: "announced ports"}, bounded.Values[netip.AddrPort, netip.AddrPort]{})
	t.reconnects = bounded.NewLRU(r.Memory, bounded.Kind{Name: "hellos"}, bounded.Values[reconnect, []announcement]{})
	t.refused = bounded.NewLRU(r.Memory, bounded.Kind{Name: "refusals"}, bounded.Values[hostPair, int64]{})
	t.links = bounded.NewLRU(r.Memory, bounded.Kind{Name: "UDP links"}, bounded.Values[udpLink, bzflag.Route]{})
	t.identities = bounded.NewLRU(r.Memory, bounded.Kind{Name: "players"}, bounded.Values[playerKey, identity]{})
	t.shots = bounded.NewLRU(r.Memory, bounded.Kind{Name: "shots"}, bounded.Values[shotKey, shot]{
		Dropped: func(_ shotKey, s *shot) {
			if clock.Elapsed(s.when, t.now) < shotMemory {
				t.shotsUnseenUntil = clock.Add(t.now, shotMemory)
			}
		}})
	t.tasks = bounded.NewDeadlines[task](r.Memory, bounded.Kind{Name: "doubts"})
	return t
}

// event is a message and what it concerns.
type event struct {
	*tracker
	layer *Layer
	place *wire.Place
	view  *view // nil for a hello
}

// Message implements wire.Tracker.
func (t *tracker) Message(l wire.Layer, p *wire.Place) {
	t.now = max(t.now, p.Time)
	e := event{tracker: t, layer: l.(*Layer), place: p}
	if h, ok := e.layer.Body.(*ServerHello); ok {
		e.recordHello(h)
		return
	}
	r, ok := bzflag.RouteOf(e.layer.Direction, p.Src, p.Dst)
	if !ok {
		return
	}
	if e.view = e.findView(r); e.view == nil {
		return
	}
	if e.layer.Direction == wire.ToServer {
		e.checkClientMessage()
	} else {
		e.checkServerMessage()
	}
}

// unreadable reports whether a message cannot be checked by what stands in it.
func (e *event) unreadable() bool { return e.layer.Fault() != nil || e.layer.Truncated() }

// since is the time from an earlier moment to the message at hand, in nanoseconds.
func (e *event) since(moment int64) int64 { return clock.Elapsed(moment, e.place.Time) }

// report tells of a finding about the message at hand.
func (e *event) report(rule *wire.Rule, off, size int, format string, args ...any) {
	n := e.layer.Size()
	off = min(off, n)
	e.layer.Report(rule, off, min(size, n-off), format, args...)
}

// findView gives the connection of the message at hand; nil for datagrams that belong to none.
func (e *event) findView(r bzflag.Route) *view {
	if e.place.Transport == wire.UDP {
		own := e.links.Get(udpLink{r.Client, r.Server.Addr()})
		if own == nil {
			return nil
		}
		return e.views.Get(*own)
	}
	v := e.views.Make(r)
	if v.serial == 0 || v.conversation != e.place.Conversation {
		e.beginView(v, r)
	}
	return v
}

// beginView makes a view that of a connection of which nothing was seen before.
func (e *event) beginView(v *view, r bzflag.Route) {
	e.tankCount -= len(v.tanks)
	e.lastSerial++
	*v = view{route: r, serial: e.lastSerial, conversation: e.place.Conversation, server: r.Server}
	if server := e.announcers.Get(r.Server); server != nil {
		v.server = *server
	}
	e.matchHello(v)
}

// Lost implements wire.Tracker.
func (t *tracker) Lost(p *wire.Place) {
	if v := t.views.Get(bzflag.Route{Client: p.Src, Server: p.Dst}); v != nil {
		v.forgetClient(p.Time)
		return
	}
	t.refused.Delete(hostPair{p.Dst.Addr(), p.Src.Addr()}) // a hello may be among what is lost
	if v := t.views.Get(bzflag.Route{Client: p.Dst, Server: p.Src}); v != nil {
		v.forgetServer(p.Time)
	}
}

// Time implements wire.Tracker.
func (t *tracker) Time(now int64) {
	t.now = max(t.now, now)
	for {
		k, deadline, ok := t.tasks.Due(t.now)
		if !ok {
			return
		}
		t.reportDue(k, deadline)
	}
}

// Next implements wire.Tracker.
func (t *tracker) Next() int64 { return t.tasks.Next() }

// Close implements wire.Tracker. What was not yet late by then is not known to be wrong; all that was
// captured has been seen, though.
func (t *tracker) Close(now int64) {
	t.Time(now)
	t.views.Each(func(_ bzflag.Route, v *view) {
		for i := range v.doubts {
			d := &v.doubts[i]
			if d.otherSide || d.rule == ruleActing && clock.Elapsed(d.place.Time, t.now) >= sameInstant {
				t.reporter.Report(&d.place, d.rule, "%s", d.text)
			}
		}
		v.doubts = nil
	})
}

// A task looks after what falls due: the doubts of a connection, or a hello.
type task struct {
	route     bzflag.Route
	serial    uint32
	reconnect reconnect // with serial 0
}

// reportDue reports what falls due at a deadline.
func (t *tracker) reportDue(k task, deadline int64) {
	if k.serial == 0 {
		t.reportUnused(k.reconnect, deadline)
	} else if v := t.views.Get(k.route); v != nil && v.serial == k.serial {
		t.reportDoubts(v, deadline)
	}
}
