package iptest

import (
	"encoding/binary"
	"slices"
)

// Link types: see package ip.
const (
	linkENC            = 109
	linkPFLOG          = 117
	linkNFLOG          = 239
	linkPKTAP          = 258
	linkBroadcom       = 281
	linkBroadcomBefore = 282
	linkDSA            = 284
	linkEDSA           = 285
)

// furtherOverIP returns tunnels of routers, sensors and service chains.
func furtherOverIP() []Tunnel {
	const gpe, tzsp, l2tp, gre, ah, overIP = 4790, 37008, 1701, 47, 51, 115
	withHeader := func(port uint16, header ...byte) func([]byte) []byte {
		return func(packet []byte) []byte { return frame(ip4(17, udp(port, join(header, packet)))) }
	}
	withFrame := func(port uint16, header ...byte) func([]byte) []byte {
		return func(packet []byte) []byte { return frame(ip4(17, udp(port, join(header, frame(packet))))) }
	}
	ppp := func(packet []byte) []byte { return join([]byte{0xff, 3, 0}, pppProtocol(packet), packet) }
	return []Tunnel{
		{Name: "VXLAN-GPE", Wrap: withFrame(gpe, 0x0c, 0, 0, 3, 0, 0x12, 0x34, 0)},
		{Name: "VXLAN-GPE without a number of its content", Wrap: withFrame(gpe, 0x08, 0, 0, 0, 0, 0x12, 0x34, 0)},
		{Name: "VXLAN-GPE of IP", Wrap: withHeader(gpe, 0x0c, 0, 0, 1, 0, 0x12, 0x34, 0)},
		{Name: "NSH in VXLAN-GPE", Wrap: withHeader(gpe,
			0x0c, 0, 0, 4, 0, 0x12, 0x34, 0, 0x0f, 0xc2, 2, 1, 0, 0, 7, 255)},
		{Name: "TZSP", Wrap: withFrame(tzsp, 1, 0, 0, 1, 10, 1, 0xc8, 0, 1)},
		{Name: "TZSP without tags", Wrap: withFrame(tzsp, 1, 1, 0, 1, 1)},
		{Name: "TZSP of Wi-Fi", Wrap: func(packet []byte) []byte {
			content := join(wifiHeader(0x08, 0x01), snap(packet), packet)
			return frame(ip4(17, udp(tzsp, join([]byte{1, 0, 0, 18, 60, 2, 1, 2, 1}, content))))
		}},
		{Name: "L2TP", Wrap: func(packet []byte) []byte {
			return frame(ip4(17, udp(l2tp, join([]byte{0, 2, 0, 7, 0, 9}, ppp(packet)))))
		}},
		{Name: "L2TP with all fields", Wrap: func(packet []byte) []byte {
			content := ppp(packet)
			header := binary.BigEndian.AppendUint16([]byte{0x4a, 2}, uint16(16+len(content)))
			header = append(header, 0, 7, 0, 9, 0, 1, 0, 2, 0, 2, 0, 0)
			return frame(ip4(17, udp(l2tp, join(header, content))))
		}},
		{Name: "L2TPv3 in UDP", Wrap: withFrame(l2tp, 0, 3, 0, 0, 0, 0, 0, 9)},
		{Name: "L2TPv3 with a cookie and a sublayer", Wrap: func(packet []byte) []byte {
			header := []byte{0, 0, 0, 9, 0xc0, 1, 2, 3, 4, 5, 6, 7, 0x40, 0, 0, 1}
			return frame(ip4(overIP, join(header, frame(packet))))
		}},
		{Name: "AH", Wrap: func(packet []byte) []byte {
			header := []byte{versionProtocol(packet), 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
			return frame(ip4(ah, join(header, packet)))
		}},
		{Name: "WCCP", Wrap: func(packet []byte) []byte {
			return frame(ip4(gre, join([]byte{0, 0, 0x88, 0x3e, 0, 0, 0, 5}, packet)))
		}},
		{Name: "WCCP of an alternative bucket", Wrap: func(packet []byte) []byte {
			return frame(ip4(gre, join([]byte{0, 0, 0x88, 0x3e, 0x40, 0, 4, 5}, packet)))
		}},
		{Name: "NSH in GRE", Wrap: func(packet []byte) []byte {
			return frame(ip4(gre, join([]byte{0, 0, 0x89, 0x4f, 0, 0x46, 1, 3, 0, 0, 7, 255}, make([]byte, 16), frame(packet))))
		}},
	}
}

// withShims returns frames with a further header between the Ethernet header and the packet.
func withShims() []Tunnel {
	const macsec, nsh, metadata, hsr, edsa = 0x88e5, 0x894f, 0x8909, 0x892f, 0xdada
	typed := func(packet []byte, header ...byte) []byte {
		return join(binary.BigEndian.AppendUint16(slices.Clip(header), etherTypeOf(packet)), packet)
	}
	check := make([]byte, 16)
	return []Tunnel{
		{Name: "HSR", Plain: true, Wrap: func(packet []byte) []byte {
			return ethernet(hsr, typed(packet, 0x10, 0x2a, 0, 5))
		}},
		{Name: "Cisco's metadata", Plain: true, Wrap: func(packet []byte) []byte {
			return ethernet(metadata, typed(packet, 1, 1, 0, 1, 0, 10))
		}},
		{Name: "MACsec", Plain: true, Wrap: func(packet []byte) []byte {
			return ethernet(macsec, join(typed(packet, 0, 0, 0, 0, 0, 7), check))
		}},
		{Name: "MACsec with a channel", Plain: true, Wrap: func(packet []byte) []byte {
			return ethernet(macsec, join(typed(packet, 0x20, 0, 0, 0, 0, 7, 2, 0, 0, 0, 0, 9, 0, 1), check))
		}},
		{Name: "Marvell's tag after an EtherType", Plain: true, Wrap: func(packet []byte) []byte {
			return ethernet(edsa, typed(packet, 0, 0, 0xc0, 0x10, 0, 0))
		}},
		{Name: "NSH", Wrap: func(packet []byte) []byte {
			number := byte(1)
			if isIPv6(packet) {
				number = 2
			}
			return ethernet(nsh, join([]byte{0x0f, 0xc2, 2, number, 0, 0, 7, 255}, packet))
		}},
	}
}

// onLogs returns frames on the links of packet filters, IPsec and macOS.
func onLogs() []Tunnel {
	family := func(packet []byte) byte {
		if isIPv6(packet) {
			return 24
		}
		return 2
	}
	number := func(packet []byte) byte { // the address family on Linux
		if isIPv6(packet) {
			return 10
		}
		return 2
	}
	attribute := func(order binary.AppendByteOrder, kind uint16, content []byte) []byte {
		header := order.AppendUint16(order.AppendUint16(nil, uint16(4+len(content))), kind)
		return join(header, content, make([]byte, -len(content)&3))
	}
	pktap := func(link byte, content []byte) []byte {
		header := make([]byte, 108)
		header[0], header[4], header[8] = 108, 1, link
		copy(header[12:], "en0")
		return join(header, content)
	}
	return []Tunnel{
		{Name: "ENC", Plain: true, Link: linkENC, Wrap: func(packet []byte) []byte {
			return join([]byte{family(packet), 0, 0, 0, 0, 0, 1, 2, 0, 0, 8, 0}, packet)
		}},
		{Name: "PFLOG", Plain: true, Link: linkPFLOG, Wrap: func(packet []byte) []byte {
			header := make([]byte, 64)
			header[0], header[1], header[60] = 61, family(packet), 1
			copy(header[4:], "em0")
			return join(header, packet)
		}},
		{Name: "PFLOG with addresses", Plain: true, Link: linkPFLOG, Wrap: func(packet []byte) []byte {
			header := make([]byte, 100)
			header[0], header[1] = 100, family(packet)
			return join(header, packet)
		}},
		{Name: "NFLOG", Plain: true, Link: linkNFLOG, Wrap: func(packet []byte) []byte {
			return join([]byte{number(packet), 0, 0, 5}, attribute(binary.LittleEndian, 10, []byte("game\x00")),
				attribute(binary.LittleEndian, 9, packet), attribute(binary.LittleEndian, 11, []byte{1, 2, 3, 4}))
		}},
		{Name: "NFLOG of another host", Plain: true, Link: linkNFLOG, Wrap: func(packet []byte) []byte {
			return join([]byte{number(packet), 0, 0, 5}, attribute(binary.BigEndian, 1, []byte{8, 0, 1, 0}),
				attribute(binary.BigEndian, 9, packet))
		}},
		{Name: "PKTAP", Plain: true, Link: linkPKTAP, Wrap: func(packet []byte) []byte { return pktap(1, frame(packet)) }},
		{Name: "PKTAP of raw IP", Plain: true, Link: linkPKTAP, Wrap: func(packet []byte) []byte {
			return pktap(12, packet)
		}},
	}
}

// onSwitches returns frames with the tag of a switch chip.
func onSwitches() []Tunnel {
	tagged := func(tag ...byte) func([]byte) []byte {
		return func(packet []byte) []byte { f := frame(packet); return join(f[:12], tag, f[12:]) }
	}
	return []Tunnel{
		{Name: "Broadcom's tag", Plain: true, Link: linkBroadcom, Wrap: tagged(0x20, 0, 0, 1)},
		{Name: "Broadcom's tag before addresses", Plain: true, Link: linkBroadcomBefore, Wrap: func(packet []byte) []byte {
			return join([]byte{0x20, 0, 0, 1}, frame(packet))
		}},
		{Name: "Marvell's tag", Plain: true, Link: linkDSA, Wrap: tagged(0xc0, 0x10, 0, 0)},
		{Name: "Marvell's tag with its EtherType", Plain: true, Link: linkEDSA,
			Wrap: tagged(0xda, 0xda, 0, 0, 0xc0, 0x10, 0, 0)},
	}
}
