package bzflag17

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// queryTracker pairs questions and answers.
type queryTracker struct {
	open  bzflag.OpenQueries
	games *gameTable
}

// routeOf is what questions on a connection are remembered by: the server is that which said hello.
func (t *queryTracker) routeOf(e *event) bzflag.Route {
	return bzflag.Route{Client: e.route.Client, Server: netip.AddrPortFrom(e.route.Server.Addr(), e.conn.helloPort)}
}

// ask takes note of what a client asks for before it enters.
func (t *queryTracker) ask(e *event) {
	c := e.conn
	switch e.layer.Code {
	case CodeGetWorld:
	case CodeWantWHash:
		c.asked |= askedHash
	case CodeQueryGame:
		c.asked |= askedGame
		t.open.Ask(e.place, t.routeOf(e), bzflag.AboutGame)
	case CodeQueryPlayers:
		c.asked |= askedPlayers
		t.open.Ask(e.place, t.routeOf(e), bzflag.AboutPlayers)
	default:
		c.wantsWorldOnly = false
	}
}

// recordGame takes note of what a server says of its game.
func (t *queryTracker) recordGame(e *event, b *Game) {
	if t.open.Value != nil {
		t.open.Answer(e.place, t.routeOf(e), bzflag.AboutGame, b.text())
	}
}

// recordCounts takes note of how many players a server has, whom it lists next.
func (t *queryTracker) recordCounts(e *event, b *PlayerCounts) {
	t.games.make(e).queried = clock.At(e.place.Time)
	if t.open.Value != nil {
		t.open.Answer(e.place, t.routeOf(e), bzflag.AboutPlayers, wire.Counted(int(b.Players), "player"))
	}
}

func (g *Game) text() string { return bzflag.GameText("", g.Counts[:], int(g.MaxPlayers)) }

// recordPing takes note of a ping or the answer to one, and reports whether the message is one: it belongs to no
// connection. Both go to groups of hosts; a reply says who asked, but not from which port.
func (t *queryTracker) recordPing(m *message) bool {
	l, p := m.layer, m.place
	switch b := l.Body.(type) {
	case *PingRequest:
		if l.Fault() == nil {
			t.open.Ask(p, bzflag.Route{Client: p.Src, Server: p.Dst}, bzflag.AboutPing)
		}
		return true
	case *PingReply:
		if l.Fault() == nil && t.open.Value != nil {
			r := bzflag.Route{Client: p.Dst, Server: netip.AddrPortFrom(p.Src.Addr(), b.Server.Port)}
			if isGroup(p.Dst.Addr()) {
				r.Client = netip.AddrPortFrom(netip.AddrFrom4(b.Source), 0)
			}
			t.open.Answer(p, r, bzflag.AboutPing, b.Game.text())
		}
		return true
	}
	return false
}
