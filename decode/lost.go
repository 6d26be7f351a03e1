package decode

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// maxHosts bounds how many pairs of hosts are remembered.
const maxHosts = 4096

// noteHosts remembers the hosts of a conversation that is ours.
func (e *Engine) noteHosts(c *conversation) {
	if len(e.hosts) >= maxHosts {
		clear(e.hosts)
	}
	e.hosts[hostPair(c.key.endA().Addr(), c.key.endB().Addr())] = c.protocol
}

func hostPair(a, b netip.Addr) [2]netip.Addr {
	if b.Less(a) {
		a, b = b, a
	}
	return [2]netip.Addr{a, b}
}

// fragmentLost reports a datagram of which a fragment is missing, if it is likely ours: by
// its ports, or by its hosts when the fragment with the ports is the one that is missing.
func (e *Engine) fragmentLost(l lostDatagram) {
	if l.protocol != protocolUDP {
		return
	}
	place := wire.Place{Frame: l.lastFrame, File: e.place.File, Time: l.time, Conversation: NoConversation}
	src, dst := netip.AddrPortFrom(l.src, 0), netip.AddrPortFrom(l.dst, 0)
	var p *protocol
	if len(l.head) >= 4 {
		src = netip.AddrPortFrom(l.src, binary.BigEndian.Uint16(l.head))
		dst = netip.AddrPortFrom(l.dst, binary.BigEndian.Uint16(l.head[2:]))
		key, _ := makeKey(wire.UDP, src, dst)
		if c := e.flows.table[key]; c != nil {
			p = c.protocol
			place.Conversation = c.number
		} else {
			p = e.byPort(src.Port(), dst.Port())
		}
	} else {
		p = e.hosts[hostPair(l.src, l.dst)]
	}
	if p == nil {
		return
	}
	if e.options.Lost != nil {
		e.options.Lost(l.number)
	}
	place.Src, place.Dst, place.Protocol = src, dst, p.Protocol
	missing := "an unknown number of bytes is missing"
	if l.missing >= 0 {
		missing = fmt.Sprintf("%d are missing", l.missing)
	}
	e.to.find(&wire.TrafficFinding{Place: place, Rule: RuleFragmentLost,
		Text: fmt.Sprintf("datagram %d of %s: %d bytes came in frames %d to %d, %s", l.id, l.src, l.present, l.firstFrame, l.lastFrame, missing)})
}

// byPort gives the protocol that has one of the ports.
func (e *Engine) byPort(a, b uint16) *protocol {
	for _, p := range e.protocols {
		if slices.Contains(p.UDP, a) || slices.Contains(p.UDP, b) {
			return p
		}
	}
	return nil
}
