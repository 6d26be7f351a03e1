package split

import (
	"math/rand/v2"
	"testing"
)

// TestHosts compares the forest with sets that are merged element by element.
func TestHosts(t *testing.T) {
	const many = 200
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 50 {
		h := newHosts(many)
		var set [many + 1]int // lowest number in each host's set
		for i := range many {
			set[i+1] = i + 1
			if n := h.number(host{byte(i), byte(i >> 8)}); n != uint32(i+1) {
				t.Fatalf("host %d has number %d", i, n)
			}
		}
		for range 2 * round {
			a, b := 1+r.IntN(many), 1+r.IntN(many)
			h.join(uint32(a), uint32(b))
			from, to := max(set[a], set[b]), min(set[a], set[b])
			for i := range set {
				if set[i] == from {
					set[i] = to
				}
			}
		}
		of, packets := h.components()
		seen, next := make(map[int]uint32), uint32(0)
		for i := 1; i <= many; i++ {
			if _, known := seen[set[i]]; !known {
				next++
				seen[set[i]] = next
			}
			if of[i] != seen[set[i]] {
				t.Fatalf("host %d is in component %d, want %d", i, of[i], seen[set[i]])
			}
		}
		if count := len(packets) - 1; count != int(next) {
			t.Errorf("%d components, want %d", count, next)
		}
	}
}

// TestHostsFull checks that no host is added if there is no room.
func TestHostsFull(t *testing.T) {
	h := newHosts(2)
	for i := range 3 {
		if n := h.number(host{byte(i)}); (n == 0) != (i == 2) || h.full != (i == 2) {
			t.Errorf("host %d has number %d, full is %v", i, n, h.full)
		}
	}
	if h.number(host{1}) != 2 {
		t.Error("a known host lost its number")
	}
}
