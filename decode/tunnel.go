package decode

import (
	"encoding/binary"
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// open replaces a tunnel's packet by the one inside, unless it is a datagram of a recognised conversation.
func (e *Engine) open(p *ip.Packet) bool {
	if p.Protocol == ip.ProtocolUDP && e.isOurs(p) {
		return false
	}
	carriers := p.Carriers
	switch ip.Open(p, &e.inner) {
	case ip.Found:
		*p = e.inner
		p.Carriers = carriers
		return true
	case ip.TooDeep:
		e.tooDeep()
	}
	return false
}

// isOurs reports whether a datagram belongs to a recognised conversation, or Options.DecodeAs names its port: a game
// may use the port of a tunnel.
func (e *Engine) isOurs(p *ip.Packet) bool {
	src := netip.AddrPortFrom(p.Src, binary.BigEndian.Uint16(p.Payload))
	dst := netip.AddrPortFrom(p.Dst, binary.BigEndian.Uint16(p.Payload[2:]))
	if forced, _ := e.recogniser.forced(wire.UDP, src, dst); forced != nil {
		return true
	}
	key, _ := makeKey(wire.UDP, src, dst)
	c := e.conversations.look(&key, e.conversations.hash(&key))
	return c != nil && c.protocol != 0
}

// tooDeep reports a packet in more than ip.MaxTunnels tunnels.
func (e *Engine) tooDeep() {
	text := "the packet came through more than " + strconv.Itoa(ip.MaxTunnels) + " tunnels"
	e.decoder.out.finding(&wire.TrafficFinding{Place: e.here(), Rule: RuleNested, Text: text})
}
