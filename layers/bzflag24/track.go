package bzflag24

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/decode/wire/dedup"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// What is allowed for, in nanoseconds.
const (
	lagUDP   = int64(500 * time.Millisecond) // by which UDP and TCP may be apart
	lagLife  = int64(time.Second)            // until a client knows of its own death
	disorder = int64(50 * time.Millisecond)  // by which a capture may show a request before what led to it
	overdue  = int64(5 * time.Second)        // until what waits for a missing segment is given up
)

// tracker implements wire.Tracker. What players may do depends on what the server told them, so
// each connection has its own view of the game: copies of what the server tells everybody are no
// repetition, and no connection has to be complete for another one to be checked.
type tracker struct {
	reporter    *wire.Reporter
	connections *bounded.LRU[bzflag.Route, *connection]
	games       *bounded.LRU[netip.AddrPort, game]       // each is used when one of its connections is
	links       *bounded.LRU[bzflag.Route, bzflag.Route] // UDP ports that are not those of the connection
	pending     *bzflag.PendingFindings
	now         int64  // the time that it was told last
	lastSerial  uint32 // of the connection that came last
	queries     bzflag.OpenQueries
	told        *dedup.Events
	scratch     []byte // for the bytes of an event
	event       event  // here, not on the stack, because the reports take its parts' addresses
}

// What users are told of what is kept.
var (
	connectionKind = bounded.Kind{
		Name: "connections of BZFlag 2.4 clients", Silent: "finding that needs what was said before",
	}
	gameKind = bounded.Kind{
		Name: "BZFlag 2.4 servers", Silent: "bzflag24.shot-limit, bzflag24.flag-number or bzflag24.teleport-face",
	}
	linkKind    = bounded.Kind{Name: "UDP links of BZFlag 2.4 clients", Silent: "bzflag24.foreign-player"}
	eventKind   = bounded.Kind{Name: "events of BZFlag 2.4 games", Silent: "count of those told twice"}
	pendingKind = bounded.Kind{
		Name: "findings about BZFlag 2.4 that what comes soon may settle",
		Silent: "bzflag24.acting-while-dead, bzflag24.acting-while-paused, bzflag24.acting-before-spawn, " +
			"bzflag24.before-enter, bzflag24.world-offset or bzflag24.reject-without-superkill",
	}
)

// newTracker makes a tracker. Of several that were idle equally long the budget forgets one of who joined it first:
// a connection before its game.
func newTracker(r *wire.Reporter) *tracker {
	t := &tracker{reporter: r}
	t.connections = bounded.NewLRU(r.Memory, connectionKind, bounded.Values[bzflag.Route, *connection]{
		Held:    func(c **connection) int { return (*c).held() },
		Dropped: func(r bzflag.Route, c **connection) { (*c).leave(t.games.Peek(r.Server)) },
	})
	t.games = bounded.NewLRU(r.Memory, gameKind, bounded.Values[netip.AddrPort, game]{Held: (*game).held})
	t.links = bounded.NewLRU(r.Memory, linkKind, bounded.Values[bzflag.Route, bzflag.Route]{})
	t.pending = bzflag.NewPendingFindings(r, pendingKind, maxPending)
	t.queries = bzflag.NewOpenQueries(r, "BZFlag 2.4")
	t.told = dedup.New(r.Memory, eventKind, bzflag.EventWindow)
	return t
}

// event is a message and those it concerns.
type event struct {
	*tracker
	layer      *Layer
	place      *wire.Place
	game       *game
	connection *connection // nil in pings
}

func (t *tracker) Message(layer wire.Layer, p *wire.Place) {
	l := layer.(*Layer)
	r, ok := bzflag.RouteOf(l.Direction, p.Src, p.Dst)
	if !ok || l.older {
		return
	}
	e := &t.event
	switch b := l.Body.(type) {
	case *PingRequest:
		if l.Fault() == nil && l.Direction == wire.ToServer {
			t.queries.Ask(p, r, bzflag.AboutPing)
		}
	case *PingReply:
		if l.Fault() == nil && l.Direction == wire.FromServer && string(b.Version) == Version {
			*e = event{tracker: t, layer: l, place: p, game: t.gameOf(p.Lane, p.Src)}
			e.recordSettings(b.GameType, b.Options, b.MaxShots)
			e.recordAnswer(r)
		}
	default:
		*e = event{tracker: t, layer: l, place: p, game: t.gameOf(p.Lane, r.Server)}
		e.connection = e.findConnection(r)
		e.connection.seen, e.game.seen = p.Time, p.Time
		if l.Direction == wire.ToServer {
			e.fromClient()
		} else {
			if p.Transport == wire.TCP {
				e.connection.streamed = p.Time
			}
			e.fromServer()
		}
	}
}

// unreadable reports whether a message cannot be checked by what stands in it.
func (e *event) unreadable() bool { return e.layer.Fault() != nil || e.layer.Truncated() }

func (e *event) tcp() bool { return e.place.Transport == wire.TCP }

// since is the time from an earlier moment to the message at hand, in nanoseconds.
func (e *event) since(moment int64) int64 { return clock.Elapsed(moment, e.place.Time) }

func (t *tracker) Lost(p *wire.Place) {
	if c := t.connectionOf(p.Lane, bzflag.Route{Client: p.Src, Server: p.Dst}); c != nil {
		c.lostRequests(t.now) // p is where the stream goes on: what waited there may be old
	}
	if c := t.connectionOf(p.Lane, bzflag.Route{Client: p.Dst, Server: p.Src}); c != nil {
		c.lostAnswers(t.now)
	}
}

// Ended implements wire.Ender. Whichever side it is, the client plays no more.
func (t *tracker) Ended(p *wire.Place) {
	for _, r := range []bzflag.Route{{Client: p.Src, Server: p.Dst}, {Client: p.Dst, Server: p.Src}} {
		t.queries.End(r)
		c := t.connectionAt(p.Lane, r)
		if c == nil || c.conversation != p.Conversation {
			continue
		}
		if r.Server == p.Src && !p.Lossy {
			c.streamed = p.Time
		}
		if g := t.games.Peek(r.Server); g != nil {
			g.reference.Leave(c.serial)
			g.close(c)
			t.event = event{tracker: t, place: p, game: g, connection: c}
			t.event.measureLeaving()
		}
	}
}

func (t *tracker) Time(now int64) {
	t.now = now
	t.pending.Advance(now)
}

// Jump implements wire.Tracker: anything may have been said on any connection.
func (t *tracker) Jump(now int64) {
	t.now = now
	t.pending.Jump(now)
	t.queries.Jump()
	t.told.Forget()
	t.connections.Each(func(_ bzflag.Route, c **connection) { (*c).jump(now) })
	t.games.Each(func(_ netip.AddrPort, g *game) { g.known, g.numFlags, g.faces = false, 0, -1 })
}

func (t *tracker) Next() int64 { return t.pending.Next() }

func (t *tracker) Close(now int64) {
	t.queries.Close(now)
	t.closeStays(now)
	t.pending.Close(now)
}
