package split

import (
	"encoding/binary"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// A finder finds the packets in frames, with their hosts.
type finder struct {
	packet, inner, outer ip.Packet
	shown                parcel // the current parcel, reused
}

// A parcel is a packet without the tunnels around it, or a fragment.
type parcel struct {
	*ip.Packet
	broadcast bool       // link-layer broadcast
	carrier   *ip.Packet // datagram that carried it and may also belong to a game; nil: none
	sealed    bool       // a fragment that may carry a packet in a tunnel
}

// ends returns the hosts of a parcel. For multicast and broadcast it returns an invalid address.
func (p *parcel) ends() (src, dst netip.Addr) {
	if p.broadcast || !single(p.Dst) {
		return p.source(), netip.Addr{}
	}
	return p.source(), p.Dst
}

func (p *parcel) source() netip.Addr {
	if !single(p.Src) {
		return netip.Addr{}
	}
	return p.Src
}

// single reports whether an address may belong to a single host.
func single(a netip.Addr) bool {
	return a.IsValid() && !a.IsUnspecified() && !a.IsMulticast() && a != netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

// each calls a function for each packet in a frame. It reports whether there was more than one packet.
func (x *finder) each(f *decode.Frame, take func(*parcel)) (several bool) {
	everybody := isBroadcast(f.Link, f.Data)
	outcome := ip.Find(f.Link, f.Data, f.Length, &x.packet)
	for {
		rest := x.packet.Rest()
		if outcome == ip.Found {
			x.open(everybody, take)
		}
		if rest.Empty() {
			return several
		}
		several = true
		outcome = rest.Find(&x.packet)
	}
}

// open takes the current packet out of its tunnels.
func (x *finder) open(everybody bool, take func(*parcel)) {
	p := &x.shown
	*p = parcel{Packet: &x.packet, broadcast: everybody && x.packet.Tunnels == 0}
	for {
		if p.Fragment {
			p.sealed = mayHoldTunnel(p.Packet)
			break
		}
		tunnel := p.Tunnel()
		if tunnel == ip.NoTunnel || ip.Open(p.Packet, &x.inner) != ip.Found {
			break
		}
		p.broadcast = false
		if p.Protocol == ip.ProtocolUDP {
			x.outer = x.packet
			p.carrier = &x.outer
		}
		x.packet = x.inner
	}
	take(p)
}

// mayHoldTunnel reports whether a fragment may belong to a packet that carries another packet. Only the first fragment
// of a datagram shows whether the datagram is such a packet.
func mayHoldTunnel(p *ip.Packet) bool {
	const icmp, icmp6 = 1, 58
	switch p.Protocol {
	case ip.ProtocolUDP:
		return p.Offset == 0 && p.Tunnel() != ip.NoTunnel
	case ip.ProtocolTCP, icmp, icmp6:
		return false
	}
	return true
}

// isBroadcast reports whether a frame is a link-layer broadcast.
func isBroadcast(link uint16, frame []byte) bool {
	const cookedBroadcast = 1
	switch {
	case link == ip.LinkEthernet && len(frame) >= 6:
		return binary.BigEndian.Uint32(frame) == 1<<32-1 && binary.BigEndian.Uint16(frame[4:]) == 1<<16-1
	case link == ip.LinkSLL && len(frame) >= 2:
		return frame[0] == 0 && frame[1] == cookedBroadcast
	case link == ip.LinkSLL2 && len(frame) > 10:
		return frame[10] == cookedBroadcast
	}
	return false
}
