// Package iptest puts packets into tunnels, for tests of code that reads them.
//
// Other programs must not rely on it, see docs/api.md.
package iptest

import (
	"encoding/binary"
	"slices"
)

// Link types: see package ip.
const (
	linkEthernet = 1
	linkPPP      = 9
	linkPPPHDLC  = 50
	linkPPPoE    = 51
	linkHDLC     = 104
	linkWiFi     = 105
	linkRadiotap = 127
	linkPPI      = 192
	linkMPLS     = 219
)

// A Tunnel puts a whole IP packet into a frame.
type Tunnel struct {
	Name string
	Link uint16
	Wrap func(packet []byte) (frame []byte)

	Plain bool // it is an unusual link, not a tunnel
}

// Tunnels returns all tunnels that package ip reads, with headers from the documents that define them.
func Tunnels() []Tunnel {
	all := slices.Concat(overIP(), overUDP(), onEthernet(), onOtherLinks(), furtherOverIP(), withShims(), onLogs(),
		onSwitches())
	for i := range all {
		if all[i].Link == 0 {
			all[i].Link = linkEthernet
		}
	}
	return all
}

func overIP() []Tunnel {
	const ipv6, gre, etherIP, mpls = 41, 47, 97, 137
	with := func(protocol byte, header ...byte) func([]byte) []byte {
		return func(packet []byte) []byte { return frame(ip4(protocol, join(header, packet))) }
	}
	withFrame := func(protocol byte, header ...byte) func([]byte) []byte {
		return func(packet []byte) []byte { return frame(ip4(protocol, join(header, frame(packet)))) }
	}
	typed := func(packet []byte) []byte { return binary.BigEndian.AppendUint16(nil, etherTypeOf(packet)) }
	return []Tunnel{
		{Name: "IP in IPv4", Wrap: func(packet []byte) []byte { return frame(ip4(versionProtocol(packet), packet)) }},
		{Name: "IP in IPv6", Wrap: func(packet []byte) []byte { return frame(ip6(versionProtocol(packet), packet)) }},
		{Name: "IP in IPv6 with options", Wrap: func(packet []byte) []byte {
			const destinationOptions = 60
			limit := []byte{versionProtocol(packet), 0, 4, 1, 4, 1, 1, 0} // tunnel encapsulation limit, RFC 2473
			return frame(ip6(destinationOptions, join(limit, packet)))
		}},
		{Name: "GRE", Wrap: func(packet []byte) []byte {
			return with(gre, join([]byte{0, 0}, typed(packet))...)(packet)
		}},
		{Name: "GRE with checksum, key and number", Wrap: func(packet []byte) []byte {
			return with(gre, join([]byte{0xb0, 0}, typed(packet), []byte{0xab, 0xcd, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1})...)(packet)
		}},
		{Name: "GRE over IPv6", Wrap: func(packet []byte) []byte {
			return frame(ip6(gre, join([]byte{0, 0}, typed(packet), packet)))
		}},
		{Name: "NVGRE", Wrap: withFrame(gre, 0x20, 0, 0x65, 0x58, 0, 0x12, 0x34, 0)},
		{Name: "MPLS in GRE", Wrap: with(gre, 0, 0, 0x88, 0x47, 0, 1, 0x01, 64)},
		{Name: "ERSPAN I", Wrap: withFrame(gre, 0, 0, 0x88, 0xbe)},
		{Name: "ERSPAN II", Wrap: withFrame(gre, 0x10, 0, 0x88, 0xbe, 0, 0, 0, 9, 0x10, 1, 0, 1, 0, 0, 0, 0)},
		{Name: "ERSPAN III", Wrap: withFrame(gre, 0x10, 0, 0x22, 0xeb, 0, 0, 0, 9, 0x20, 1, 0, 1, 1, 2, 3, 4, 0, 0, 0, 0)},
		{Name: "ERSPAN III with a subheader", Wrap: withFrame(gre, 0x10, 0, 0x22, 0xeb, 0, 0, 0, 9,
			0x20, 1, 0, 1, 1, 2, 3, 4, 0, 0, 0, 1, 0x0c, 0, 0, 0, 0, 0, 0, 0)},
		{Name: "PPTP", Wrap: func(packet []byte) []byte {
			content := join([]byte{0xff, 0x03, 0}, pppProtocol(packet), packet)
			header := []byte{0x30, 0x81, 0x88, 0x0b, byte(len(content) >> 8), byte(len(content)), 0, 1, 0, 0, 0, 5, 0, 0, 0, 4}
			return frame(ip4(gre, join(header, content)))
		}},
		{Name: "EtherIP", Wrap: withFrame(etherIP, 0x30, 0)},
		{Name: "MPLS in IP", Wrap: with(mpls, 0, 1, 0x01, 64)},
		{Name: "GRE in IPv6 in IPv4", Wrap: func(packet []byte) []byte {
			return frame(ip4(ipv6, ip6(gre, join([]byte{0, 0}, typed(packet), packet))))
		}},
	}
}

