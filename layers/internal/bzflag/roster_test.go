package bzflag_test

import (
	"fmt"
	"testing"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// TestRosterKeepsAllNumbers checks that a roster has room for all numbers below 256, and that names can be removed.
func TestRosterKeepsAllNumbers(t *testing.T) {
	var empty, r *bzflag.Roster
	for id := range uint64(256) {
		r = r.With(id, fmt.Sprint("player ", id))
	}
	for id := range uint64(256) {
		if got := r.Name(id); got != fmt.Sprint("player ", id) {
			t.Fatalf("player %d has the name %q", id, got)
		}
	}
	without := r.With(7, "")
	if without.Name(7) != "" || r.Name(7) == "" || empty.Name(7) != "" || empty.Held() != 0 {
		t.Error("With changed another roster, or did not remove the name")
	}
	if without.Held() >= r.Held() {
		t.Errorf("%d bytes without the name, %d with it", without.Held(), r.Held())
	}
}

// TestRosterIsBounded adds many players. The roster keeps the newest, and its size is limited.
func TestRosterIsBounded(t *testing.T) {
	for name, step := range map[string]uint64{"ports": 1 << 16, "hosts": 1 << 32, "all in one part": 1 << 20} {
		var r *bzflag.Roster
		for i := range uint64(10_000) {
			if r = r.With(i*step, "name"); r.Name(i*step) != "name" {
				t.Fatalf("%s: the newest player has no name", name)
			}
		}
		if r.Held() > 16<<10 {
			t.Errorf("%s: the roster has %d bytes", name, r.Held())
		}
	}
}
