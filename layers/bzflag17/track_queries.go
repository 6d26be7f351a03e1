package bzflag17

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// queryRoute is what questions on the connection are remembered by: the server is the one that said hello.
func (e *event) queryRoute() bzflag.Route {
	return bzflag.Route{Client: e.route.Client, Server: netip.AddrPortFrom(e.route.Server.Addr(), e.conn.hello)}
}

// recordGame takes what a server says of its game.
func (e *event) recordGame(b *Game) {
	if e.measures() {
		e.queries.Answer(e.place, e.queryRoute(), bzflag.AboutGame, b.text())
	}
}

// recordCounts takes how many players a server has.
func (e *event) recordCounts(b *PlayerCounts) {
	if e.measures() {
		e.queries.Answer(e.place, e.queryRoute(), bzflag.AboutPlayers, wire.Counted(int(b.Players), "player"))
	}
}

func (g *Game) text() string { return bzflag.GameText("", g.Counts[:], int(g.MaxPlayers)) }

// recordPing takes a ping, or the answer to one, and reports whether the message is one: it belongs to no connection.
// Both go to groups of hosts; a reply says who asked, but not from which port.
func (t *tracker) recordPing(l *Layer, p *wire.Place) bool {
	switch b := l.Body.(type) {
	case *PingRequest:
		if l.Fault() == nil {
			t.queries.Ask(p, bzflag.Route{Client: p.Src, Server: p.Dst}, bzflag.AboutPing)
		}
		return true
	case *PingReply:
		if l.Fault() == nil && t.reporter.Value != nil {
			r := bzflag.Route{Client: p.Dst, Server: netip.AddrPortFrom(p.Src.Addr(), b.Server.Port)}
			if isGroup(p.Dst.Addr()) {
				r.Client = netip.AddrPortFrom(netip.AddrFrom4(b.Source), 0)
			}
			t.queries.Answer(p, r, bzflag.AboutPing, b.Game.text())
		}
		return true
	}
	return false
}
