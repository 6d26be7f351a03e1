package ip

import "encoding/binary"

// A Tunnel is a protocol that carries packets inside packets.
type Tunnel uint8

// The supported tunnels.
const (
	NoTunnel Tunnel = iota
	IPinIP          // IPv4 or IPv6 directly after an IPv4 or IPv6 header
	GRE
	EtherIP
	MPLSinIP
	VXLAN
	Geneve
	GTP // GTP-U, of mobile networks
	Teredo
	VXLANGPE // VXLAN whose content may also be something other than a frame
	TZSP     // packets copied by a sensor, such as MikroTik's
	L2TP
)

func (t Tunnel) String() string {
	return [...]string{"", "IP in IP", "GRE", "EtherIP", "MPLS in IP", "VXLAN", "Geneve", "GTP-U", "Teredo",
		"VXLAN-GPE", "TZSP", "L2TP"}[t]
}

// MaxTunnels is the maximum number of nested tunnels around a packet. Data centres use two or three.
const MaxTunnels = 8

// enter counts a tunnel. It reports whether the number of nested tunnels is within the limit.
func (p *Packet) enter() bool {
	p.Tunnels++
	if p.Tunnels > MaxTunnels {
		p.other(TooDeep, InIP, 0)
		return false
	}
	return true
}

// Tunnel returns the tunnel that a packet's protocol and port indicate. Other programs may use the same port, so Open
// also checks the content. Fragments must be joined first.
func (p *Packet) Tunnel() Tunnel {
	switch p.Protocol {
	case ProtocolUDP:
		return p.udpTunnel()
	case protocolIPv4, protocolIPv6:
		return IPinIP
	case protocolGRE:
		return GRE
	case protocolEthernet:
		return EtherIP
	case protocolMPLS:
		return MPLSinIP
	case protocolL2TP:
		return L2TP
	}
	return NoTunnel
}

// udpTunnel is Tunnel for UDP. Most tunnels have a fixed destination port; a Teredo server also answers from its port.
func (p *Packet) udpTunnel() Tunnel {
	if len(p.Payload) < udpHeader {
		return NoTunnel
	}
	switch binary.BigEndian.Uint16(p.Payload[2:]) {
	case 4789, 8472: // 8472: Linux, before 4789 was registered
		return VXLAN
	case 6081:
		return Geneve
	case 2152:
		return GTP
	case portTeredo:
		return Teredo
	case 4790:
		return VXLANGPE
	case 37008:
		return TZSP
	case portL2TP:
		return L2TP
	}
	if binary.BigEndian.Uint16(p.Payload) == portTeredo {
		return Teredo
	}
	return NoTunnel
}

// Open finds the packet inside a packet that is a tunnel (see Tunnel). It does not change p. If the outcome is not
// Found, p is not a tunnel or its content cannot be read, and inner.Kind shows why.
func Open(p, inner *Packet) Outcome {
	inner.Tunnels = p.Tunnels
	if !inner.enter() {
		return TooDeep
	}
	data, length := p.Payload, len(p.Payload)+p.Missing
	var v Outcome
	switch p.Tunnel() {
	case NoTunnel:
		return inner.setKind(KindOf(p))
	case IPinIP:
		v = findIP(data, length, inner)
	case GRE:
		v = findInGRE(data, length, inner)
	case EtherIP:
		v = findInEtherIP(data, length, inner)
	case MPLSinIP:
		v = findInMPLS(data, length, inner)
	default:
		if p.Protocol == protocolL2TP {
			v = findInL2TPv3(data, length, inner)
		} else {
			v = findInUDP(p, inner)
		}
	}
	if v == Found && inner.Missing > p.Missing {
		return inner.broken(InIP) // the inner packet is larger than the outer one
	}
	return v
}

func (p *Packet) setKind(k Kind) Outcome {
	p.Kind = k
	return OtherTraffic
}

// findInEtherIP reads an Ethernet frame after the EtherIP header, which contains only a version (RFC 3378).
func findInEtherIP(data []byte, length int, p *Packet) Outcome {
	const header, version = 2, 0x30
	if len(data) < header {
		return p.tooShort(InIP, data, length)
	}
	if data[0]&0xf0 != version {
		return p.broken(InIP)
	}
	return findFrame(data[header:], length-header, p)
}

