package view

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// games are the games played on servers. A game is identified by the address and port to which clients connect first,
// as in events and values. A BZFlag 1.07 server uses other ports while a game is played. games maps these ports to the
// first one.
type games struct {
	rows *rows
	seen int // number of rows examined
	home map[netip.AddrPort]netip.AddrPort
}

const maxPorts = 4096 // number of remembered ports; a server uses at most about two hundred

// learnPorts examines the ServerHello messages that were read after its last call.
func (g *games) learnPorts() error {
	x := g.rows
	for ; g.seen < x.len(); g.seen++ {
		r := x.row(g.seen)
		if r.flags&isFinding != 0 || x.kinds[r.kind].message.Name != "ServerHello" || len(g.home) == maxPorts {
			continue
		}
		m, err := x.message(g.seen)
		if err != nil {
			return err
		}
		port := m.Tree().Find("reconnect_port")
		if port == nil || !m.Src.IsValid() {
			continue
		}
		if g.home == nil {
			g.home = map[netip.AddrPort]netip.AddrPort{}
		}
		g.home[netip.AddrPortFrom(m.Src.Addr(), uint16(port.Num))] = m.Src
	}
	return nil
}

func (g *games) serverAt(at netip.AddrPort) netip.AddrPort {
	if home, ok := g.home[at]; ok {
		return home
	}
	return at
}

// Game is a server that reports positions of players.
type Game struct {
	Server   string `json:"server"`
	Protocol string `json:"protocol"`
}

const maxGames = 256 // number of games listed

// list returns the games whose protocols report players' positions.
func (g *games) list() []Game {
	x := g.rows
	reporting := map[*wire.Protocol]bool{}
	for i := range x.kinds {
		if k := &x.kinds[i]; k.message != nil && pathSources[k.message.Name].take != nil {
			reporting[k.protocol] = true
		}
	}
	list := []Game{}
	seen := map[Game]bool{}
	for i := range x.contexts {
		a := &x.contexts[i]
		e := &x.ends[a.ends]
		if !reporting[e.protocol] || a.direction != wire.ToServer && a.direction != wire.FromServer {
			continue
		}
		at := e.dst
		if a.direction == wire.FromServer {
			at = e.src
		}
		game := Game{g.serverAt(at).String(), e.protocol.Name}
		if !seen[game] && len(list) < maxGames {
			seen[game] = true
			list = append(list, game)
		}
	}
	return list
}

type pathsRequest struct {
	Server string   `json:"server"`
	From   *float64 `json:"from"`
	To     *float64 `json:"to"`
	Start  int      `json:"start"`
	MS     *int     `json:"ms"`
}

const maxSteps = 100_000 // messages per answer

func (g *games) paths(q *pathsRequest) (*pathsAnswer, error) {
	if err := g.learnPorts(); err != nil {
		return nil, err
	}
	a := &pathsAnswer{
		Tanks: []*Tank{}, Shots: []Shot{}, Ends: []ShotEnd{}, Deaths: []Death{}, Flags: []Flag{}, Players: []Player{},
		tanks: map[string]*Tank{}, flags: map[int]Flag{},
	}
	from, to := g.rows.span(q.From, q.To)
	x, l, steps := g.rows, newLimit(q.MS), 0
	p := pathMaker{pathsAnswer: a}
	n := min(max(q.Start, 0), x.len())
	for ; n < x.len(); n++ {
		r := x.row(n)
		if r.time < from || r.time > to || r.flags&isFinding != 0 {
			continue
		}
		source := pathSources[x.kinds[r.kind].message.Name]
		if source.take == nil || source.byPlayer && r.flags&isCopy != 0 || !g.isOf(r, q.Server, source.byPlayer) {
			continue
		}
		m, err := x.message(n)
		if err != nil {
			return nil, err
		}
		p.tree, p.time, p.row = m.Tree(), x.seconds(r.time), n
		source.take(&p)
		if steps++; steps == maxSteps || l.over() {
			n++
			break
		}
	}
	a.Next, a.Done = n, n == x.len()
	return a, nil
}

// isOf reports whether a row belongs to a game. If server is "", rows of all games do. A message between two clients
// does if a player's own reports count (byPlayer).
func (g *games) isOf(r *row, server string, byPlayer bool) bool {
	a := &g.rows.contexts[r.context]
	e := &g.rows.ends[a.ends]
	switch {
	case a.direction == wire.PeerToPeer:
		return byPlayer
	case a.direction == wire.ToServer && !byPlayer:
		return false
	}
	is := func(at netip.AddrPort) bool { return g.serverAt(at).String() == server }
	return server == "" || is(e.src) || is(e.dst)
}
