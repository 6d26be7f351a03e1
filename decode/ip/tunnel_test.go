package ip

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/decode/ip/iptest"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// innermost finds the packets of a frame and opens all tunnels. It returns the last packet that can be read.
func innermost(link uint16, data []byte, length int) (p Packet, v Outcome) {
	v = Find(link, data, length, &p)
	for v != Found && !p.Rest().Empty() {
		v = p.Rest().Find(&p)
	}
	for v == Found && !p.Fragment && p.Tunnel() != NoTunnel {
		var inner Packet
		if v = Open(&p, &inner); v == Found || v == TooDeep {
			p = inner
		}
	}
	return p, v
}

// withoutPorts reports whether a datagram is truncated before its ports. Without them it cannot be recognised as a
// tunnel.
func withoutPorts(p *Packet) bool {
	return p.Protocol == ProtocolUDP && len(p.Payload) < udpHeader && p.Missing > 0
}

// TestTunnels reads a packet of each IP version from every tunnel, complete and truncated at every byte.
func TestTunnels(t *testing.T) {
	for _, tunnel := range iptest.Tunnels() {
		for _, packet := range [][]byte{ipv4Packet(t), ipv6Packet(t)} {
			want := Packet{Src: testSrc4, Dst: testDst4, Protocol: ProtocolUDP, Payload: testDatagram, ID: 0x1234}
			if packet[0]>>4 == 6 {
				want.Src, want.Dst, want.ID = testSrc6, testDst6, 0
			}
			frame := tunnel.Wrap(packet)
			whole, v := innermost(tunnel.Link, frame, len(frame))
			if v != Found || !samePacket(&whole, &want) {
				t.Errorf("%s: outcome %d, %+v", tunnel.Name, v, whole)
				continue
			}
			for n := range frame {
				cut, v := innermost(tunnel.Link, frame[:n:n], len(frame))
				if v == Truncated || withoutPorts(&cut) || v == OtherTraffic && tunnel.Name == "Wi-Fi, aggregated" {
					continue // the second packet of a frame is missing
				}
				cut.Missing -= len(want.Payload) - len(cut.Payload)
				if v != Found || !bytes.HasPrefix(want.Payload, cut.Payload) {
					t.Errorf("%s cut at %d: outcome %d, %+v", tunnel.Name, n, v, cut)
					break
				}
				if cut.Payload = want.Payload; !samePacket(&cut, &want) {
					t.Errorf("%s cut at %d: %+v", tunnel.Name, n, cut)
					break
				}
			}
		}
	}
}

// TestTunnelsOfGopacket reads tunnels that gopacket writes.
func TestTunnelsOfGopacket(t *testing.T) {
	over := func(p layers.IPProtocol, port layers.UDPPort) []gopacket.SerializableLayer {
		network := &layers.IPv4{Version: 4, IHL: 5, TTL: 1, Protocol: p, SrcIP: testSrc4.AsSlice(), DstIP: testDst4.AsSlice()}
		if p != layers.IPProtocolUDP {
			return []gopacket.SerializableLayer{network}
		}
		return []gopacket.SerializableLayer{network, &layers.UDP{SrcPort: 50000, DstPort: port}}
	}
	for name, parts := range map[string][]gopacket.SerializableLayer{
		"vxlan": append(over(layers.IPProtocolUDP, 4789), &layers.VXLAN{ValidIDFlag: true, VNI: 77}, ethernet(layers.EthernetTypeIPv4)),
		"gre": append(over(layers.IPProtocolGRE, 0), &layers.GRE{
			ChecksumPresent: true, KeyPresent: true, SeqPresent: true, Key: 5, Protocol: layers.EthernetTypeIPv4,
		}),
		"mpls in gre": append(over(layers.IPProtocolGRE, 0), &layers.GRE{Protocol: layers.EthernetTypeMPLSUnicast},
			&layers.MPLS{Label: 7}, &layers.MPLS{Label: 8, StackBottom: true}),
		"erspan": append(over(layers.IPProtocolGRE, 0), &layers.GRE{SeqPresent: true, Protocol: layers.EthernetTypeERSPAN},
			&layers.ERSPANII{Version: 1}, ethernet(layers.EthernetTypeIPv4)),
		"gtp":        append(over(layers.IPProtocolUDP, 2152), &layers.GTPv1U{Version: 1, MessageType: 255, MessageLength: uint16(len(ipv4Packet(t)))}),
		"ip in ip":   over(layers.IPProtocolIPv4, 0),
		"pppoe":      {ethernet(layers.EthernetTypePPPoESession), &layers.PPPoE{Version: 1, Type: 1}, &layers.PPP{PPPType: layers.PPPTypeIPv4}},
		"pseudowire": {ethernet(layers.EthernetTypeMPLSUnicast), &layers.MPLS{StackBottom: true}, ethernet(layers.EthernetTypeIPv4)},
	} {
		link := uint16(LinkRaw)
		if _, ok := parts[0].(*layers.Ethernet); ok {
			link = LinkEthernet
		}
		frame := wiretest.Packet(t, append(parts, gopacket.Payload(ipv4Packet(t)))...)
		if p, v := innermost(link, frame, len(frame)); v != Found || !bytes.Equal(p.Payload, testDatagram) {
			t.Errorf("%s: outcome %d, %+v\n%x", name, v, p, frame)
		}
	}
}

