package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// A tracker follows the games and connections of a capture. The types game, connection and view hold the state; their
// methods take a message. The components below check and update this state; their methods take an event, which is a
// message with its game and connection. The prefix of a method's name says what it does: take handles a message
// completely, check only reports findings, and record only reports values.
type tracker struct {
	connections *connectionTable
	pending     *bzflag.PendingFindings
	queries     *queryTracker
	attempts    *attemptTracker
	values      *valueTracker
	seats       *seatTracker
	copies      copyTracker
	links       *linkTracker
	lists       *listServerTracker
	dispatcher  dispatcher
	now         int64
}

var pendingKind = bounded.Kind{
	Name: "findings about BZFlag 2.4 that later messages may refute",
	Silent: "bzflag24.acting-while-dead, bzflag24.acting-while-paused, bzflag24.acting-before-spawn, " +
		"bzflag24.before-enter, bzflag24.world-offset, bzflag24.reject-without-superkill, bzflag24.denied, " +
		"bzflag24.warned, bzflag24.lost-pings, bzflag24.unrelayed, bzflag24.updates-unrelayed, " +
		"bzflag24.unlinked, bzflag24.no-link, bzflag24.one-way-link or bzflag24.udp-undelivered",
}

const maxPending = 256 // findings per connection

// newTracker returns a tracker. The order in which it creates the components matters: of several entries that have been
// idle for the same time, the budget drops the entry of the component that was created last.
func newTracker(r *wire.Reporter) *tracker {
	connections := newConnectionTable(r.Memory)
	wishes := &wishTracker{r, connections}
	pending := bzflag.NewPendingFindings(r, pendingKind, maxPending)
	open := bzflag.NewQueries(r, "BZFlag 2.4")
	values, attempts := newValueTracker(r), newAttemptTracker(r)
	seats := &seatTracker{values, connections}
	numbers := &numberTracker{values, connections, pending, attempts}
	tanks := &tankTracker{values, pending, seats, &killTracker{values}, attempts, numbers}
	queries := &queryTracker{values, open}
	links := newLinkTracker(values, pending, connections, attempts)
	return &tracker{
		connections: connections, pending: pending, queries: queries, attempts: attempts, values: values, seats: seats,
		copies: copyTracker{connections}, links: links, lists: newListServerTracker(r),
		dispatcher: dispatcher{
			pending:  pending,
			joins:    &joinTracker{values, pending, connections, seats, attempts},
			attempts: attempts,
			seats:    seats,
			links:    links,
			relays:   &relayTracker{pending, connections},
			tanks:    tanks,
			numbers:  numbers,
			shots:    &shotTracker{values, tanks},
			flags:    &flagTracker{values, tanks},
			match:    &matchTracker{values},
			chat:     &chatTracker{values, attempts, &askTracker{values, pending, connections}},
			queries:  queries,
			wishes:   wishes,
		},
	}
}

func (t *tracker) Message(layer wire.Layer, p *wire.Place) {
	l := layer.(*Layer)
	r, ok := bzflag.RouteOf(l.Direction, p.Src, p.Dst)
	if !ok {
		return
	}
	if l.isHTTP() {
		t.lists.take(l, p)
		return
	}
	m := message{l, p}
	if l.older {
		t.attempts.takeOther(m, r)
		return
	}
	switch b := l.Body.(type) {
	case *PingRequest:
		if l.Fault() == nil && l.Direction == wire.ToServer {
			t.queries.takePing(m, r)
		}
		return
	case *PingReply:
		if l.Fault() == nil && l.Direction == wire.FromServer {
			t.queries.takePingReply(event{message: m, game: t.connections.game(p.Lane, p.Src)}, r, b)
		}
		return
	}
	g := t.connections.game(p.Lane, r.Server)
	c := t.connections.known(p, &r)
	if p.Transport == wire.UDP && l.Direction == wire.ToServer && t.links.drops(m, g, r, c) {
		return
	}
	c = t.connections.find(m, g, r, c)
	c.active, g.active = p.Time, p.Time
	if g.ending != nil {
		t.dispatcher.match.settle(event{m, g, c})
	}
	if l.Direction == wire.ToServer {
		t.dispatcher.fromClient(event{m, g, c})
		return
	}
	if p.Transport == wire.TCP {
		c.streamed = p.Time
	}
	t.dispatcher.fromServer(event{m, g, c})
}

func (t *tracker) Told(room []byte, l wire.Layer, p *wire.Place) wire.Told {
	return t.copies.describe(room, message{l.(*Layer), p})
}

func (t *tracker) Lost(p *wire.Place) {
	t.lists.Lost(p)
	t.queries.open.Lost(p.Src, p.Dst)
	t.attempts.account.Lost(p)
	if c := t.connections.use(p.Lane, &bzflag.Route{Client: p.Src, Server: p.Dst}); c != nil {
		t.dispatcher.wishes.forget(c)
		t.attempts.doubtLink(p, c)
		c.lostRequests(t.now) // p is the place where the stream resumes; the lost data may be older
	}
	if c := t.connections.use(p.Lane, &bzflag.Route{Client: p.Dst, Server: p.Src}); c != nil {
		t.dispatcher.wishes.forget(c)
		t.attempts.doubtLink(p, c)
		c.lostAnswers(t.now)
		if g := t.connections.games.Peek(p.Src); g != nil && g.counting == c {
			g.recount = true
		}
	}
}

// Ended handles the end of either side of a connection. Afterwards, the client no longer plays.
func (t *tracker) Ended(p *wire.Place) {
	t.lists.Ended(p)
	t.attempts.takeEnd(p)
	for _, r := range []bzflag.Route{{Client: p.Src, Server: p.Dst}, {Client: p.Dst, Server: p.Src}} {
		t.queries.open.Ended(r.Client, r.Server)
		c := t.connections.at(p.Lane, &r)
		if c == nil || c.conversation != p.Conversation {
			continue
		}
		t.attempts.endLink(p, c)
		if r.Server == p.Src && !p.Lossy {
			c.streamed = p.Time
			c.removal.dropped = c.isOpen() && !c.departed
		}
		t.dispatcher.wishes.end(c, p.Time)
		if g := t.connections.games.Peek(r.Server); g != nil {
			t.dispatcher.numbers.end(event{message{place: p}, g, c})
			g.reference.Leave(c.serial)
			g.end(c)
			t.dispatcher.match.conclude(g)
			t.seats.recordEnd(event{message{place: p}, g, c})
		}
	}
}

func (t *tracker) Time(now int64) {
	t.now = now
	t.pending.Advance(now)
	t.attempts.account.Time(now)
	t.lists.Account.Time(now)
}

// Jump handles a gap in the capture: any message on any connection may be missing.
func (t *tracker) Jump(now int64) {
	t.now = now
	t.pending.Jump(now)
	t.queries.open.Jump()
	t.attempts.account.Jump(now)
	t.lists.Jump(now)
	t.values.events.Forget()
	t.connections.jump(now)
}

func (t *tracker) Next() int64 {
	return min(t.pending.Next(), t.attempts.account.Next(), t.lists.Account.Next())
}

func (t *tracker) Close(now int64) {
	t.queries.open.Close(now)
	t.attempts.account.Close(now)
	t.dispatcher.match.close(t.connections)
	t.dispatcher.wishes.close(now)
	t.dispatcher.numbers.close(now)
	t.lists.Account.Close(now)
	t.seats.close(now)
	t.pending.Close(now)
}
