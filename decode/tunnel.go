package decode

import (
	"encoding/binary"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
)

type tunnels struct {
	recogniser *recogniser
	inner      ip.Packet // scratch
}

// open replaces the packet of a tunnel with the inner packet, unless the outer packet is a datagram of a recognised
// conversation. If the result is not ip.Found, open does not change p.
func (x *tunnels) open(p *ip.Packet) (ip.Tunnel, ip.Outcome) {
	tunnel := p.Tunnel()
	if tunnel == ip.NoTunnel || p.Protocol == ip.ProtocolUDP && x.isOurs(p) {
		return tunnel, ip.OtherTraffic
	}
	carriers := p.Carriers
	outcome := ip.Open(p, &x.inner)
	if outcome == ip.Found {
		*p = x.inner
		p.Carriers = carriers
	}
	return tunnel, outcome
}

// isOurs reports whether a datagram belongs to a recognised conversation, or Options.DecodeAs assigns its port to a
// protocol. A game may use the port of a tunnel protocol.
func (x *tunnels) isOurs(p *ip.Packet) bool {
	src := netip.AddrPortFrom(p.Src, binary.BigEndian.Uint16(p.Payload))
	dst := netip.AddrPortFrom(p.Dst, binary.BigEndian.Uint16(p.Payload[2:]))
	if forced, _ := x.recogniser.forced(wire.UDP, src, dst); forced != nil {
		return true
	}
	table := x.recogniser.conversations
	key, _ := table.key(wire.UDP, src, dst)
	c := table.look(&key, table.hash(&key))
	return c != nil && c.protocol != 0
}
