package split

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// judge decides which packets may belong to a game.
type judge struct {
	protocols []*wire.Protocol
	decodeAs  []decode.DecodeAs
	datagram  wire.Datagram
	segment   tcp.Segment
	probe     wire.Probe // reused for each protocol
}

// read stores the datagram or segment that a complete packet carries in j.datagram. It reports whether there is one.
func (j *judge) read(p *ip.Packet) (t wire.Transport, ok bool) {
	if p.Protocol != ip.ProtocolTCP {
		return wire.UDP, decode.ReadDatagram(p, &j.datagram)
	}
	s := &j.segment
	if !s.Parse(p.Payload, p.Missing) {
		return wire.TCP, false
	}
	j.datagram = wire.Datagram{
		Src: netip.AddrPortFrom(p.Src, s.SrcPort), Dst: netip.AddrPortFrom(p.Dst, s.DstPort),
		Payload: s.Payload, Missing: s.Missing,
	}
	return wire.TCP, true
}

// This method reports whether j.datagram may belong to a conversation of the protocols.
func (j *judge) may(t wire.Transport) bool {
	d := &j.datagram
	for i := range j.decodeAs {
		if as := &j.decodeAs[i]; as.Transport == t && (as.Port == d.Src.Port() || as.Port == d.Dst.Port()) {
			return true
		}
	}
	return slices.ContainsFunc(j.protocols, func(p *wire.Protocol) bool { return j.likes(p, t) })
}

// likes reports whether a protocol may accept j.datagram, which is a datagram or a piece of a stream. It assumes that
// the endpoints may already be known to use the protocol. A piece of a TCP stream may begin anywhere, so for TCP the
// port is enough.
func (j *judge) likes(p *wire.Protocol, t wire.Transport) bool {
	d := &j.datagram
	ports, ask := p.UDP, p.Probe
	if t == wire.TCP {
		ports, ask = p.TCP, p.ProbeStream
	}
	if ask == nil {
		return false
	}
	to, from := slices.Contains(ports, d.Dst.Port()), slices.Contains(ports, d.Src.Port())
	if t == wire.TCP && (to || from) {
		return true
	}
	if len(d.Payload) == 0 {
		return false
	}
	probe := &j.probe
	*probe = wire.Probe{Datagram: d, ToPort: to, FromPort: from, Known: true}
	if ask(probe).Confidence > wire.No {
		return true
	}
	probe.ToExpected = true
	if ask(probe).Confidence >= wire.Likely {
		return true
	}
	probe.ToExpected, probe.FromExpected = false, true
	return ask(probe).Confidence >= wire.Likely
}
