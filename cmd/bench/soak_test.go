package main

import (
	"io"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/ip"
)

// No host of one round is there in another, whatever captures there are, and time goes on.
func TestSoakHosts(t *testing.T) {
	s := &soak{packets: 45_000, captures: filepath.Join("..", "..", "testdata", "pcap")}
	rounds := make(map[netip.Addr]int)
	now, given := time.Time{}, 0
	err := s.feed(io.Discard, func(data []byte, length int, at time.Time) error {
		if at.Before(now) {
			t.Fatalf("packet %d is of %v, the one before of %v", given, at, now)
		}
		if now = at; length < len(data) {
			t.Fatalf("packet %d has %d of %d bytes", given, len(data), length)
		}
		round := given/len(s.frames) + 1
		given++
		src, dst := ip.Addresses(data)
		for _, b := range [][]byte{src, dst} {
			a, _ := netip.AddrFromSlice(b)
			if before := rounds[a]; before != 0 && before != round && !a.IsMulticast() && !isEverybody(a) {
				t.Fatalf("%v is there in rounds %d and %d", a, before, round)
			}
			rounds[a] = round
		}
		return nil
	}, func() int64 { return 0 })
	if err != nil || given != int(s.packets) || given < 2*len(s.frames) {
		t.Errorf("%d packets of %d captured ones, %v", given, len(s.frames), err)
	}
}

func isEverybody(a netip.Addr) bool {
	return a.IsUnspecified() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255})
}

// The engine is given what was asked for, and told how much it may remember.
func TestSoakEngine(t *testing.T) {
	var out strings.Builder
	args := []string{"--soak", "2000", "--engine", "--memory", "20", "--captures", filepath.Join("..", "..", "testdata", "pcap")}
	if err := run(t.Context(), args, &out, quiet); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"         2,000 ", " messages, "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, out.String())
		}
	}
}
