package bzflag17

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// queryTracker matches answers with queries.
type queryTracker struct {
	open  *attempt.Queries
	games *gameTable
}

// greeter returns the server whose hello preceded a connection. Queries on the connection count as queries to that
// server.
func (c *connection) greeter(r bzflag.Route) netip.AddrPort {
	return netip.AddrPortFrom(r.Server.Addr(), c.helloPort)
}

// ask records a query that a client sends before it enters the game.
func (t *queryTracker) ask(e *event) {
	c, greeter := e.conn, e.conn.greeter(e.route)
	switch e.layer.Code {
	case CodeGetWorld:
	case CodeWantWHash:
		c.asked |= askedHash
	case CodeQueryGame:
		c.asked |= askedGame
		t.open.Ask(e.place, e.route.Client, greeter, bzflag.AboutGame)
	case CodeQueryPlayers:
		c.asked |= askedPlayers
		t.open.Ask(e.place, e.route.Client, greeter, bzflag.AboutPlayers)
	default:
		c.requestsWorldOnly = false
	}
}

// recordGame records a server's description of its game.
func (t *queryTracker) recordGame(e *event, b *Game) {
	if e.game != nil {
		e.game.match.Limit(&b.Limits)
	}
	if t.open != nil {
		t.open.Answer(e.place, e.route.Client, e.conn.greeter(e.route), bzflag.AboutGame, b.text())
	}
}

// recordCounts records a server's number of players. The list of players follows.
func (t *queryTracker) recordCounts(e *event, b *PlayerCounts) {
	t.games.make(e).queried = clock.At(e.place.Time)
	if t.open != nil {
		text := wire.Counted(int(b.Players), "player")
		t.open.Answer(e.place, e.route.Client, e.conn.greeter(e.route), bzflag.AboutPlayers, text)
	}
}

func (g *Game) text() string { return bzflag.GameText("", g.Counts[:], int(g.MaxPlayers)) }

// recordPing handles pings and their answers, which belong to no connection. It reports whether the message is one of
// them. Both are sent to groups of hosts. A reply contains the client's address, but not the client's port.
func (t *queryTracker) recordPing(m *message) bool {
	l, p := m.layer, m.place
	switch b := l.Body.(type) {
	case *PingRequest:
		if l.Fault() == nil {
			t.open.Ask(p, p.Src, p.Dst, bzflag.AboutPing)
		}
		return true
	case *PingReply:
		if l.Fault() == nil && t.open != nil {
			asker, asked := p.Dst, netip.AddrPortFrom(p.Src.Addr(), b.Server.Port)
			if isGroup(p.Dst.Addr()) {
				asker = netip.AddrPortFrom(netip.AddrFrom4(b.Source), 0)
			}
			t.open.Answer(p, asker, asked, bzflag.AboutPing, b.Game.text())
		}
		return true
	}
	return false
}
