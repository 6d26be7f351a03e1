package extract

import (
	"encoding/binary"
	"net/netip"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A portSampler writes samples of all datagrams or TCP segments to and from a port.
type portSampler struct {
	to        *sampleWriter
	transport wire.Transport
	port      uint16
	fragments ip.Defragmenter
}

func (s *portSampler) packet(p *capture.Packet) {
	var found ip.Packet
	s.fragments.Expire(p.Time)
	if ip.Find(uint16(p.LinkType), p.Data, p.Length, &found) != ip.Found {
		return
	}
	if found.Fragment {
		if _, whole := s.fragments.Add(&found, p.Number, p.Time, &found); !whole {
			return
		}
	}
	place := wire.Place{Frame: p.Number, File: p.File, Time: p.Time, Transport: s.transport}
	switch {
	case found.Protocol == ip.ProtocolUDP && s.transport == wire.UDP:
		s.datagram(&found, place)
	case found.Protocol == ip.ProtocolTCP && s.transport == wire.TCP:
		var segment tcp.Segment
		if segment.Parse(found.Payload, found.Missing) {
			place.Src = netip.AddrPortFrom(found.Src, segment.SrcPort)
			place.Dst = netip.AddrPortFrom(found.Dst, segment.DstPort)
			s.sample("Segment", place, segment.Payload, segment.Missing)
		}
	}
}

func (s *portSampler) datagram(p *ip.Packet, place wire.Place) {
	const header = 8
	if len(p.Payload) < header {
		return
	}
	place.Src = netip.AddrPortFrom(p.Src, binary.BigEndian.Uint16(p.Payload))
	place.Dst = netip.AddrPortFrom(p.Dst, binary.BigEndian.Uint16(p.Payload[2:]))
	s.sample("Datagram", place, p.Payload[header:], p.Missing)
}

// sample writes a payload that was sent to or from the port. The endpoint with the port is the server.
func (s *portSampler) sample(kind string, place wire.Place, data []byte, missing int) {
	c := wire.Context{Direction: wire.ToServer, Transport: s.transport, Missing: missing}
	switch s.port {
	case place.Dst.Port():
	case place.Src.Port():
		c.Direction = wire.FromServer
	default:
		return
	}
	if len(data) > 0 {
		s.to.write(&sample{kind: kind, place: place, context: c, data: data})
	}
}
