package wire_test

import (
	"net/netip"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The samples come from the specification and from its authors' Python library. The last ones follow from the
// specification's text: an IPv4 address mapped to IPv6 counts as IPv4, and if the addresses are equal, the lower port
// is first.
func TestCommunityID(t *testing.T) {
	for _, test := range []struct {
		transport wire.Transport
		a, b      string
		want      string
	}{
		{wire.UDP, "192.168.1.52:54585", "8.8.8.8:53", "1:d/FP5EW3wiY1vCndhwleRRKHowQ="},
		{wire.TCP, "128.232.110.120:34855", "66.35.250.204:80", "1:LQU9qZlK+B5F3KDmev6m5PMibrg="},
		{wire.TCP, "10.0.0.1:10", "10.0.0.2:20", "1:9j2Dzwrw7T9E+IZi4b4IVT66HBI="},
		{wire.TCP, "[2001:470:e5bf:dead:4957:2174:e82c:4887]:63943", "[2607:f8b0:400c:c03::1a]:25", "1:/qFaeAR+gFe1KYjMzVDsMv+wgU4="},
		{wire.UDP, "[::ffff:192.168.1.52]:54585", "8.8.8.8:53", "1:d/FP5EW3wiY1vCndhwleRRKHowQ="},
		{wire.UDP, "10.0.0.1:10", "10.0.0.1:20", "1:8mNuZfKbBvPuYyPmXeHQFV4tgaA="},
	} {
		p := wire.Place{Transport: test.transport, Src: netip.MustParseAddrPort(test.a), Dst: netip.MustParseAddrPort(test.b)}
		q := p
		q.Src, q.Dst = p.Dst, p.Src
		for _, place := range []wire.Place{p, q} {
			got := string(place.AppendCommunityID([]byte("id ")))
			if got != "id "+test.want || len(test.want) != wire.CommunityIDSize {
				t.Errorf("%s %s %s: %s, want %s of %d bytes", p.Transport, place.Src, place.Dst, got, test.want, wire.CommunityIDSize)
			}
		}
		other := p
		other.Transport = wire.UDP + wire.TCP - p.Transport
		if string(other.AppendCommunityID(nil)) == test.want {
			t.Errorf("%s: the same over %s", test.want, other.Transport)
		}
	}
	if got := new(wire.Place).AppendCommunityID(nil); len(got) != 0 {
		t.Errorf("without addresses: %s", got)
	}
}

func TestCommunityIDAllocatesNothing(t *testing.T) {
	p := wire.Place{Src: netip.MustParseAddrPort("10.0.0.2:10"), Dst: netip.MustParseAddrPort("[2001:db8::1]:20")}
	room := make([]byte, 0, wire.CommunityIDSize)
	if n := testing.AllocsPerRun(100, func() { p.AppendCommunityID(room) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCommunityID(b *testing.B) {
	p := wire.Place{Src: netip.MustParseAddrPort("10.0.0.2:10"), Dst: netip.MustParseAddrPort("10.0.0.1:20")}
	room := make([]byte, 0, wire.CommunityIDSize)
	for b.Loop() {
		p.AppendCommunityID(room)
	}
}
