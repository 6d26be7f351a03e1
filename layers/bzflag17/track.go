package bzflag17

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/dedup"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// tracker holds the state of all games. It checks the messages of each connection separately, because in 1.07e a player
// has different ids on different connections.
type tracker struct {
	now         int64 // latest capture time
	connections *connectionTable
	games       *gameTable
	hellos      *helloTracker
	pending     pendingFindings
	news        *newsTracker
	dispatcher
}

// newTracker creates the components. Their order matters: if the same message was the last to use several entries, the
// memory budget first drops the entry of the component that was created last.
func newTracker(r *wire.Reporter) wire.Tracker {
	connections := &connectionTable{byRoute: newConnections(r.Memory)}
	games := newGameTable(r.Memory)
	attempts := attemptTracker{attempt.New(r, "attempts to join BZFlag 1.07 games", joins)}
	hellos := newHelloTracker(r, games, attempts)
	connections.links = bounded.NewLRU(r.Memory, keptLinks, bounded.Values[udpLink, bzflag.Route]{})
	hellos.deadlines = bounded.NewDeadlines[reconnect](r.Memory, keptDeadlines)
	pending := newPendingFindings(r)
	queries := &queryTracker{open: bzflag.NewQueries(r, "BZFlag 1.07"), games: games}
	values := &valueTracker{reporter: r, games: games}
	news := &newsTracker{values: values, seen: dedup.New(r.Memory, keptEvents, bzflag.EventWindow)}

	acts := &actTracker{pending: pending}
	links := &linkTracker{connections: connections, pending: pending, values: values}
	shots := &shotTracker{values: values, games: games, pending: pending, acts: acts, links: links}
	players := &playerTracker{reporter: r, games: games, values: values, news: news}
	return &tracker{
		connections: connections, games: games, hellos: hellos, pending: pending, news: news,
		dispatcher: dispatcher{
			acts:     acts,
			attempts: attempts,
			chat: &chatTracker{values: values, news: news, acts: acts, attempts: attempts,
				asks: &askTracker{values, pending}},
			flags:   &flagTracker{values: values, news: news, pending: pending, acts: acts},
			joins:   &joinTracker{values: values, games: games, pending: pending, players: players, attempts: attempts},
			links:   links,
			lives:   &lifeTracker{values: values, news: news, pending: pending, acts: acts, links: links, shots: shots},
			matches: &matchTracker{values: values, games: games, news: news},
			players: players,
			queries: queries,
			shots:   shots,
			wishes:  &wishTracker{r, games},
			worlds:  &worldTracker{values: values, games: games, pending: pending},
		},
	}
}

func (t *tracker) Message(l wire.Layer, p *wire.Place) {
	t.now = max(t.now, p.Time)
	e := event{message: message{l.(*Layer), p}}
	if h, ok := e.layer.Body.(*ServerHello); ok {
		t.hellos.record(&e.message, h, t.now)
		return
	}
	if t.queries.recordPing(&e.message) {
		return
	}
	r, ok := bzflag.RouteOf(e.layer.Direction, p.Src, p.Dst)
	if !ok {
		return
	}
	first := e.tcp() && t.connections.make(&e, r)
	if first {
		t.hellos.match(&e)
	}
	if e.tcp() {
		e.conn.outcomes.record(&e.message)
	} else if !t.connections.find(&e, r) && !t.connections.adopt(&e, r) {
		return
	}
	t.games.recognize(&e)
	t.games.find(&e)
	if first {
		t.attempts.takeHello(&e)
	}
	if e.layer.Direction == wire.ToServer {
		t.checkClient(&e)
	} else {
		t.checkServer(&e)
		t.wishes.takeAnswer(&e)
	}
}

func (t *tracker) Told(room []byte, layer wire.Layer, p *wire.Place) wire.Told {
	e := event{message: message{layer.(*Layer), p}}
	r, ok := bzflag.RouteOf(e.layer.Direction, p.Src, p.Dst)
	if !ok || !t.connections.find(&e, r) {
		return wire.Told{}
	}
	t.games.find(&e)
	return describe(room, &e)
}

func (t *tracker) Lost(p *wire.Place) {
	t.attempts.Lost(p)
	r, back := bzflag.Route{Client: p.Src, Server: p.Dst}, bzflag.Route{Client: p.Dst, Server: p.Src}
	if c := t.connections.byRoute.Get(r); c != nil {
		t.forgetWishes(c, r, p)
		t.queries.open.Lost(r.Client, c.greeter(r))
		c.forgetClient(t.now)
		return
	}
	t.hellos.forgetRefusal(p.Dst, p.Src) // the lost data may include a hello
	if c := t.connections.byRoute.Get(back); c != nil {
		t.forgetWishes(c, back, p)
		t.queries.open.Lost(back.Client, c.greeter(back))
		c.forgetServer(t.now)
	}
}

// forgetWishes drops the open requests of all clients in the game of connection c.
func (t *tracker) forgetWishes(c *connection, r bzflag.Route, p *wire.Place) {
	e := event{message: message{place: p}, route: r, conn: c}
	t.games.find(&e)
	t.wishes.forget(&e)
}

// Ended handles the end of either side of a connection, after which the client no longer plays.
func (t *tracker) Ended(p *wire.Place) {
	t.attempts.Ended(p)
	for _, r := range []bzflag.Route{{Client: p.Src, Server: p.Dst}, {Client: p.Dst, Server: p.Src}} {
		if c := t.connections.byRoute.GetAt(p.Lane, r); c != nil && c.conversation == p.Conversation {
			e := event{message: message{place: p}, route: r, conn: c}
			t.games.find(&e)
			t.wishes.end(&e)
			t.players.recordLeaving(&e, "leaves without a word")
			t.queries.open.Ended(r.Client, c.greeter(r))
		}
	}
}

func (t *tracker) Time(now int64) {
	t.now = max(t.now, now)
	t.attempts.Time(now)
	if t.Next() > t.now {
		return
	}
	for more := true; more; more = t.hellos.advance(t.now) {
		t.pending.Advance(min(t.hellos.deadlines.Next(), t.now))
	}
}

// Jump handles a jump of the clock. Any message on any connection may be missing around it.
func (t *tracker) Jump(now int64) {
	t.now = now
	t.hellos.jump()
	t.pending.Jump(now)
	t.queries.open.Jump()
	t.attempts.Jump(now)
	t.news.seen.Forget()
	t.connections.byRoute.Each(func(_ bzflag.Route, c *connection) {
		c.forgetClient(now)
		c.forgetServer(now)
		c.outcomes = outcomes{}
	})
	t.games.byServer.Each(func(_ netip.AddrPort, g *game) {
		g.style = nil
		g.wishes = bzflag.Wishes{}
	})
}

func (t *tracker) Next() int64 {
	return min(t.hellos.deadlines.Next(), t.pending.Next(), t.attempts.Next())
}

// Close decides all pending findings, even if they are not yet due, because no further message can explain them.
func (t *tracker) Close(now int64) {
	t.Time(now)
	t.queries.open.Close(now)
	t.attempts.Close(now)
	t.wishes.close(now)
	t.links.close(now)
	t.players.close(now)
	t.pending.Close(t.now)
}