// TestTunnelsRefuse reads packets that only look like tunnels, or have unreadable content.
func TestTunnelsRefuse(t *testing.T) {
	packet := ipv4Packet(t)
	of := func(name string) []byte {
		all := iptest.Tunnels()
		i := slices.IndexFunc(all, func(x iptest.Tunnel) bool { return x.Name == name })
		return all[i].Wrap(packet)
	}
	const ethernetHeader, outer, overUDP = 14, 14 + 20, 14 + 20 + 8
	for _, c := range []struct {
		name string
		link uint16
		data []byte
		want Outcome
	}{
		{"vxlan without a valid network number", LinkEthernet, patch(of("VXLAN"), overUDP, 0), Malformed},
		{"vxlan with reserved bits", LinkEthernet, patch(of("VXLAN"), overUDP+1, 1), Malformed},
		{"vxlan of arp", LinkEthernet, patch(of("VXLAN"), overUDP+8+12, 8, 6), OtherTraffic},
		{"a larger packet in vxlan", LinkEthernet, patch(of("VXLAN"), overUDP+8+14+2, 1), Malformed},
		{"geneve of another version", LinkEthernet, patch(of("Geneve"), overUDP, 0x40), Malformed},
		{"geneve with other content", LinkEthernet, patch(of("Geneve"), overUDP+2, 0x88, 0xcc), OtherTraffic},
		{"geneve with long options", LinkEthernet, patch(of("Geneve"), overUDP, 0x3f), Malformed},
		{"gtp echo", LinkEthernet, patch(of("GTP-U"), overUDP+1, 1), Malformed},
		{"gtp with another length", LinkEthernet, patch(of("GTP-U"), overUDP+3, 1), Malformed},
		{"gtp with an endless extension", LinkEthernet, patch(of("GTP-U with extension headers"), overUDP+12, 0), Malformed},
		{"teredo with another length", LinkEthernet, patch(of("Teredo"), overUDP+5, 1), Malformed},
		{"gre with a route", LinkEthernet, patch(of("GRE"), outer, 0x40), OtherTraffic},
		{"gre, version 2", LinkEthernet, patch(of("GRE"), outer+1, 2), OtherTraffic},
		{"gre without content", LinkEthernet, patch(of("GRE")[:outer+4], ethernetHeader+2, 0, 24), OtherTraffic},
		{"etherip, version 4", LinkEthernet, patch(of("EtherIP"), outer, 0x40), Malformed},
		{"mpls without a bottom", LinkEthernet, append(tagged(t, layers.EthernetTypeMPLSUnicast), make([]byte, 400)...), Malformed},
		{"encrypted", LinkWiFi, patch(of("Wi-Fi"), 1, 0x41), OtherTraffic},
		{"fragment of wi-fi", LinkWiFi, patch(of("Wi-Fi"), 1, 0x05), OtherTraffic},
		{"later fragment", LinkWiFi, patch(of("Wi-Fi"), 22, 0x11), OtherTraffic},
		{"no data", LinkWiFi, patch(of("Wi-Fi"), 0, 0x48), OtherTraffic},
		{"beacon", LinkWiFi, patch(of("Wi-Fi"), 0, 0x80), OtherTraffic},
		{"damaged", LinkRadiotap, patch(of("radiotap with checksum"), 16, 0x50), OtherTraffic},
		{"radiotap with endless fields", LinkRadiotap, []byte{0, 0, 8, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x80}, Malformed},
		{"ppi of another link", LinkPPI, patch(of("PPI"), 4, 1), OtherTraffic},
		{"vxlan-gpe of another version", LinkEthernet, patch(of("VXLAN-GPE"), overUDP, 0x1c), Malformed},
		{"vxlan-gpe with other content", LinkEthernet, patch(of("VXLAN-GPE of IP"), overUDP+3, 7), OtherTraffic},
		{"tzsp, version 2", LinkEthernet, patch(of("TZSP"), overUDP, 2), Malformed},
		{"tzsp of token ring", LinkEthernet, patch(of("TZSP"), overUDP+3, 2), OtherTraffic},
		{"tzsp with endless tags", LinkEthernet, patch(of("TZSP"), overUDP+4, bytes.Repeat([]byte{0}, 80)...), Malformed},
		{"l2tp control", LinkEthernet, patch(of("L2TP"), overUDP, 0x80), OtherTraffic},
		{"l2tp, version 4", LinkEthernet, patch(of("L2TP"), overUDP+1, 4), Malformed},
		{"l2tp with another length", LinkEthernet, patch(of("L2TP with all fields"), overUDP+3, 1), Malformed},
		{"l2tp with a long offset", LinkEthernet, patch(of("L2TP with all fields"), overUDP+12, 9), Malformed},
		{"l2tpv3 with unknown content", LinkEthernet, patch(of("L2TPv3 in UDP"), overUDP+8+12, 0x12), Malformed},
		{"l2tpv3 control", LinkEthernet, patch(of("L2TPv3 in UDP"), overUDP+7, 0), OtherTraffic},
		{"wccp without a packet", LinkEthernet, patch(of("WCCP"), outer+8, 0x15), Malformed},
		{"nsh, version 1", LinkEthernet, patch(of("NSH"), ethernetHeader, 0x4f), Malformed},
		{"short nsh", LinkEthernet, patch(of("NSH"), ethernetHeader+1, 1), Malformed},
		{"long nsh", LinkEthernet, patch(of("NSH"), ethernetHeader+1, 0x3f), Malformed},
		{"nsh with other content", LinkEthernet, patch(of("NSH"), ethernetHeader+3, 9), OtherTraffic},
		{"nsh in nsh", LinkEthernet, append(ethernetOf(0x894f), bytes.Repeat([]byte{0, 2, 1, 4, 0, 0, 0, 0}, 20)...), TooDeep},
		{"encrypted by macsec", LinkEthernet, patch(of("MACsec"), ethernetHeader, 0x0c), OtherTraffic},
		{"macsec, version 1", LinkEthernet, patch(of("MACsec"), ethernetHeader, 0x80), OtherTraffic},
		{"rings in rings", LinkEthernet, append(ethernetOf(0x892f), bytes.Repeat([]byte{0, 0, 0, 0, 0x89, 0x2f}, 20)...), Malformed},
		{"ah of esp", LinkEthernet, patch(of("AH"), outer, 50), OtherTraffic},
		{"ah beyond the packet", LinkEthernet, patch(of("AH"), outer+1, 90), Malformed},
		{"pflog with a short header", 117, patch(of("PFLOG"), 0, 40), Malformed},
		{"pflog of appletalk", 117, patch(of("PFLOG"), 1, 16), OtherTraffic},
		{"enc with address family 0", 109, patch(of("ENC"), 0, 0), OtherTraffic},
		{"nflog, version 1", 239, patch(of("NFLOG"), 1, 1), Malformed},
		{"nflog with a short attribute", 239, patch(of("NFLOG"), 4, 3), Malformed},
		{"nflog with a long attribute", 239, patch(of("NFLOG"), 5, 9), Malformed},
		{"nflog without a packet", 239, patch(of("NFLOG"), 18, 8), OtherTraffic},
		{"pktap with a short header", 258, patch(of("PKTAP"), 0, 107), Malformed},
		{"pktap with a long header", 258, patch(of("PKTAP"), 1, 1), Malformed},
		{"pktap without a packet", 258, patch(of("PKTAP"), 4, 2), OtherTraffic},
		{"pktap in pktap", 258, patch(of("PKTAP"), 8, 2, 1), OtherTraffic},
		{"several packets, one longer than the frame", LinkWiFi, patch(of("Wi-Fi, aggregated"), 26+12, 0xff), Malformed},
	} {
		if p, v := innermost(c.link, c.data, len(c.data)); v != c.want {
			t.Errorf("%s: outcome %d, want %d: %+v", c.name, v, c.want, p)
		}
	}
}

