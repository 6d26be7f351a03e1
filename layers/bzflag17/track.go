package bzflag17

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/decode/wire/dedup"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const second = int64(time.Second)

// tracker is what is remembered of all games. Each connection is checked by what was said on it: in
// 1.07e one player has other ids on other connections.
type tracker struct {
	reporter   *wire.Reporter
	now        int64  // the newest time
	lastSerial uint32 // of the connection that came last

	connections *bounded.LRU[bzflag.Route, connection]
	games       *bounded.LRU[netip.AddrPort, game]   // by the address that says hello
	announcers  *bounded.LRU[netip.AddrPort, uint16] // by announced port: that of the server which did, on the same host
	ports       *bounded.LRU[netip.AddrPort, uint16] // by a port at a server: the one by which the game is known
	reconnects  *bounded.LRU[reconnect, hellos]      // that no client has followed yet
	refused     *bounded.LRU[hostPair, int64]        // when a client was refused last
	links       *bounded.LRU[udpLink, bzflag.Route]  // whose a client's UDP port is
	tasks       *bounded.Deadlines[task]
	queries     bzflag.OpenQueries
	seen        *dedup.Events
	scratch     []byte // for the bytes of an event
}

// What is kept of games and their connections. The rest says so in its own place.
var (
	keptAnnouncers = bounded.Kind{Name: "announced ports of BZFlag 1.07", Silent: "link to the server that announced them"}
	keptRefusals   = bounded.Kind{Name: "refusals by BZFlag 1.07 servers", Silent: ruleRefused.ID}
	keptLinks      = bounded.Kind{Name: "UDP links of BZFlag 1.07 clients", Silent: "finding or value of their datagrams"}
	keptEvents     = bounded.Kind{Name: "events of BZFlag 1.07 games", Silent: "count of those told twice"}
	keptTasks      = bounded.Kind{Name: "answers awaited in BZFlag 1.07 games", Silent: "finding that they did not come"}
)

func newTracker(r *wire.Reporter) wire.Tracker {
	return &tracker{
		reporter:    r,
		connections: newConnections(r.Memory),
		games:       newGames(r.Memory),
		announcers:  bounded.NewLRU(r.Memory, keptAnnouncers, bounded.Values[netip.AddrPort, uint16]{}),
		ports:       bounded.NewLRU(r.Memory, keptGamePorts, bounded.Values[netip.AddrPort, uint16]{}),
		reconnects:  newReconnects(r.Memory),
		refused:     bounded.NewLRU(r.Memory, keptRefusals, bounded.Values[hostPair, int64]{}),
		links:       bounded.NewLRU(r.Memory, keptLinks, bounded.Values[udpLink, bzflag.Route]{}),
		tasks:       bounded.NewDeadlines[task](r.Memory, keptTasks),
		queries:     bzflag.NewOpenQueries(r, "BZFlag 1.07"),
		seen:        dedup.New(r.Memory, keptEvents, bzflag.EventWindow),
	}
}

// event is a message and what it concerns.
type event struct {
	*tracker
	layer *Layer
	place *wire.Place
	route bzflag.Route // of the connection
	conn  *connection  // nil for a hello
}