// findInGRE reads a packet after a GRE header: version 0 (RFC 2784 and 2890), or version 1 as used by PPTP (RFC 2637).
func findInGRE(data []byte, length int, p *Packet) Outcome {
	const (
		least                            = 4
		withChecksum, withRoute, withKey = 0x80, 0x40, 0x20 // flags in the first byte
		withNumber, withAcknowledgement  = 0x10, 0x80       // flags in the first and in the second byte
		versionMask, plain, pointToPoint = 0x07, 0, 1
		field                            = 4 // size of each optional field
	)
	if len(data) < least {
		return p.tooShort(InGRE, data, length)
	}
	flags, version := data[0], data[1]&versionMask
	if flags&withRoute != 0 || version > pointToPoint {
		return p.other(OtherTraffic, InGRE, uint16(version))
	}
	size := least
	for _, bit := range [...]byte{withChecksum, withKey, withNumber} {
		if flags&bit != 0 {
			size += field
		}
	}
	if version == pointToPoint && data[1]&withAcknowledgement != 0 {
		size += field
	}
	if len(data) < size {
		return p.tooShort(InGRE, data, length)
	}
	carries := binary.BigEndian.Uint16(data[2:])
	data, length = data[size:], length-size
	switch {
	case length == 0:
		return p.other(OtherTraffic, InGRE, uint16(version)) // an acknowledgement, or a keepalive
	case version == pointToPoint || carries == etherTypePPP:
		return findInPPP(data, length, p)
	case carries == etherTypeSpan2:
		return findInSpan(data, length, flags&withNumber != 0, p)
	case carries == etherTypeSpan3:
		return findInSpan3(data, length, p)
	case carries == etherTypeWCCP:
		return findInWCCP(data, length, p)
	}
	return findCarried(carries, data, length, p)
}

// findCarried reads the content of a tunnel by its EtherType. An Ethernet frame in the tunnel does not count as another
// tunnel.
func findCarried(etherType uint16, data []byte, length int, p *Packet) Outcome {
	if etherType == etherTypeBridge {
		return findFrame(data, length, p)
	}
	return findByEtherType(etherType, data, length, p)
}

// findInSpan reads a frame that a switch copied with ERSPAN. Type I has no header. Type II has a header, and a sequence
// number in the GRE header.
func findInSpan(data []byte, length int, numbered bool, p *Packet) Outcome {
	const header = 8
	if !numbered {
		return findFrame(data, length, p)
	}
	if len(data) < header {
		return p.tooShort(InGRE, data, length)
	}
	return findFrame(data[header:], length-header, p)
}

// findInSpan3 reads an ERSPAN frame of type III. The last bit of the header reports whether a platform-specific
// subheader follows, and five bits of the same word contain the frame type.
func findInSpan3(data []byte, length int, p *Packet) Outcome {
	const header, subheader, withSubheader, kindMask, ethernet, ipPacket = 12, 8, 0x01, 0x7c, 0, 2
	if len(data) < header {
		return p.tooShort(InGRE, data, length)
	}
	size, kind := header, data[10]&kindMask>>2
	if data[11]&withSubheader != 0 {
		size += subheader
	}
	if len(data) < size {
		return p.tooShort(InGRE, data, length)
	}
	switch data, length = data[size:], length-size; kind {
	case ethernet:
		return findFrame(data, length, p)
	case ipPacket:
		return findIP(data, length, p)
	}
	return p.other(OtherTraffic, InGRE, etherTypeSpan3)
}

// findInWCCP reads a packet that a router redirects with WCCP. In version 2, a header precedes the packet. The first
// byte of that header is never the first byte of an IPv4 header.
func findInWCCP(data []byte, length int, p *Packet) Outcome {
	const header, least, most = 4, 0x45, 0x4f
	if len(data) == 0 {
		return p.tooShort(InGRE, data, length)
	}
	if data[0] < least || data[0] > most {
		if len(data) < header {
			return p.tooShort(InGRE, data, length)
		}
		data, length = data[header:], length-header
	}
	return findIP(data, length, p)
}
