package bzflag17_test

import (
	"maps"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// TestLostPings checks the counts of pings and of lost pings, and the lag.
func TestLostPings(t *testing.T) {
	ping := func(n, seconds uint16) timed { return bySrv("pi", u16(n)).later(int64(seconds) * 1000) }
	echo := func(n, seconds uint16) timed { return byCli("pi", u16(n)).later(int64(seconds) * 1000) }
	joins := slices.Concat(worldOf(0, 80, 2), enter(), []timed{added(bob, 2), added(ann, 1)})
	for _, c := range []struct {
		name string
		list []timed
		want map[string]float64
	}{
		{"echoed", []timed{ping(1, 10), echo(1, 10), ping(2, 20), echo(2, 20)}, map[string]float64{"pings": 2, "lag": 0}},
		{"one ping lost", []timed{ping(1, 10), ping(2, 20), echo(2, 20)}, map[string]float64{"pings": 2, "lost pings": 1,
			"lag": 0}},
		{"never echoed", []timed{ping(1, 10), ping(2, 20), ping(3, 30)}, map[string]float64{"pings": 2, "lost pings": 2,
			"lag": 10}},
		{"never echoed, and the client leaves", []timed{ping(1, 10), ping(2, 20), byCli("ex", "").later(21000)},
			map[string]float64{"pings": 1, "lost pings": 1, "lag": 10}},
	} {
		got := make(map[string]float64)
		s := newStage()
		s.tracker = bzflag17.Protocol.NewTracker(&wire.Reporter{Value: func(v *wire.Value) {
			if slices.Contains([]string{"pings", "lost pings", "lag"}, v.What) {
				got[v.What] += v.Number
			}
		}})
		client, server := netip.MustParseAddrPort("192.0.2.10:4000"), netip.MustParseAddrPort("192.0.2.1:6001")
		session, now := bzflag17.Protocol.NewSession(nil), int64(0)
		for _, m := range slices.Concat(joins, c.list) {
			src, dst, way := client, server, wire.ToServer
			if !m.toServer {
				src, dst, way = server, client, wire.FromServer
			}
			now = int64(time.Hour) + m.at*int64(time.Millisecond)
			s.send(session, now, src, dst, way, m.bytes)
		}
		s.tracker.Close(now)
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