func (t *tracker) Message(l wire.Layer, p *wire.Place) {
	t.now = max(t.now, p.Time)
	e := event{tracker: t, layer: l.(*Layer), place: p}
	if h, ok := e.layer.Body.(*ServerHello); ok {
		e.recordHello(h)
		return
	}
	if t.recordPing(e.layer, p) {
		return
	}
	r, ok := bzflag.RouteOf(e.layer.Direction, p.Src, p.Dst)
	if !ok {
		return
	}
	if e.conn = e.findConnection(r); e.conn == nil {
		return
	}
	if p.Transport == wire.TCP {
		e.conn.streamed[way(e.layer.Direction)] = p.Time
	}
	e.recognizeGame()
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

// findConnection gives the connection of the message at hand; nil for datagrams that belong to none.
func (e *event) findConnection(r bzflag.Route) *connection {
	if e.place.Transport == wire.UDP {
		return e.knownConnection(r)
	}
	e.route = r
	c := e.connections.MakeAt(e.place.Lane, r)
	if c.serial == 0 || c.conversation != e.place.Conversation {
		e.beginConnection(c)
	}
	return c
}

// knownConnection gives the connection of the message at hand; nil if none is known.
func (e *event) knownConnection(r bzflag.Route) *connection {
	e.route = r
	if e.place.Transport == wire.UDP {
		link := e.links.GetAt(e.place.Lane, udpLink{r.Client, r.Server.Addr()})
		if link == nil {
			return nil
		}
		e.route = *link
	}
	return e.connections.GetAt(e.place.Lane, e.route)
}

// beginConnection makes a view that of a connection of which nothing was seen before.
func (e *event) beginConnection(c *connection) {
	e.lastSerial++
	*c = connection{conversation: e.place.Conversation, serial: e.lastSerial, hello: e.route.Server.Port(), unannounced: true}
	if port := e.announcers.Get(e.route.Server); port != nil {
		c.hello, c.unannounced = *port, false
	}
	e.matchHello(c)
}

func (t *tracker) Lost(p *wire.Place) {
	if c := t.connections.Get(bzflag.Route{Client: p.Src, Server: p.Dst}); c != nil {
		c.forgetClient(t.now) // p is where the stream goes on: what waited there may be old
		return
	}
	t.refused.Delete(hostPair{p.Dst.Addr(), p.Src.Addr()}) // a hello may be among what is lost
	if c := t.connections.Get(bzflag.Route{Client: p.Dst, Server: p.Src}); c != nil {
		c.forgetServer(t.now)
	}
}

// Ended implements wire.Ender. Whichever side it is, the client plays no more.
func (t *tracker) Ended(p *wire.Place) {
	for _, r := range []bzflag.Route{{Client: p.Src, Server: p.Dst}, {Client: p.Dst, Server: p.Src}} {
		if c := t.connections.GetAt(p.Lane, r); c != nil && c.conversation == p.Conversation {
			e := event{tracker: t, place: p, route: r, conn: c}
			e.measureLeaving("leaves without a word")
			t.queries.End(e.queryRoute())
		}
	}
}

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

// Jump implements wire.Tracker: anything may have been said on any connection.
func (t *tracker) Jump(now int64) {
	t.now = now
	t.tasks.Clear()
	t.queries.Jump()
	t.seen.Forget()
	t.reconnects.Clear()
	t.refused.Clear()
	t.connections.Each(func(_ bzflag.Route, c *connection) {
		c.forgetClient(now)
		c.forgetServer(now)
		c.pending = pending{}
	})
	t.games.Each(func(_ netip.AddrPort, g *game) { g.style = nil })
}

func (t *tracker) Next() int64 { return t.tasks.Next() }

// Close implements wire.Tracker. What was not yet late by then is not known to be wrong; all that was
// captured has been seen, though.
func (t *tracker) Close(now int64) {
	t.Time(now)
	t.queries.Close(now)
	t.closeStays(now)
	t.connections.Each(func(_ bzflag.Route, c *connection) {
		for i := range c.findings {
			d := &c.findings[i]
			late := d.otherSide || d.rule == ruleActing && clock.Elapsed(d.place.Time, t.now) >= sameInstant
			if late && c.proven(d) {
				t.reporter.Report(&d.place, d.rule, "%s", d.text)
			}
		}
		c.findings = nil
	})
}

// A task is what falls due at a deadline: pending findings of a connection, or an unused hello.
type task struct {
	route  bzflag.Route // with serial 0 only the client's address counts
	serial uint32       // of the connection; 0: it is a hello
}

// reportDue reports what falls due at a deadline.
func (t *tracker) reportDue(k task, deadline int64) {
	if k.serial == 0 {
		t.reportUnused(reconnect{k.route.Client.Addr(), k.route.Server}, deadline)
	} else if c := t.connections.Get(k.route); c != nil && c.serial == k.serial {
		c.pending.done()
		t.reportPending(c, deadline)
	}
}

// maxPending is how much may be pending of one connection, or of one client and the port where it is expected.
const maxPending = 256

// pending counts tasks that are not done: a client may not have more than maxPending.
type pending struct {
	until int64 // when the last of them falls due
	count int
}

// add takes note of a task, and reports whether there may be one more. If the last one should have been done
// already, some were forgotten.
func (p *pending) add(now, deadline int64) bool {
	if p.until < now {
		p.count = 0
	}
	if p.count >= maxPending {
		return false
	}
	p.count++
	p.until = max(p.until, deadline)
	return true
}

func (p *pending) done() { p.count = max(p.count-1, 0) }
