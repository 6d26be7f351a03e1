package bzflag

import (
	"net/netip"
	"testing"
)

func TestDownloadsAreBounded(t *testing.T) {
	const most = 4096
	route := func(port uint16) Route {
		return Route{Client: netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), port), Server: netip.MustParseAddrPort("192.0.2.2:5155")}
	}
	w := &Downloads{Max: most}
	for i := range 1000 {
		w.Request(route(uint16(i)), 0)
		if len(w.byRoute) > maxDownloads {
			t.Fatalf("%d downloads", len(w.byRoute))
		}
	}
	for range 1000 {
		w.Request(route(1), 0)
	}
	for at := 0; at < 2*most; at += 100 {
		w.Receive(route(2), make([]byte, 100))
		w.Request(route(3), at)
		w.Receive(route(3), make([]byte, 100))
	}
	for _, d := range w.byRoute {
		if len(d.requested) > maxRequests || d.unrequested > maxRequests || len(d.data) > most {
			t.Fatalf("%d requests, %d bytes", len(d.requested), len(d.data))
		}
	}
}
