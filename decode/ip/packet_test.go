package ip

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/gopacket/layers"
)

// patch returns a copy of data with other bytes at an offset.
func patch(data []byte, offset int, replacement ...byte) []byte {
	data = bytes.Clone(data)
	copy(data[offset:], replacement)
	return data
}

func TestFindIPv4(t *testing.T) {
	plain := ipv4Packet(t)
	payload := testDatagram
	options := ipv4Packet(t, layers.IPv4Option{OptionType: 148, OptionLength: 4, OptionData: []byte{0, 0}})
	udp := Packet{Src: testSrc4, Dst: testDst4, Protocol: 17, Payload: payload, ID: 0x1234}
	with := func(change func(*Packet)) *Packet {
		p := udp
		change(&p)
		return &p
	}
	ah := func(headers ...byte) []byte { // authentication headers before the datagram
		data := slices.Concat(plain[:20], headers, plain[20:])
		return patch(patch(data, 2, 0, byte(len(data))), 9, 51)
	}
	header := func(next byte) []byte { return []byte{next, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 7} }
	for _, c := range []struct {
		name   string
		data   []byte
		length int // length of the frame, if different from data's
		want   *Packet
		refuse Outcome
	}{
		{name: "plain", data: plain, want: &udp},
		{name: "router alert", data: options, want: &udp},
		{name: "icmp", data: patch(plain, 9, 1), want: with(func(p *Packet) { p.Protocol = 1 })},
		{name: "don't fragment", data: patch(plain, 6, 0x40, 0), want: &udp},
		{name: "first fragment", data: patch(plain, 6, 0x20, 0), want: with(func(p *Packet) { p.Fragment, p.More = true, true })},
		{name: "middle fragment", data: patch(plain, 6, 0x20, 1), want: with(func(p *Packet) { p.Fragment, p.More, p.Offset = true, true, 8 })},
		{name: "last fragment", data: patch(plain, 6, 0x1f, 0xff), want: with(func(p *Packet) { p.Fragment, p.Offset = true, 65528 })},
		{name: "shorter than the frame", data: patch(plain, 2, 0, 21), want: with(func(p *Packet) { p.Payload = payload[:1] })},
		{name: "empty", data: patch(plain, 2, 0, 20), want: with(func(p *Packet) { p.Payload = nil })},
		{name: "longer than the frame", data: patch(plain, 2, 1, 0), want: with(func(p *Packet) { p.Missing = 256 - len(plain) })},
		{name: "offloaded", data: patch(plain, 2, 0, 0), want: &udp},
		{name: "offloaded and cut", data: patch(plain, 2, 0, 0), length: 100_000, want: with(func(p *Packet) { p.Missing = 100_000 - len(plain) })},
		{name: "header of 16 bytes", data: patch(plain, 0, 0x44), refuse: Malformed},
		{name: "header beyond the packet", data: patch(plain, 2, 0, 19), refuse: Malformed},
		{name: "options beyond the packet", data: patch(plain, 0, 0x4f), refuse: Malformed},
		{name: "options beyond the frame", data: patch(plain, 0, 0x4f, 0, 1, 0), refuse: Malformed},
		{name: "options cut off", data: patch(plain, 0, 0x4f, 0, 1, 0), length: 256, refuse: Truncated},
		{name: "esp", data: patch(plain, 9, 50), refuse: OtherTraffic},
		{name: "authentication", data: ah(header(17)...), want: &udp},
		{name: "authentication twice", data: ah(slices.Concat(header(51), header(17))...), want: &udp},
		{name: "authentication nine times", data: ah(slices.Repeat(header(51), 9)...), refuse: Malformed},
		{name: "authentication of esp", data: ah(header(50)...), refuse: OtherTraffic},
		{name: "authentication longer than the packet", data: patch(ah(header(17)...), 2, 0, 30), refuse: Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkIP(t, c.data, c.length, c.want, c.refuse)
		})
	}
	checkTruncation(t, LinkRaw, options, 24, &udp)
	checkTruncation(t, LinkRaw, ah(header(17)...), 32, &udp)
}

// checkIP reads an IP packet into a struct that already contains another one.
func checkIP(t *testing.T, data []byte, length int, want *Packet, refuse Outcome) {
	t.Helper()
	p := Packet{
		Src: testDst6, Dst: testDst6, Protocol: 99, Payload: []byte("stale"), Missing: 7,
		Fragment: true, More: true, Offset: 800, ID: 77,
	}
	v := Find(LinkRaw, data, length, &p)
	if want != nil {
		checkPacket(t, v, &p, want)
	} else if v != refuse {
		t.Fatalf("outcome %d, want %d", v, refuse)
	}
}

// extended returns an IPv6 packet with these bytes between the IP header and the datagram.
func extended(tb testing.TB, next byte, extensions ...[]byte) []byte {
	plain := ipv6Packet(tb)
	data := slices.Concat(plain[:40], slices.Concat(extensions...), plain[40:])
	return patch(data, 4, 0, byte(len(data)-40), next)
}