func overUDP() []Tunnel {
	const vxlan, vxlanOfLinux, geneve, gtp, teredo = 4789, 8472, 6081, 2152, 3544
	vni := []byte{0x08, 0, 0, 0, 0, 0x12, 0x34, 0}
	withFrame := func(port uint16, header ...byte) func([]byte) []byte {
		return func(packet []byte) []byte { return frame(ip4(17, udp(port, join(header, frame(packet))))) }
	}
	gtpHeader := func(flags byte, more []byte, packet []byte) []byte {
		size := len(more) + len(packet)
		header := []byte{0x30 | flags, 0xff, byte(size >> 8), byte(size), 0, 0, 0xbe, 0xef}
		return frame(ip4(17, udp(gtp, join(header, more, packet))))
	}
	return []Tunnel{
		{Name: "VXLAN", Wrap: withFrame(vxlan, vni...)},
		{Name: "VXLAN at Linux's port", Wrap: withFrame(vxlanOfLinux, vni...)},
		{Name: "VXLAN with group policy", Wrap: withFrame(vxlan, 0x88, 0x48, 0, 7, 0, 0x12, 0x34, 0)},
		{Name: "VXLAN over IPv6", Wrap: func(packet []byte) []byte {
			return frame(ip6(17, udp(vxlan, join(vni, frame(packet)))))
		}},
		{Name: "VXLAN with tags", Wrap: func(packet []byte) []byte {
			return frame(ip4(17, udp(vxlan, join(vni, tagged(packet)))))
		}},
		{Name: "Geneve", Wrap: withFrame(geneve, 0, 0, 0x65, 0x58, 0, 0x12, 0x34, 0)},
		{Name: "Geneve with options, of IP", Wrap: func(packet []byte) []byte {
			header := join([]byte{0x02, 0x40}, binary.BigEndian.AppendUint16(nil, etherTypeOf(packet)),
				[]byte{0, 0x12, 0x34, 0, 1, 2, 0x80, 1, 9, 9, 9, 9})
			return frame(ip4(17, udp(geneve, join(header, packet))))
		}},
		{Name: "GTP-U", Wrap: func(packet []byte) []byte { return gtpHeader(0, nil, packet) }},
		{Name: "GTP-U with a number", Wrap: func(packet []byte) []byte {
			return gtpHeader(0x02, []byte{0, 5, 0, 0}, packet)
		}},
		{Name: "GTP-U with extension headers", Wrap: func(packet []byte) []byte {
			const session = 0x85
			return gtpHeader(0x04, []byte{0, 0, 0, session, 1, 0x10, 9, 0xc0, 1, 0, 0, 0}, packet)
		}},
		{Name: "Teredo", Wrap: func(packet []byte) []byte {
			return frame(ip4(17, udp(teredo, asIPv6(packet))))
		}},
		{Name: "Teredo with indications", Wrap: func(packet []byte) []byte {
			indications := []byte{0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0x11, 0x22, 1, 2, 3, 4}
			return frame(ip4(17, udp(teredo, join(indications, asIPv6(packet)))))
		}},
		{Name: "GRE in VXLAN", Wrap: func(packet []byte) []byte {
			gre := join([]byte{0, 0}, binary.BigEndian.AppendUint16(nil, etherTypeOf(packet)), packet)
			return frame(ip4(17, udp(vxlan, join(vni, frame(ip4(47, gre))))))
		}},
	}
}

