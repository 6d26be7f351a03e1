package bzflag24_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// TestStream splits the first bytes that a server sends. The byte after the version is either a player's number, in a
// hello, or the beginning of two line ends, in a banner.
func TestStream(t *testing.T) {
	const clientsHello = "BZFLAG\r\n\r\n"
	for _, c := range []struct {
		name, before string
		data         string
		ended        bool
		want         int
	}{
		{"a hello", "", "BZFS0221\x03", false, 9},
		{"a hello and more", "", "BZFS0221\x03\x00\x02pi", false, 9},
		{"half a hello", "", "BZFS02", false, 9},
		{"less than half a hello", "", "BZ", false, 0},
		{"player 13, perhaps", "", "BZFS0221\r", false, wire.NeedMore},
		{"player 13, asked for", clientsHello, "BZFS0221\r", false, 9},
		{"player 13, for certain", "", "BZFS0221\r\x00\x02p", false, 9},
		{"player 13 and no more", "", "BZFS0221\r", true, 9},
		{"a banner", "", "BZFS0221\r\n\r\n", false, 12},
		{"a banner after all", clientsHello, "BZFS0221\r\n\r\n", false, 12},
		{"a message", "", "\x00\x02pi\x00\x07", false, 6},
		{"a message that is too long", "", "\x0f\xa0zz", false, 4004},
	} {
		s := bzflag24.Protocol.NewSplitter()
		if c.before != "" {
			s.Next(wire.ToServer, []byte(c.before), false, new(wire.Progress))
		}
		if got := s.Next(wire.FromServer, []byte(c.data), c.ended, new(wire.Progress)); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestPlausible(t *testing.T) {
	s := bzflag24.Protocol.NewSplitter()
	for _, c := range []struct {
		name, data string
		way        wire.Direction
		n          int
		broken     bool
	}{
		{"two", message("pi", "\x00\x07") + message("gf", "\x00\x01"), wire.ToServer, 2, false},
		{"one and a half", message("pi", "\x00\x07") + "\x00\x02g", wire.ToServer, 1, false},
		{"a score whose count fits", message("sc", "\x01"+strings.Repeat("x", 7)), wire.FromServer, 1, false},
		{"a score whose count does not fit", message("sc", "\x02"+strings.Repeat("x", 7)), wire.FromServer, 0, true},
		{"a message in the wrong direction", message("sc", "\x01"+strings.Repeat("x", 7)), wire.ToServer, 0, true},
		{"a 1.07 update", message("pu", strings.Repeat("x", 42)), wire.ToServer, 0, true},
		{"another game", "GET / HTTP/1.0\r\n", wire.ToServer, 0, true},
	} {
		if n, broken := wire.CountPlausible(s, c.way, []byte(c.data)); n != c.n || broken != c.broken {
			t.Errorf("%s: %d, %t, want %d, %t", c.name, n, broken, c.n, c.broken)
		}
	}
}

func TestProbeStream(t *testing.T) {
	for _, c := range []struct {
		name, data string
		want       wire.Verdict
	}{
		{"a client's greeting", "BZFLAG\r\n\r\n", wire.Verdict{Confidence: wire.Sure, Direction: wire.ToServer}},
		{"half a client's greeting", "BZFLA", wire.Verdict{Confidence: wire.Maybe}},
		{"a server's hello", "BZFS0221\x03", wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}},
		{"a 2.0 server's hello", "BZFS0026\x03", wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}},
		{"a 1.07 server's hello", "BZFS107c\x14\x22", wire.Verdict{}},
		{"half a server's hello", "BZFS02", wire.Verdict{Confidence: wire.Maybe}},
		{"two messages", message("ps", strings.Repeat("\x00", 27)) + message("pi", "\x00\x01"), wire.Verdict{Confidence: wire.Likely}},
		{"one message", message("ps", strings.Repeat("\x00", 27)), wire.Verdict{Confidence: wire.Maybe}},
		{"something else", "SSH-2.0-OpenSSH", wire.Verdict{}},
	} {
		p := &wire.Probe{Datagram: &wire.Datagram{Src: netip.MustParseAddrPort("192.0.2.1:1000"), Dst: netip.MustParseAddrPort("192.0.2.2:1001"), Payload: []byte(c.data)}}
		if got := bzflag24.Protocol.ProbeStream(p); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestProbe probes datagrams as the engine does.
func TestProbe(t *testing.T) {
	small := message("ps", strings.Repeat("\x00", 27))
	for _, c := range []struct {
		name, src, dst, data string
		missing              int
		expected             bool
		want                 wire.Verdict
	}{
		{"an update", "10.0.0.1:1031", "10.0.0.2:5154", small, 0, false, wire.Verdict{Confidence: wire.Sure}},
		{"two updates", "10.0.0.2:9", "10.0.0.1:1031", small + small, 0, false, wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}},
		{"an update and more", "10.0.0.1:1031", "10.0.0.2:5154", small + "x", 0, false, wire.Verdict{}},
		{"an update, cut", "10.0.0.1:1031", "10.0.0.2:5154", small[:20], 11, false, wire.Verdict{Confidence: wire.Likely}},
		{"two updates, one cut", "10.0.0.2:9", "10.0.0.1:1031", small + small[:20], 11, false, wire.Verdict{Confidence: wire.Sure}},
		{"a link request", "10.0.0.1:1031", "10.0.0.2:5154", message("of", "\x01"), 0, false, wire.Verdict{Confidence: wire.Likely, Direction: wire.ToServer}},
		{"the answer to a link request", "10.0.0.2:5154", "10.0.0.1:1031", message("of", ""), 0, false, wire.Verdict{Confidence: wire.Likely}},
		{"the game time", "10.0.0.2:5154", "10.0.0.1:1031", message("gt", "12345678"), 0, false, wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}},
		{"a chat line", "10.0.0.1:1031", "10.0.0.2:5154", message("mg", strings.Repeat("\x00", 129)), 0, false, wire.Verdict{}},
		{"a 1.07 update", "10.0.0.1:1031", "10.0.0.2:5154", message("pu", strings.Repeat("\x00", 42)), 0, false, wire.Verdict{}},
		{"a ping", "10.0.0.1:1031", "10.0.0.255:5154", "\x00\x02\x04\x04\x00\x00", 0, false, wire.Verdict{Confidence: wire.Likely, Direction: wire.ToServer}},
		{"a ping to a known server", "10.0.0.1:1031", "10.0.0.2:7", "\x00\x02\x04\x04\x00\x00", 0, true, wire.Verdict{Confidence: wire.Likely, Direction: wire.ToServer}},
		{"a 1.07 ping", "10.0.0.1:1031", "10.0.0.255:5155", "\x00\x02\x04\x04\x00\x08", 0, false, wire.Verdict{}},
		{"something else", "10.0.0.1:1031", "10.0.0.2:5154", "\xff\xff\xff\xffstatus", 0, false, wire.Verdict{}},
		{"nothing", "10.0.0.1:1031", "10.0.0.2:5154", "", 0, false, wire.Verdict{}},
	} {
		d := &wire.Datagram{Src: netip.MustParseAddrPort(c.src), Dst: netip.MustParseAddrPort(c.dst), Payload: []byte(c.data), Missing: c.missing}
		if got := bzflag24.Protocol.Probe(&wire.Probe{Datagram: d, ToExpected: c.expected}); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
