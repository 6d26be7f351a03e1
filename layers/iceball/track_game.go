package iceball

import (
	"net/netip"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const maxSockets = 8 // sockets that announce the same game address

// games are the game servers, by the addresses that lists show.
type games struct {
	time       *captureTime
	announcers *bounded.LRU[netip.AddrPort, announcer]
	byAddress  *bounded.LRU[netip.AddrPort, game]
}

// game is a game server. It uses a new socket after a restart.
type game struct {
	sockets  []netip.AddrPort // the latest is last
	shared   bool             // two sockets announce the server alternately
	outlived clock.Moment     // time of the first list that still had the server long after its last announce
}

func newGames(r *wire.Reporter, t *captureTime, a *bounded.LRU[netip.AddrPort, announcer]) *games {
	return &games{t, a, bounded.NewLRU(r.Memory, bounded.Kind{Name: "Iceball servers that a list may show",
		Silent: "iceball.listed-without-handshake, iceball.master-json-stale"},
		bounded.Values[netip.AddrPort, game]{Held: (*game).held,
			Dropped: func(netip.AddrPort, *game) { t.forget() }})}
}

func (g *game) held() int { return cap(g.sockets) * int(unsafe.Sizeof(netip.AddrPort{})) }

// addSocket adds a socket that announces a game server. It also records whether the server was unlisted before. That is
// known if there was a list, or if the capture is already longer than an announce is valid.
//
// addSocket returns true once: when it first finds that two sockets announce the server alternately.
func (s *games) addSocket(a *announcer, m *master, port uint16, p *wire.Place) (shared bool) {
	socket := p.Src
	at := netip.AddrPortFrom(socket.Addr(), port)
	g := s.byAddress.MakeAt(p.Lane, at)
	if len(g.sockets) > 0 && g.sockets[len(g.sockets)-1] == socket {
		return false
	}
	if i := slices.Index(g.sockets, socket); i >= 0 {
		g.sockets = slices.Delete(g.sockets, i, i+1)
		shared, g.shared = !g.shared, true
	} else if len(a.registrations) == 0 {
		a.unlisted = m.seen && !m.partial && !m.lists(at) || !s.time.isEarly(p.Time, goneBy)
	}
	if len(g.sockets) == maxSockets {
		g.sockets = slices.Delete(g.sockets, 0, 1)
	}
	g.sockets = append(g.sockets, socket)
	return shared
}

// mastersOf returns which heartbeat servers on a host have accepted announces from a game server.
func (s *games) mastersOf(at netip.AddrPort, host netip.Addr) (list []netip.AddrPort) {
	g := s.byAddress.Get(at)
	if g == nil {
		return nil
	}
	for _, socket := range g.sockets {
		a := s.announcers.Peek(socket)
		if a == nil {
			continue
		}
		for i := range a.registrations {
			if m := a.registrations[i].master; m.Addr() == host && !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
	}
	return list
}