func onEthernet() []Tunnel {
	const mpls, pppoe = 0x8847, 0x8864
	return []Tunnel{
		{Name: "QinQ", Plain: true, Wrap: tagged},
		{Name: "SNAP", Plain: true, Wrap: func(packet []byte) []byte {
			const most = 1500 // loopback frames may be longer, but a larger number may be an EtherType
			return ethernet(uint16(min(len(packet)+8, most)), join(snap(packet), packet))
		}},
		{Name: "PPPoE", Plain: true, Wrap: func(packet []byte) []byte {
			return ethernet(pppoe, join(pppoeHeader(packet), packet))
		}},
		{Name: "MPLS", Plain: true, Wrap: func(packet []byte) []byte {
			return ethernet(mpls, join([]byte{0, 1, 0x01, 64}, packet))
		}},
		{Name: "MPLS with three labels", Plain: true, Wrap: func(packet []byte) []byte {
			return ethernet(mpls, join([]byte{0, 1, 0, 64, 0, 2, 0, 64, 0, 3, 0x01, 64}, packet))
		}},
		{Name: "pseudowire", Wrap: func(packet []byte) []byte {
			return ethernet(mpls, join([]byte{0, 1, 0x01, 64}, frame(packet)))
		}},
		{Name: "pseudowire with a control word", Wrap: func(packet []byte) []byte {
			return ethernet(mpls, join([]byte{0, 1, 0, 64, 0, 2, 0x01, 64, 0, 0, 0, 7}, tagged(packet)))
		}},
	}
}

func onOtherLinks() []Tunnel {
	wifi := func(packet []byte) []byte { return join(wifiHeader(0x08, 0x01), snap(packet), packet) }
	radiotap := []byte{0, 0, 9, 0, 0x02, 0, 0, 0, 0}
	return []Tunnel{
		{Name: "PPP", Plain: true, Link: linkPPP, Wrap: func(packet []byte) []byte {
			return join([]byte{0}, pppProtocol(packet), packet)
		}},
		{Name: "PPP in HDLC", Plain: true, Link: linkPPPHDLC, Wrap: func(packet []byte) []byte {
			return join([]byte{0xff, 0x03}, pppProtocol(packet), packet)
		}},
		{Name: "PPPoE alone", Plain: true, Link: linkPPPoE, Wrap: func(packet []byte) []byte {
			return join(pppoeHeader(packet), packet)
		}},
		{Name: "Cisco HDLC", Plain: true, Link: linkHDLC, Wrap: func(packet []byte) []byte {
			return join([]byte{0x0f, 0}, binary.BigEndian.AppendUint16(nil, etherTypeOf(packet)), packet)
		}},
		{Name: "MPLS alone", Plain: true, Link: linkMPLS, Wrap: func(packet []byte) []byte {
			return join([]byte{0, 1, 0x01, 64}, packet)
		}},
		{Name: "Wi-Fi", Link: linkWiFi, Wrap: wifi},
		{Name: "Wi-Fi between access points", Link: linkWiFi, Wrap: func(packet []byte) []byte {
			return join(wifiHeader(0x08, 0x03), []byte{2, 0, 0, 0, 0, 4}, snap(packet), packet)
		}},
		{Name: "Wi-Fi with quality of service", Link: linkWiFi, Wrap: func(packet []byte) []byte {
			return join(wifiHeader(0x88, 0x02), []byte{5, 0}, snap(packet), packet)
		}},
		{Name: "Wi-Fi with high throughput", Link: linkWiFi, Wrap: func(packet []byte) []byte {
			return join(wifiHeader(0x88, 0x82), []byte{5, 0, 1, 2, 3, 4}, snap(packet), packet)
		}},
		{Name: "Wi-Fi, aggregated", Link: linkWiFi, Wrap: func(packet []byte) []byte {
			part := func(payload []byte) []byte { return ethernet(uint16(len(payload)), payload) }
			arp := part([]byte{0xaa, 0xaa, 3, 0, 0, 0, 8, 6, 1, 2, 3})
			return join(wifiHeader(0x88, 0x01), []byte{0x80, 0}, arp, make([]byte, -len(arp)&3),
				part(join(snap(packet), packet)))
		}},
		{Name: "radiotap", Link: linkRadiotap, Wrap: func(packet []byte) []byte {
			return join(radiotap, wifi(packet))
		}},
		{Name: "radiotap with checksum", Link: linkRadiotap, Wrap: func(packet []byte) []byte {
			header := []byte{0, 0, 18, 0, 0x03, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0x10, 0} // with a time of 8 bytes
			return join(header, wifi(packet), []byte{0xde, 0xad, 0xbe, 0xef})
		}},
		{Name: "radiotap with padding", Link: linkRadiotap, Wrap: func(packet []byte) []byte {
			header := []byte{0, 0, 25, 0, 0x03, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0x20}
			return join(header, wifiHeader(0x88, 0x01), []byte{0, 0, 0, 0}, snap(packet), packet)
		}},
		{Name: "PPI", Link: linkPPI, Wrap: func(packet []byte) []byte {
			return join([]byte{0, 0, 12, 0, linkWiFi, 0, 0, 0, 1, 2, 3, 4}, wifi(packet))
		}},
	}
}
