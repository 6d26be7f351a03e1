package message

import (
	"io"
	"net/netip"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// queryAt makes a message with the values that a line shows.
func queryAt(frame int, seconds float64, stream int, way wire.Direction, client string) *decode.Message {
	m := &decode.Message{Name: "MasterQuery", Direction: way, Layer: new(tribes.Layer)}
	m.Place = wire.Place{
		Frame: frame, Time: int64(seconds * 1e9), Conversation: stream, File: "a.pcap", Protocol: tribes.Protocol,
		Src: netip.MustParseAddrPort(client), Dst: netip.MustParseAddrPort("192.0.2.1:28000"),
	}
	if way == wire.FromServer {
		m.Src, m.Dst = m.Dst, m.Src
	}
	return m
}

// A line of 80 columns shows the whole client if that fits in half of the line. Otherwise it omits the port and, if
// that is not enough, cuts the address. A line of 40 columns has no room for a client. If the direction is unknown, the
// line has both endpoints.
func TestNarrowClients(t *testing.T) {
	for _, test := range []struct {
		width int
		m     *decode.Message
		want  string
	}{
		{80, queryAt(4, 0.0049, 3, wire.ToServer, "10.0.0.7:51234"), "   4  0.004 udp,3 10.0.0.7:51234  > MasterQuery"},
		{80, queryAt(4, 0.0049, 3, wire.FromServer, "10.0.0.7:51234"), "   4  0.004 udp,3 10.0.0.7:51234  < MasterQuery"},
		{80, queryAt(4, 99.9, 3, wire.ToServer, "192.168.1.10:51234"), "   4 99.900 udp,3 192.168.1.10:51234 > MasterQuery"},
		{80, queryAt(4, 99.9, 3, wire.ToServer, "192.168.10.100:51234"), "   4 99.900 udp,3 192.168.10.100  > MasterQuery"},
		{80, queryAt(4, 99.9, 3, wire.ToServer, "[2001:db8::1]:51234"), "   4 99.900 udp,3 [2001:db8::1]:51234 > MasterQuery"},
		{80, queryAt(4, 99.9, 3, wire.ToServer, "[2001:db8:1:2:3:4:5:6]:51234"), "   4 99.900 udp,3 2001:db8:1:2:3:4:5… > MasterQuery"},
		{80, queryAt(123456, 12345.6789, 1234, wire.ToServer, "192.168.1.100:51234"), "123456 12345.678 udp,1234 192.168.1.… > MasterQuery"},
		{100, queryAt(4, 99.9, 3, wire.ToServer, "192.168.1.100:51234"), "   4 99.900 udp,3 192.168.1.100:51234 > MasterQuery"},
		{40, queryAt(4, 99.9, 3, wire.ToServer, "10.0.0.7:51234"), "   4 99.900 udp,3 > MasterQuery"},
		{80, queryAt(4, 99.9, 3, wire.Unknown, "10.0.0.7:51234"), "   4 99.900 udp,3  10.0.0.7:51234 > 192.0.2.1:28000\n      MasterQuery"},
		{120, queryAt(4, 99.9, 3, wire.Unknown, "10.0.0.7:51234"), "   4 99.900 udp,3  10.0.0.7:51234 > 192.0.2.1:28000  MasterQuery"},
		{80, queryAt(4, 99.9, -1, wire.ToServer, "10.0.0.7:51234"), "   4 99.900 -     10.0.0.7:51234  > MasterQuery"},
		{160, queryAt(4, 99.9, 3, wire.ToServer, "10.0.0.7:51234"), "   4  99.900000  udp,3  10.0.0.7:51234  > 192.0.2.1:28000  tribes  MasterQuery"},
		{0, queryAt(4, 99.9, 3, wire.ToServer, "10.0.0.7:51234"), "   4  99.900000  udp,3  10.0.0.7:51234  > 192.0.2.1:28000  tribes  MasterQuery"},
	} {
		w := NewLineWriter(term.NewOutput(io.Discard, test.width), new(session.Clock), nil, print.Style{})
		w.Line(test.m, false)
		if got := string(w.Out.Buf); got != test.want {
			t.Errorf("%d columns: %q, want %q", test.width, got, test.want)
		}
	}
}

// A column becomes wider for a long client, but not narrower for a short one. Times have six decimals if -t is given.
func TestNarrowColumnsOnlyGrow(t *testing.T) {
	w := NewLineWriter(term.NewOutput(io.Discard, 80), &session.Clock{Form: "r"}, nil, print.Style{})
	for i, client := range []string{"10.0.0.7:51234", "10.0.0.77:51234", "10.0.0.7:5", "10.1.1.123:51234", "10.0.0.7:51234"} {
		w.Out.Buf = w.Out.Buf[:0]
		w.Line(queryAt(i, 0.5, 1, wire.ToServer, client), false)
		want := 38
		if i > 2 {
			want = 39
		}
		if at := strings.Index(string(w.Out.Buf), "MasterQuery"); at != want || !strings.Contains(string(w.Out.Buf), "0.500000 ") {
			t.Errorf("%d: %s", at, w.Out.Buf)
		}
	}
}