func ethernetOf(etherType uint16) []byte {
	return binary.BigEndian.AppendUint16(make([]byte, 12, 14), etherType)
}

// TestTunnelsNest nests tunnels beyond the limit: each kind by itself, and all kinds in turn.
func TestTunnelsNest(t *testing.T) {
	greIn4 := func(packet []byte) []byte { return iptest.Tunnels()[3].Wrap(packet)[14:] }
	for depth, packet := 0, ipv4Packet(t); depth < 30; depth++ {
		p, v := innermost(LinkRaw, packet, len(packet))
		if depth <= MaxTunnels && (v != Found || p.Tunnels != depth || !bytes.Equal(p.Payload, testDatagram)) ||
			depth > MaxTunnels && v != TooDeep {
			t.Errorf("%d tunnels: outcome %d, %+v", depth, v, p)
		}
		packet = greIn4(packet)
	}
	wire := slices.Repeat(append(tagged(t, layers.EthernetTypeMPLSUnicast), 0, 1, 0x01, 64), 4000)
	if _, v := innermost(LinkEthernet, wire, len(wire)); v != TooDeep {
		t.Errorf("pseudowires in pseudowires: outcome %d", v)
	}
	bridged := slices.Repeat(tagged(t, layers.EthernetTypeTransparentEthernetBridging), 4000)
	if _, v := innermost(LinkEthernet, bridged, len(bridged)); v != TooDeep {
		t.Errorf("frames in frames: outcome %d", v)
	}
}