func TestFindIPv6(t *testing.T) {
	const (
		hop, udpNext, route, frag, esp, auth, none, dest, mobile = 0, 17, 43, 44, 50, 51, 59, 60, 135
	)
	option := func(next byte) []byte { return []byte{next, 0, 1, 4, 0, 0, 0, 0} }
	long := func(next byte) []byte { return append([]byte{next, 1, 1, 12}, make([]byte, 12)...) }
	integrity := func(next byte) []byte { return append([]byte{next, 4, 0, 0}, make([]byte, 20)...) }
	piece := func(next, high, low byte) []byte { return []byte{next, 0, high, low, 0xde, 0xad, 0xbe, 0xef} }
	eight := slices.Repeat([][]byte{option(dest)}, 7)
	eight = append(eight, option(udpNext))

	udp := Packet{Src: testSrc6, Dst: testDst6, Protocol: udpNext, Payload: testDatagram}
	atomic := udp
	atomic.ID = 0xdeadbeef
	fragment := func(offset int, more bool) *Packet {
		p := atomic
		p.Fragment, p.Offset, p.More = true, offset, more
		return &p
	}
	unread := fragment(0, true)
	unread.Protocol, unread.Payload = dest, slices.Concat(option(udpNext), testDatagram)
	beyond := udp
	beyond.Missing = 0x0300
	short := extended(t, dest, option(udpNext))
	size := byte(8 + len(testDatagram))
	jumbo := func(options ...byte) []byte { return patch(extended(t, hop, options), 4, 0, 0) }

	for _, c := range []struct {
		name   string
		data   []byte
		length int
		want   *Packet
		refuse Outcome
	}{
		{name: "plain", data: ipv6Packet(t), want: &udp},
		{name: "hop by hop", data: extended(t, hop, option(udpNext)), want: &udp},
		{name: "routing", data: extended(t, route, long(udpNext)), want: &udp},
		{name: "mobility", data: extended(t, mobile, option(udpNext)), want: &udp},
		{name: "authentication", data: extended(t, auth, integrity(udpNext)), want: &udp},
		{name: "all in order", data: extended(t, hop, option(dest), long(route), option(auth), integrity(dest), long(udpNext)), want: &udp},
		{name: "eight", data: extended(t, dest, eight...), want: &udp},
		{name: "atomic fragment", data: extended(t, frag, piece(udpNext, 0, 0)), want: &atomic},
		{name: "atomic fragment before options", data: extended(t, frag, piece(dest, 0, 6), option(udpNext)), want: &atomic},
		{name: "first fragment", data: extended(t, frag, piece(udpNext, 0, 1)), want: fragment(0, true)},
		{name: "middle fragment", data: extended(t, route, long(frag), piece(udpNext, 0x12, 0x39)), want: fragment(0x1238, true)},
		{name: "last fragment", data: extended(t, frag, piece(udpNext, 0xff, 0xf8)), want: fragment(65528, false)},
		{name: "options inside a fragment", data: extended(t, frag, piece(dest, 0, 1), option(udpNext)), want: unread},
		{name: "longer than the frame", data: patch(ipv6Packet(t), 4, 3, byte(len(testDatagram))), want: &beyond},
		{name: "offloaded", data: patch(ipv6Packet(t), 4, 0, 0), want: &udp},
		{name: "nine", data: extended(t, dest, append(eight[:7:7], option(dest), option(udpNext))...), refuse: Malformed},
		{name: "jumbogram", data: jumbo(udpNext, 0, 0xc2, 4, 0, 0, 0, size), want: &udp},
		{name: "jumbogram after padding", data: jumbo(udpNext, 1, 1, 2, 0, 0, 0, 0xc2, 4, 0, 0, 0, size+8, 0, 0, 0), want: &udp},
		{name: "jumbogram that is too large", data: jumbo(udpNext, 0, 0xc2, 4, 0, 0x10, 0, 1), refuse: Malformed},
		{name: "jumbogram without room for its options", data: jumbo(udpNext, 0, 0xc2, 4, 0, 0, 0, 7), refuse: Malformed},
		{name: "no length at all", data: jumbo(udpNext, 0, 1, 4, 0, 0, 0, 0), refuse: OtherTraffic},
		{name: "jumbogram with an option beyond the header", data: jumbo(udpNext, 0, 0xc2, 5, 0, 0, 0, size), refuse: OtherTraffic},
		{name: "no next header", data: patch(ipv6Packet(t), 6, none), refuse: OtherTraffic},
		{name: "esp", data: extended(t, dest, option(esp)), refuse: OtherTraffic},
		{name: "extension beyond the packet", data: patch(short, 41, 9), refuse: Malformed},
		{name: "half an extension", data: patch(short, 4, 0, 7), refuse: Malformed},
		{name: "extension cut off", data: short[:47], length: len(short), refuse: Truncated},
		{name: "long extension cut off", data: extended(t, route, long(udpNext))[:50], length: 72, refuse: Truncated},
		{name: "shorter than its header", data: ipv6Packet(t)[:39], refuse: Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkIP(t, c.data, c.length, c.want, c.refuse)
			if c.want == &udp && c.name != "offloaded" {
				checkTruncation(t, LinkRaw, c.data, len(c.data)-len(testDatagram), &udp)
			}
		})
	}
}

func TestFindPacketDoesNotAllocate(t *testing.T) {
	for _, c := range linkCases(t) {
		content := ipv4Packet(t)
		if c.ipv6 {
			content = extended(t, destinationOptions, []byte{17, 0, 1, 4, 0, 0, 0, 0})
		}
		frame := slices.Concat(c.header, content)
		var p Packet
		if n := testing.AllocsPerRun(100, func() { Find(c.link, frame, len(frame), &p) }); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}

func BenchmarkFindPacket(b *testing.B) {
	for _, c := range linkCases(b) {
		switch c.name {
		case "ethernet", "ethernet 6", "qinq", "raw":
		default:
			continue
		}
		content := ipv4Packet(b)
		if c.ipv6 {
			content = ipv6Packet(b)
		}
		frame := slices.Concat(c.header, content)
		b.Run(c.name, func(b *testing.B) {
			var p Packet
			for b.Loop() {
				Find(c.link, frame, len(frame), &p)
			}
		})
	}
}
