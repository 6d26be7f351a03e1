package view

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// ports leads from the ports on which a server of BZFlag 1.07 plays to the one at which it expects hellos. Events and
// values name the latter, see the tracker.
type ports struct {
	seen int // rows
	home map[netip.AddrPort]netip.AddrPort
}

// maxPorts are remembered: a server has one or two hundred.
const maxPorts = 4096

// learnPorts looks at the hellos that were read since it was called last.
func (v *View) learnPorts() error {
	x, p := &v.index, &v.ports
	for ; p.seen < x.len(); p.seen++ {
		r := x.row(p.seen)
		if r.flags&isFinding != 0 || x.kinds[r.kind].message.Name != "ServerHello" || len(p.home) == maxPorts {
			continue
		}
		m, err := v.Message(p.seen)
		if err != nil {
			return err
		}
		port := m.Tree().Find("reconnect_port")
		if port == nil || !m.Src.IsValid() {
			continue
		}
		if p.home == nil {
			p.home = map[netip.AddrPort]netip.AddrPort{}
		}
		p.home[netip.AddrPortFrom(m.Src.Addr(), uint16(port.Num))] = m.Src
	}
	return nil
}

// home gives the server that speaks at an address and port.
func (v *View) home(at netip.AddrPort) netip.AddrPort {
	if home, ok := v.ports.home[at]; ok {
		return home
	}
	return at
}

// Game is a server on which players move.
type Game struct {
	Server   string `json:"server"`
	Protocol string `json:"protocol"`
}

// maxGames are listed.
const maxGames = 256

// games are those whose protocols tell where players are.
func (v *View) games() []Game {
	x := &v.index
	tells := map[*wire.Protocol]bool{}
	for i := range x.kinds {
		if k := &x.kinds[i]; k.message != nil && pathSources[k.message.Name].take != nil {
			tells[k.protocol] = true
		}
	}
	list := []Game{}
	seen := map[Game]bool{}
	for i := range x.arounds {
		a := &x.arounds[i]
		e := &x.ends[a.ends]
		if !tells[e.protocol] || a.direction != wire.ToServer && a.direction != wire.FromServer {
			continue
		}
		at := e.dst
		if a.direction == wire.FromServer {
			at = e.src
		}
		g := Game{v.home(at).String(), e.protocol.Name}
		if !seen[g] && len(list) < maxGames {
			seen[g] = true
			list = append(list, g)
		}
	}
	return list
}
