package ip

import "fmt"

// A Kind is the kind of a frame that contains no IP packet, or the kind of a packet that is neither TCP nor UDP.
type Kind struct {
	Layer  Layer   // the last header that was read
	Number uint16  // the number in Layer's header that names the next header: an EtherType, a protocol number ...
	State  Outcome // Malformed, Truncated, TooDeep or UnknownLink; any other value: the header was read
}

// A Layer is a kind of header.
type Layer uint8

// The layers.
const (
	InLink      Layer = iota // the number is the link type
	InLoopback               // the number is an address family
	InEtherType              // the number is an EtherType
	InLLC                    // the number is a service access point
	InPPP
	InMPLS // the number is the first four bits after the label stack
	InWiFi // the number is the type and subtype of the frame, 4 bits each, or a constant below
	InGRE  // the number is the version
	InIP   // the content is neither IPv4 nor IPv6
	InIPv4 // the number is a protocol number
	InIPv6
)

// Kinds of undecoded Wi-Fi frames, in addition to frame types.
const (
	wifiEncrypted = 0x100 + iota
	wifiFragment
	wifiDamaged
)

// other sets the kind of a frame that is not decoded further, and returns v.
func (p *Packet) other(v Outcome, in Layer, number uint16) Outcome {
	p.Kind = Kind{Layer: in, Number: number, State: v}
	return v
}

// broken sets the kind of a frame with an inconsistent header, and returns Malformed.
func (p *Packet) broken(in Layer) Outcome { return p.other(Malformed, in, 0) }

// tooShort sets the kind of a frame that ends inside a header. It returns Truncated if the snap length cut the frame,
// and Malformed otherwise.
func (p *Packet) tooShort(in Layer, data []byte, length int) Outcome {
	if length > len(data) {
		return p.other(Truncated, in, 0)
	}
	return p.broken(in)
}

// KindOf returns the kind of a packet's content.
func KindOf(p *Packet) Kind {
	if p.Src.Is4() {
		return Kind{Layer: InIPv4, Number: uint16(p.Protocol)}
	}
	return Kind{Layer: InIPv6, Number: uint16(p.Protocol)}
}

func (l Layer) String() string {
	return [...]string{
		"link", "loopback", "EtherType", "LLC", "PPP", "MPLS", "Wi-Fi", "GRE", "IP", "IPv4", "IPv6",
	}[l]
}

var numberNames = map[Layer]map[uint16]string{
	InEtherType: {
		0x0806: "ARP", 0x0842: "Wake-on-LAN", 0x8035: "RARP", 0x8808: "flow control", 0x8809: "LACP",
		0x8863: "PPPoE discovery", 0x888e: "802.1X",
		0x8892: "PROFINET", 0x88a2: "AoE", 0x88cc: "LLDP", 0x88e1: "HomePlug", 0x88e5: "MACsec",
		0x88f7: "PTP", 0x8902: "CFM", 0x9000: "loopback test",
	},
	InLLC: {0x42: "STP", 0xaa: "SNAP", 0xe0: "IPX", 0xf0: "NetBIOS", 0xfe: "IS-IS"},
	InPPP: {
		0x00fd: "compressed or encrypted", 0x8021: "IPCP", 0x8057: "IPv6CP", 0x80fd: "CCP", 0xc021: "LCP", 0xc023: "PAP",
		0xc223: "CHAP",
	},
	InWiFi: {wifiEncrypted: "encrypted data", wifiFragment: "fragment", wifiDamaged: "damaged frame"},
	InIPv4: protocolNames, InIPv6: protocolNames,
}

var protocolNames = map[uint16]string{
	0: "hop-by-hop options", 1: "ICMP", 2: "IGMP", 4: "IPv4", 6: "TCP", 17: "UDP", 41: "IPv6", 46: "RSVP", 47: "GRE",
	50: "ESP", 51: "AH", 58: "ICMPv6",
	59: "nothing", 88: "EIGRP", 89: "OSPF", 97: "EtherIP", 103: "PIM", 112: "VRRP", 115: "L2TP",
	132: "SCTP", 136: "UDP-Lite", 137: "MPLS",
}

// String returns a name such as "ARP", "ICMPv6" or "broken header".
func (k Kind) String() string {
	switch k.State {
	case Malformed:
		return "broken header"
	case Truncated:
		return "header cut off"
	case TooDeep:
		return "too many tunnels"
	case UnknownLink:
		return "not read"
	}
	if name, ok := numberNames[k.Layer][k.Number]; ok {
		return name
	}
	switch k.Layer {
	case InEtherType, InPPP:
		return fmt.Sprintf("0x%04x", k.Number)
	case InLLC:
		return fmt.Sprintf("0x%02x", k.Number)
	case InWiFi:
		return wifiName(k.Number)
	}
	return fmt.Sprint(k.Number)
}
