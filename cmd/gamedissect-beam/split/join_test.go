package split_test

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/cmd/gamedissect-beam/split"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/layers"
)

// ipv4 makes a packet.
func ipv4(protocol byte, src, dst string, content []byte) []byte {
	b := make([]byte, 20, 20+len(content))
	b[0], b[9] = 0x45, protocol
	binary.BigEndian.PutUint16(b[2:], uint16(20+len(content)))
	s, d := netip.MustParseAddr(src).As4(), netip.MustParseAddr(dst).As4()
	copy(b[12:], s[:])
	copy(b[16:], d[:])
	return append(b, content...)
}

// udp makes a datagram.
func udp(src, dst, text string) []byte {
	s, d := netip.MustParseAddrPort(src), netip.MustParseAddrPort(dst)
	b := make([]byte, 8, 8+len(text))
	binary.BigEndian.PutUint16(b, s.Port())
	binary.BigEndian.PutUint16(b[2:], d.Port())
	binary.BigEndian.PutUint16(b[4:], uint16(8+len(text)))
	return ipv4(17, s.Addr().String(), d.Addr().String(), append(b, text...))
}

// tcp makes a piece of a stream.
func tcp(src, dst string, seq uint32, text string) []byte {
	s, d := netip.MustParseAddrPort(src), netip.MustParseAddrPort(dst)
	b := make([]byte, 20, 20+len(text))
	binary.BigEndian.PutUint16(b, s.Port())
	binary.BigEndian.PutUint16(b[2:], d.Port())
	binary.BigEndian.PutUint32(b[4:], seq)
	b[12], b[13] = 0x50, 0x18
	return ipv4(6, s.Addr().String(), d.Addr().String(), append(b, text...))
}

// fragment returns a packet marked as the first of several fragments.
func fragment(packet []byte) []byte {
	packet = slices.Clone(packet)
	packet[6] |= 0x20
	return packet
}

// query is a query of Tribes.
const query = "\x10\x03\xff\x00\x01\x02\x00\x00"

// list is the list of a Tribes master with one server.
func list(server string) string {
	at := netip.MustParseAddrPort(server)
	a := at.Addr().As4()
	entry := binary.LittleEndian.AppendUint16(append([]byte{6}, a[:]...), at.Port())
	return "\x10\x06\x01\x01\x12\x34\x00\x66\x03abc\x04motd\x00\x01" + string(entry)
}

// components returns the components of packets.
func components(packets ...[]byte) []int {
	var frames []decode.Frame
	for i, p := range packets {
		frames = append(frames, decode.Frame{Data: p, Length: len(p), Link: ip.LinkRaw, Number: i + 1, Time: int64(i)})
	}
	of, _ := componentsOf(frames)
	return of
}

// TestJoin checks which hosts belong together.
func TestJoin(t *testing.T) {
	const a, b, c, d = "10.0.0.1:28001", "10.0.0.2:28000", "10.0.0.3:28001", "10.0.0.4:28000"
	json := `"x": 1, "servers": [{"address": "10.0.0.4", "port": 1}]`
	for _, test := range []struct {
		name    string
		packets [][]byte
		want    []int
	}{
		{"two games", [][]byte{udp(a, b, query), udp(c, d, query), udp(b, a, query)}, []int{1, 2, 1}},
		{"two games with a common host", [][]byte{udp(a, b, query), udp(c, d, query), udp(c, b, query)}, []int{1, 1, 1}},
		{"other traffic", [][]byte{udp("10.0.0.1:9", "10.0.0.3:9", "hello"), udp(a, b, query)}, []int{1, 1}},
		{"only other traffic", [][]byte{udp("10.0.0.1:9", "10.0.0.3:9", "hello")}, []int{0}},
		{
			"other traffic between two games",
			[][]byte{udp(a, b, query), udp(c, d, query), udp("10.0.0.4:9", "10.0.0.1:9", "hello"), udp("10.0.0.1:9", "10.0.0.4:9", "hello")},
			[]int{1, 2, 1, 1},
		},
		{"a broadcast", [][]byte{udp(a, "255.255.255.255:28001", query), udp(c, "255.255.255.255:28001", query)}, []int{1, 2}},
		{"a multicast group", [][]byte{udp(a, "224.0.0.1:28001", query), udp(c, "224.0.0.1:28001", query)}, []int{1, 2}},
		{"a host named in a message", [][]byte{udp(b, a, list("10.0.0.4:28001")), udp(c, d, query)}, []int{1, 1}},
		{"a named host without packets", [][]byte{udp(b, a, list("10.0.0.9:28001")), udp(c, d, query)}, []int{1, 2}},
		{
			"a host named across two segments",
			[][]byte{
				tcp("10.0.0.2:27790", a, 1, "HTTP/1.1 200 OK\r\n\r\n"+json[:35]), tcp("10.0.0.2:27790", a, 54, json[35:]), udp(c, d, query),
			},
			[]int{1, 1, 1},
		},
		{"fragments", [][]byte{fragment(udp(a, b, "hello")), udp(c, d, query), udp(c, b, query)}, []int{1, 1, 1}},
		{"a tunnel", [][]byte{ipv4(4, "10.9.9.9", "10.9.9.8", udp(a, b, query)), udp(c, d, query), udp(b, a, query)}, []int{1, 2, 1}},
		{
			"a tunnel's ends",
			[][]byte{ipv4(4, "10.9.9.9", "10.9.9.8", udp(a, b, query)), ipv4(4, "10.9.9.9", "10.9.9.8", udp(c, d, query))}, []int{1, 2},
		},
		{
			"a tunnel's fragments",
			[][]byte{udp(a, b, query), fragment(ipv4(4, "10.9.9.9", "10.9.9.8", udp(c, d, query))), udp("9.9.9.9:1", "9.9.9.8:1", "")},
			[]int{1, 1, 1},
		},
	} {
		if got := components(test.packets...); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestDecodeAs assigns traffic to protocols with options.
func TestDecodeAs(t *testing.T) {
	s := split.New(layers.All(), []decode.DecodeAs{{Port: 9}})
	p := udp("10.0.0.1:1", "10.0.0.2:9", "hello")
	f := decode.Frame{Data: p, Length: len(p), Link: ip.LinkRaw}
	s.Frame(&f)
	if n := s.Parts().Count(); n != 1 {
		t.Errorf("%d components", n)
	}
}

// TestManyHosts has more hosts than memory allows. The resulting components must still be correct.
func TestManyHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two million hosts")
	}
	s := split.New(layers.All(), nil)
	for i := range 1<<20 + 1 {
		p := udp(fmt.Sprintf("10.%d.%d.%d:28001", i>>16, i>>8&255, i&255), fmt.Sprintf("11.%d.%d.%d:28000", i>>16, i>>8&255, i&255), query)
		s.Frame(&decode.Frame{Data: p, Length: len(p), Link: ip.LinkRaw})
	}
	parts := s.Parts()
	p := udp("1.2.3.4:1", "1.2.3.5:1", "hello")
	if of := parts.Asker().Of(&decode.Frame{Data: p, Length: len(p), Link: ip.LinkRaw}); of != 1 || parts.Count() != 1 {
		t.Errorf("component %d of %d, want one", of, parts.Count())
	}
}
