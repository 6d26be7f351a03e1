package stats

import (
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// Only attempts that are over are counted. They are grouped by kind, outcome and cause, and a group has its first
// cases.
func TestAttempts(t *testing.T) {
	kind := &wire.AttemptKind{Name: "games", Steps: []wire.AttemptStep{{Name: "asked"}, {Name: "sits"}}}
	server := []netip.AddrPort{wiretest.Host(2, 1, 80), wiretest.Host(2, 0, 80)}
	var s Stats
	for i := range 20 {
		a := &wire.Attempt{Place: wire.Place{Protocol: chess, Frame: 100 - i, Time: int64(100 - i), File: "a.pcap"}, Kind: kind,
			Asker: wiretest.Host(1, i, 4000), Asked: server[i%2], Who: "ana", Outcome: wire.Refused, Cause: "full", By: wire.Asked,
			Step: 1, Tries: 2, Took: time.Duration(i), Detail: "8 of 8"}
		s.Attempt(a)
		a.Over = true
		s.Attempt(a)
		if a.Cause = "banned"; i == 7 {
			s.Attempt(a)
		}
	}
	all := s.Attempts
	if len(all) != 2 {
		t.Fatalf("%d groups", len(all))
	}
	if a := all[0]; a.Cause != "banned" || a.Count != 1 || a.Tries != 2 {
		t.Errorf("%+v", a)
	}
	a := all[1]
	if a.Count != 20 || a.Tries != 40 || a.Longest != 19 || !a.Failed || a.Outcome != "refused" || len(a.Cases) != maxCases {
		t.Errorf("%+v", a)
	}
	first := AttemptCase{File: "a.pcap", Frame: 81, Time: 81, Who: "ana", Asker: wiretest.Host(1, 19, 4000), Asked: server[1], By: "asked",
		Step: "sits", Tries: 2, Took: 19, Detail: "8 of 8"}
	if diff := cmp.Diff(first, a.Cases[0], cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); diff != "" {
		t.Errorf("the first case (-want +got):\n%s", diff)
	}
	if len(a.Asked) != 2 || a.Asked[0] != server[1] {
		t.Errorf("servers %v, want the lowest address first", a.Asked)
	}
}

// The number of groups is bounded. Attempts with further causes are counted without a cause.
func TestManyCauses(t *testing.T) {
	var s Stats
	kind := &wire.AttemptKind{Name: "games", Steps: []wire.AttemptStep{{Name: "asked"}}}
	for i := range 2 * maxAttempts {
		s.Attempt(&wire.Attempt{Place: wire.Place{Protocol: chess}, Kind: kind, Outcome: wire.Refused, Over: true, Cause: time.Duration(i).String()})
	}
	if all := s.Attempts; len(all) != maxAttempts+1 || all[0].Cause != "" || all[0].Count != maxAttempts {
		t.Errorf("%d groups, the first is %+v", len(all), all[0])
	}
}
