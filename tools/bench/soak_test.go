package main

import (
	"net/netip"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/ip"
)

// TestSoakHosts checks that a host appears in only one round, and that time advances.
func TestSoakHosts(t *testing.T) {
	s := &soak{packets: 45_000}
	if err := s.load(realCaptures); err != nil {
		t.Fatal(err)
	}
	rounds := make(map[netip.Addr]int)
	now, count := time.Time{}, 0
	err := s.feed(func(data []byte, length int, at time.Time) error {
		if at.Before(now) {
			t.Fatalf("packet %d has the time %v, the previous one %v", count, at, now)
		}
		if now = at; length < len(data) {
			t.Fatalf("packet %d has %d of %d bytes", count, len(data), length)
		}
		round := count/len(s.frames) + 1
		count++
		src, dst := ip.Addresses(data)
		for _, b := range [][]byte{src, dst} {
			a, _ := netip.AddrFromSlice(b)
			if before := rounds[a]; before != 0 && before != round && !a.IsMulticast() && !isBroadcastAddress(a) {
				t.Fatalf("%v occurs in rounds %d and %d", a, before, round)
			}
			rounds[a] = round
		}
		return nil
	})
	if err != nil || count != s.packets || count < 2*len(s.frames) {
		t.Errorf("%d packets of %d captured ones, %v", count, len(s.frames), err)
	}
}

func isBroadcastAddress(a netip.Addr) bool {
	return a.IsUnspecified() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255})
}
