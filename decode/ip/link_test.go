package ip

import (
	"bytes"
	"encoding/binary"
	"net"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

var (
	testSrc4 = netip.MustParseAddr("192.0.2.1")
	testDst4 = netip.MustParseAddr("198.51.100.2")
	testSrc6 = netip.MustParseAddr("2001:db8::1")
	testDst6 = netip.MustParseAddr("2001:db8::2")

	testDatagram = append([]byte{0x6d, 0x60, 0x99, 0x94, 0, 15, 0, 0}, "gameplay"...)
)

func ipv4Packet(tb testing.TB, options ...layers.IPv4Option) []byte {
	return wiretest.Packet(tb, &layers.IPv4{
		Version: 4, TTL: 64, Id: 0x1234, Protocol: layers.IPProtocolUDP, Options: options,
		SrcIP: net.IP(testSrc4.AsSlice()), DstIP: net.IP(testDst4.AsSlice()),
	}, gopacket.Payload(testDatagram))
}

func ipv6Packet(tb testing.TB) []byte {
	return wiretest.Packet(tb, &layers.IPv6{
		Version: 6, HopLimit: 64, NextHeader: layers.IPProtocolUDP,
		SrcIP: net.IP(testSrc6.AsSlice()), DstIP: net.IP(testDst6.AsSlice()),
	}, gopacket.Payload(testDatagram))
}

func ethernet(etherType layers.EthernetType) *layers.Ethernet {
	return &layers.Ethernet{
		SrcMAC: net.HardwareAddr{2, 0, 0, 0, 0, 1}, DstMAC: net.HardwareAddr{2, 0, 0, 0, 0, 2},
		EthernetType: etherType,
	}
}

// tagged returns an Ethernet header with VLAN tags of the given types.
func tagged(tb testing.TB, last layers.EthernetType, tags ...layers.EthernetType) []byte {
	types := append(slices.Clone(tags), last)
	parts := []gopacket.SerializableLayer{ethernet(types[0])}
	for i := range tags {
		parts = append(parts, &layers.Dot1Q{VLANIdentifier: uint16(i + 1), Type: types[i+1]})
	}
	// The payload prevents gopacket from padding the header to the smallest frame.
	header := wiretest.Packet(tb, append(parts, gopacket.Payload(make([]byte, 64)))...)
	return header[:len(header)-64]
}

func sll(etherType uint16) []byte {
	header := []byte{0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0}
	return binary.BigEndian.AppendUint16(header, etherType)
}

func sll2(etherType uint16) []byte {
	header := binary.BigEndian.AppendUint16(nil, etherType)
	return append(header, 0, 0, 0, 0, 0, 3, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0)
}

func pppoe(protocol byte) []byte {
	return []byte{0x11, 0, 0, 7, 0, 99, 0, protocol}
}

type linkCase struct {
	name   string
	link   uint16
	header []byte
	ipv6   bool
}

func linkCases(tb testing.TB) []linkCase {
	const (
		ip4, ip6  = layers.EthernetTypeIPv4, layers.EthernetTypeIPv6
		cvlan     = layers.EthernetTypeDot1Q
		svlan     = layers.EthernetTypeQinQ
		oldQinQ   = layers.EthernetType(0x9100)
		pppoeType = layers.EthernetTypePPPoESession
	)
	return []linkCase{
		{"ethernet", LinkEthernet, tagged(tb, ip4), false},
		{"ethernet 6", LinkEthernet, tagged(tb, ip6), true},
		{"vlan", LinkEthernet, tagged(tb, ip4, cvlan), false},
		{"qinq", LinkEthernet, tagged(tb, ip6, svlan, cvlan), true},
		{"old qinq", LinkEthernet, tagged(tb, ip4, oldQinQ, oldQinQ, cvlan), false},
		{"eight tags", LinkEthernet, tagged(tb, ip4, slices.Repeat([]layers.EthernetType{cvlan}, 8)...), false},
		{"pppoe", LinkEthernet, append(tagged(tb, pppoeType), pppoe(0x21)...), false},
		{"pppoe 6", LinkEthernet, append(tagged(tb, pppoeType, cvlan), pppoe(0x57)...), true},
		{"sll", LinkSLL, sll(0x0800), false},
		{"sll 6", LinkSLL, sll(0x86dd), true},
		{"sll vlan", LinkSLL, append(sll(0x8100), 0, 5, 0x08, 0x00), false},
		{"sll2", LinkSLL2, sll2(0x0800), false},
		{"sll2 6", LinkSLL2, sll2(0x86dd), true},
		{"sll2 vlan", LinkSLL2, append(sll2(0x88a8), 0, 5, 0x86, 0xdd), true},
		{"null little endian", LinkNull, []byte{2, 0, 0, 0}, false},
		{"null big endian", LinkNull, []byte{0, 0, 0, 2}, false},
		{"null linux", LinkNull, []byte{10, 0, 0, 0}, true},
		{"null windows", LinkNull, []byte{23, 0, 0, 0}, true},
		{"null netbsd", LinkNull, []byte{0, 0, 0, 24}, true},
		{"null freebsd", LinkNull, []byte{28, 0, 0, 0}, true},
		{"null macos", LinkNull, []byte{30, 0, 0, 0}, true},
		{"loop", LinkLoop, []byte{0, 0, 0, 2}, false},
		{"loop 6", LinkLoop, []byte{0, 0, 0, 24}, true},
		{"raw", LinkRaw, nil, false},
		{"raw 6", LinkRaw, nil, true},
		{"raw bsd", 12, nil, false},
		{"raw openbsd", 14, nil, true},
		{"ipv4", LinkIPv4, nil, false},
		{"ipv6", LinkIPv6, nil, true},
	}
}

func TestFindPacketByLink(t *testing.T) {
	for _, c := range linkCases(t) {
		t.Run(c.name, func(t *testing.T) {
			want := Packet{Src: testSrc4, Dst: testDst4, Protocol: 17, Payload: testDatagram, ID: 0x1234}
			content, ipHeader := ipv4Packet(t), ipv4HeaderSize
			if c.ipv6 {
				want.Src, want.Dst, want.ID = testSrc6, testDst6, 0
				content, ipHeader = ipv6Packet(t), ipv6HeaderSize
			}
			frame := slices.Concat(c.header, content)

			var p Packet
			v := Find(c.link, frame, len(frame), &p)
			checkPacket(t, v, &p, &want)
			checkTruncation(t, c.link, frame, len(c.header)+ipHeader, &want)

			padded := append(bytes.Clone(frame), 0xee, 0xee, 0xee, 0xee)
			v = Find(c.link, padded, len(padded), &p)
			checkPacket(t, v, &p, &want)

			v = Find(c.link, frame, 0, &p) // some writers store no wire length
			checkPacket(t, v, &p, &want)

			// If the packet has no length of its own, it ends at the end of the frame on the wire.
			lengthAt := len(c.header) + 2
			if c.ipv6 {
				lengthAt += 2
			}
			want.Missing = 100
			v = Find(c.link, patch(frame, lengthAt, 0, 0), len(frame)+100, &p)
			checkPacket(t, v, &p, &want)
		})
	}
}

func checkPacket(t *testing.T, v Outcome, got, want *Packet) {
	t.Helper()
	if v != Found {
		t.Fatalf("outcome %d", v)
	}
	if !samePacket(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

func samePacket(a, b *Packet) bool {
	return a.Src == b.Src && a.Dst == b.Dst && a.Protocol == b.Protocol &&
		bytes.Equal(a.Payload, b.Payload) && a.Missing == b.Missing &&
		a.Fragment == b.Fragment && a.More == b.More && a.Offset == b.Offset && a.ID == b.ID
}

// checkTruncation truncates a frame at every byte: once as the snap length does, and once as if the frame had been that
// short on the wire. headers is the total size of the headers.
func checkTruncation(t *testing.T, link uint16, frame []byte, headers int, whole *Packet) {
	t.Helper()
	for n := range frame {
		want := *whole
		want.Payload = want.Payload[:max(0, n-headers)]
		want.Missing = len(whole.Payload) - len(want.Payload)
		for _, length := range []int{len(frame), n} {
			var p Packet
			v := Find(link, frame[:n:n], length, &p)
			switch {
			case n >= headers:
				checkPacket(t, v, &p, &want)
			case length > n && v != Truncated:
				t.Fatalf("cut at %d of %d: outcome %d", n, length, v)
			case v != Truncated && v != Malformed:
				t.Fatalf("%d bytes: outcome %d", n, v)
			}
		}
	}
}

func TestFindPacketRefuses(t *testing.T) {
	nine := slices.Repeat([]layers.EthernetType{layers.EthernetTypeDot1Q}, 9)
	for _, c := range []struct {
		name  string
		link  uint16
		frame []byte
		want  Outcome
	}{
		{"arp", LinkEthernet, tagged(t, layers.EthernetTypeARP), OtherTraffic},
		{"arp in vlan", LinkEthernet, tagged(t, layers.EthernetTypeARP, layers.EthernetTypeDot1Q), OtherTraffic},
		{"llc", LinkEthernet, append(tagged(t, 38), 0x42, 0x42, 3), OtherTraffic},
		{"pppoe discovery", LinkEthernet, tagged(t, layers.EthernetTypePPPoEDiscovery), OtherTraffic},
		{"pppoe control", LinkEthernet, append(tagged(t, layers.EthernetTypePPPoESession), pppoe(0x23)...), OtherTraffic},
		{"nine tags", LinkEthernet, append(tagged(t, layers.EthernetTypeIPv4, nine...), ipv4Packet(t)...), Malformed},
		{"sll arp", LinkSLL, sll(0x0806), OtherTraffic},
		{"sll2 arp", LinkSLL2, sll2(0x0806), OtherTraffic},
		{"null appletalk", LinkNull, []byte{16, 0, 0, 0, 1, 2}, OtherTraffic},
		{"null appletalk, empty", LinkNull, []byte{16, 0, 0, 0}, OtherTraffic},
		{"null no family", LinkNull, []byte{1, 2, 3, 4, 5, 6}, OtherTraffic},
		{"neither version of IP", LinkRaw, []byte{0x55, 0, 0, 0}, Malformed},
		{"empty", LinkEthernet, nil, Malformed},
		{"empty raw", LinkRaw, nil, Malformed},
		{"user 0", 147, ipv4Packet(t), UnknownLink},
	} {
		var p Packet
		if v := Find(c.link, c.frame, len(c.frame), &p); v != c.want {
			t.Errorf("%s: outcome %d, want %d", c.name, v, c.want)
		}
	}
}

// TestLocate locates the headers of frames with padding, and of truncated frames.
func TestLocate(t *testing.T) {
	frame := append(tagged(t, layers.EthernetTypeIPv4), ipv4Packet(t, layers.IPv4Option{OptionType: 148, OptionLength: 4, OptionData: []byte{0, 0}})...)
	options := []byte{17, 0, 1, 4, 0, 0, 0, 0}
	fragment := patch(extended(t, fragmentHeader, []byte{destinationOptions, 0, 1, 0, 0, 0, 0, 7}, options), 0, 0x60)
	for _, c := range []struct {
		name   string
		link   uint16
		data   []byte
		length int
		want   Layout
	}{
		{"whole", LinkEthernet, frame, len(frame), Layout{Network: 14, Transport: 38, End: len(frame), Protocol: 17}},
		{"padded", LinkEthernet, append(bytes.Clone(frame), 0, 0), len(frame) + 2, Layout{Network: 14, Transport: 38, End: len(frame), Protocol: 17}},
		{"cut", LinkEthernet, frame[:len(frame)-3], len(frame), Layout{Network: 14, Transport: 38, End: len(frame) - 3, Protocol: 17, Missing: 3}},
		{"fragment", LinkRaw, fragment, len(fragment), Layout{Transport: 48, End: len(fragment), Protocol: destinationOptions, Fragment: true, Offset: 256}},
	} {
		if got, ok := Locate(c.link, c.data, c.length); !ok || got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if l, ok := Locate(LinkEthernet, frame[:20], len(frame)); ok || l != (Layout{}) {
		t.Errorf("Locate finds %+v in a frame without a complete header", l)
	}
}
