package bzflag24

import (
	"fmt"
	"math"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// linkTracker follows the UDP links of clients, and datagrams that name a player but come from another address than the
// player's link.
type linkTracker struct {
	values      *valueTracker
	pending     *bzflag.PendingFindings
	connections *connectionTable
	attempts    *attemptTracker
	strangers   *bounded.LRU[strangerKey, *stranger]
}

// stranger counts the datagrams from one address and port that name a player who has a different link.
type stranger struct{ datagrams, requests int }

type strangerKey struct {
	bzflag.Route
	player PlayerID
}

var strangerKind = bounded.Kind{
	Name: "addresses without a UDP link of a BZFlag 2.4 player", Silent: "bzflag24.unlinked",
}

func newLinkTracker(v *valueTracker, p *bzflag.PendingFindings, t *connectionTable, a *attemptTracker) *linkTracker {
	l := &linkTracker{v, p, t, a, bounded.NewLRU(v.reporter.Memory, strangerKind,
		bounded.Values[strangerKey, *stranger]{Held: func(*(*stranger)) int { return 16 }})}
	v.reporter.Watch(l)
	return l
}

// Signal handles ICMP errors about datagrams of an established link. The account of attempts handles errors about
// requests for a link.
func (t *linkTracker) Signal(s wire.Signal, p *wire.Place) {
	if s != wire.Undelivered || p.Transport != wire.UDP {
		return
	}
	for way, r := range []bzflag.Route{{Client: p.Src, Server: p.Dst}, {Client: p.Dst, Server: p.Src}} {
		if c := t.connections.known(p, &r); c != nil && c.link.in && !c.closed {
			t.noteRejected(p, c, way)
		}
	}
}

// noteRejected adds a pending finding about datagrams that, according to ICMP, were not delivered. The finding is
// reported only if the client's connection continues.
func (t *linkTracker) noteRejected(p *wire.Place, c *connection, way int) {
	if c.link.rejected[way]++; c.link.rejected[way] != leastRejected {
		return
	}
	t.pending.Add(&c.outcomes, p, bzflag.PendingFinding{
		Rule: ruleUndelivered, Wait: math.MaxInt64,
		Tell: func() string {
			return fmt.Sprintf("%s: ICMP: %d datagrams %s the server were not delivered",
				c.name(), c.link.rejected[way], [...]string{"to", "of"}[way])
		},
		Excuse: func() bool { return !c.link.goesOn || c.missed.Known() },
	})
}

const mostStrangers = 16 // reported addresses per player

const (
	leastOverTCP  = 3 // minimum number of messages over TCP that shows that the link is not used
	leastRejected = 3
	leastUpdates  = 20                      // minimum number of updates from the client
	withoutLink   = int64(30 * time.Second) // minimum time since the client was accepted
)

// fromClient handles a message from a client.
func (t *linkTracker) fromClient(e event) {
	c := e.connection
	c.link.goesOn = c.link.goesOn || e.tcp() && c.link.rejected != [2]int{}
	switch e.layer.Code {
	case CodeUDPLinkRequest:
		if !e.tcp() {
			t.takeRequest(e)
		}
	case CodeUDPLinkEstablished:
		if !c.link.out {
			c.link.out = true
			t.record(e)
		}
	case CodePlayerUpdate, CodePlayerUpdateSmall:
		if e.tcp() && c.accepted.Known() {
			c.link.updates++
			t.noteUnused(e)
		}
	}
}

// takeRequest handles a client's request for a link. Servers answer only the first request.
func (t *linkTracker) takeRequest(e event) {
	c := e.connection
	if c.link.in || !c.isOpen() || !c.hello {
		return
	}
	c.link.from, c.link.asked = e.place.Src, e.place.Time
	t.attempts.askLink(e)
}

// fromServer handles a message from the server.
func (t *linkTracker) fromServer(e event) {
	l := &e.connection.link
	in, out := l.in, l.out
	l.served = l.served || !e.tcp()
	switch e.layer.Code {
	case CodeUDPLinkEstablished, CodeUDPLinkRequest: // MsgUDPLinkRequest over UDP also answers a request
		l.in = true
		t.attempts.grantLink(e)
	case CodeLagPing, CodePlayerUpdate, CodePlayerUpdateSmall, CodeShotBegin, CodeShotEnd, CodeGMUpdate:
		if l.out = l.out || !e.tcp(); !l.out && l.in {
			l.replies++
			t.noteOneWay(e)
		}
	}
	if in != l.in || out != l.out || e.layer.Code == CodeAddPlayer {
		t.record(e)
	}
}

// record records which directions of the link work.
func (t *linkTracker) record(e event) {
	c := e.connection
	if !c.joined || int(c.player) >= maxTanks || !t.values.wanted() {
		return
	}
	if s := c.link.state(c.isWhole()); s != c.link.shown {
		c.link.shown = s
		t.values.recorder(e).State(bzflag.Players, clientPlayer(e).subject(), "udp", s)
	}
}

// noteOneWay adds a pending finding about a link over which the server sends nothing.
func (t *linkTracker) noteOneWay(e event) {
	c := e.connection
	if c.link.replies < leastOverTCP || !c.link.from.IsValid() || !t.mayNote(c) {
		return
	}
	t.pending.Add(&c.outcomes, e.place, bzflag.PendingFinding{
		Rule: ruleOneWay, Wait: math.MaxInt64,
		Tell: func() string {
			return fmt.Sprintf("%s: UDP works to the server only; %d messages came over TCP (no MsgUDPLinkEstablished)",
				c.name(), c.link.replies)
		},
		Excuse: func() bool { return c.link.out || !c.isWhole() },
	})
}

// noteUnused adds a pending finding about a human player who has not requested a link.
func (t *linkTracker) noteUnused(e event) {
	c := e.connection
	l, since := &c.link, e.since(c.accepted.When())
	if l.updates < leastUpdates || since < withoutLink || l.in || l.from.IsValid() || c.kind != TankPlayer ||
		!t.mayNote(c) {
		return
	}
	t.pending.Add(&c.outcomes, e.place, bzflag.PendingFinding{
		Rule: ruleNoLink, Wait: math.MaxInt64,
		Tell: func() string {
			return fmt.Sprintf("%s: plays without UDP, never asked for a link, %d updates went over TCP",
				c.name(), c.link.updates)
		},
		Excuse: func() bool { return c.link.in || c.link.from.IsValid() || !c.isWhole() },
	})
}

// mayNote reports whether a problem of the connection's link may be reported. It returns true only once per connection.
func (t *linkTracker) mayNote(c *connection) bool {
	first := c.isWhole() && c.kindKnown && !c.link.noted
	c.link.noted = c.link.noted || first
	return first
}

// drops reports whether the server drops a datagram that names a player but does not come from the player's link. If
// so, it counts the datagram. c is the connection of the datagram, or nil if it is not known.
func (t *linkTracker) drops(m message, g *game, r bzflag.Route, c *connection) bool {
	if c != nil && c.tcp {
		drops := c.dropsFrom(m, r)
		if drops {
			t.countStranger(m, r, c)
		}
		return drops
	}
	id, speaks := claimed(m.layer)
	if !speaks {
		return false
	}
	of := t.connections.ofNumber(m, g, r, id)
	if of == nil || of == c || !of.isWhole() || of.mayLink(m, r) {
		return false
	}
	t.countStranger(m, r, of)
	return true
}

// countStranger counts a datagram that names the player of connection c, but does not come from the player's link.
func (t *linkTracker) countStranger(m message, r bzflag.Route, c *connection) {
	at := t.strangers.MakeAt(m.place.Lane, strangerKey{r, c.player})
	x := *at
	if x == nil {
		x = new(stranger)
		*at = x
	}
	x.datagrams++
	if m.layer.Code == CodeUDPLinkRequest {
		x.requests++
	}
	if x.datagrams == 1 && c.link.strangers < mostStrangers {
		c.link.strangers++
		t.pending.Add(&c.outcomes, m.place, bzflag.PendingFinding{
			Rule: ruleUnlinked, Wait: math.MaxInt64,
			Tell: func() string { return x.sentence(r.Client, c) },
			Excuse: func() bool {
				at := t.connections.byRoute.Peek(r)
				return c.missed.Known() || at != nil && *at != c && (*at).link.served
			},
		})
	}
}

// sentence describes the datagrams from an address that is not the link of the client.
func (x *stranger) sentence(from netip.AddrPort, c *connection) string {
	what := wire.Counted(x.datagrams, "datagram")
	if x.requests == x.datagrams {
		what = wire.Counted(x.requests, "link request")
	}
	where := "where no UDP link is"
	switch l := &c.link; {
	case from.Addr() != c.Client.Addr():
		where = "not from " + c.Client.Addr().String()
	case l.in && l.from.IsValid():
		where = fmt.Sprintf("not from port %d of the UDP link (has NAT changed it?)", l.from.Port())
	}
	return fmt.Sprintf("%s: %s from %s, %s: bzfs drops them", c.name(), what, from, where)
}

// dropsFrom reports whether the server drops a datagram because of the port from which the client sent it. Either the
// link uses another port, or the client requested a link and the server continued without an answer.
func (c *connection) dropsFrom(m message, r bzflag.Route) bool {
	switch l := &c.link; {
	case !c.isWhole(), m.layer.Code == CodeUDPLinkRequest && !l.in:
		return false
	case l.in:
		return l.from.IsValid() && l.from != r.Client
	default:
		return !l.out && l.from.IsValid() && clock.Elapsed(l.asked, c.streamed) > lagLife
	}
}

// name returns the name of the client's player.
func (c *connection) name() string { return (&Player{c.player, c.callSign}).String() }