// TestAggregate reads a Wi-Fi frame with several packets.
func TestAggregate(t *testing.T) {
	frame := slices.Concat([]byte{0x88, 1}, make([]byte, 22), []byte{0x80, 0})
	for i := range 3 {
		packet := append([]byte{0xaa, 0xaa, 3, 0, 0, 0, 8, 0}, patch(ipv4Packet(t), 5, byte(i))...)
		frame = slices.Concat(frame, make([]byte, -(len(frame)-26)&3), make([]byte, 13), []byte{byte(len(packet))}, packet)
	}
	var p Packet
	v := Find(LinkWiFi, frame, len(frame), &p)
	for i := range 3 {
		if v != Found || byte(p.ID) != byte(i) || !bytes.Equal(p.Payload, testDatagram) || (p.Carriers == 1) != (i == 0) {
			t.Fatalf("packet %d: outcome %d, %+v", i, v, p)
		}
		if rest := p.Rest(); i < 2 {
			v = rest.Find(&p)
		} else if !rest.Empty() {
			t.Error("the rest of the frame is not empty")
		}
	}
}

// FuzzTunnels truncates and changes frames with tunnels. Every packet found must lie within the frame, and a shorter
// frame must not contain a longer packet.
func FuzzTunnels(f *testing.F) {
	for _, tunnel := range iptest.Tunnels() {
		frame := tunnel.Wrap(ipv4Packet(f))
		f.Add(tunnel.Link, frame)
		f.Add(tunnel.Link, frame[:len(frame)-9])
	}
	f.Fuzz(func(t *testing.T, link uint16, frame []byte) {
		frame = slices.Clip(frame)
		before := bytes.Clone(frame)
		p, v := innermost(link, frame, len(frame))
		if !bytes.Equal(before, frame) {
			t.Fatal("the frame was changed")
		}
		if v == Found {
			checkFound(t, frame, len(frame), &p)
		}
		if p.Tunnels > MaxTunnels+1 || p.Kind.String() == "" {
			t.Fatalf("%+v", p)
		}
		for n := range frame {
			cut, cutOutcome := innermost(link, frame[:n:n], len(frame))
			switch {
			case cutOutcome == Truncated || v != Found || withoutPorts(&cut):
			case cut.Tunnels == 0 && n < len(frame)-len(p.Payload) && (cutOutcome == OtherTraffic || cutOutcome == Malformed):
			// the frame has several packets, and one of them is missing
			case cutOutcome != Found || cut.Tunnels != p.Tunnels || !bytes.HasPrefix(p.Payload, cut.Payload):
				t.Fatalf("cut at %d: outcome %d, %+v; whole: %+v", n, cutOutcome, cut, p)
			}
		}
	})
}
