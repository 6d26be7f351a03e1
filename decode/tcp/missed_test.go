package tcp

import (
	"math/rand/v2"
	"testing"
)

// Two streams store their spans in one ring. The result is compared with two sets.
func TestMissedAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var m missed
	var newest [2]uint32
	var end [2]int64
	sets := [2]map[int64]bool{{}, {}}
	for round := range 1500 { // with more rounds, the ring would wrap around and drop spans
		i := r.IntN(2)
		if r.IntN(2) == 0 {
			from := end[i] + int64(r.IntN(20))
			end[i] = from + int64(r.IntN(50))
			newest[i] = m.add(newest[i], from, end[i])
			for at := from; at < end[i]; at++ {
				sets[i][at] = true
			}
		}
		from := max(0, end[i]-int64(r.IntN(300)))
		to, want := from+int64(r.IntN(60)), 0
		for at := from; at < to; at++ {
			if sets[i][at] {
				want++
				delete(sets[i], at)
			}
		}
		if got, forgotten := m.take(&newest[i], from, to); got != want || forgotten {
			t.Fatalf("round %d: %d of %d to %d, want %d", round, got, from, to, want)
		}
	}
}

// If the ring is full, it drops its oldest spans. take never takes spans of another stream.
func TestMissedForgets(t *testing.T) {
	var m missed
	old, other := m.add(0, 0, 10), uint32(0)
	for i := range int64(maxSpans - 1) {
		other = m.add(other, 100*i, 100*i+10)
	}
	if n, _ := m.take(&old, 0, 5); n != 5 {
		t.Errorf("%d bytes of the oldest that there is room for", n)
	}
	m.add(other, 0, 1)
	if n, forgotten := m.take(&old, 0, 1<<40); n != 0 || !forgotten {
		t.Errorf("%d bytes of what is forgotten, %t", n, forgotten)
	}
}

// Bytes from before the beginning of a stream that were reported as unread are never delivered later, even if the ring
// has dropped their positions. But if it has, the bytes are reported a second time.
func TestLateStaysTold(t *testing.T) {
	for forgotten, want := range map[bool]int{false: 4, true: 6} {
		k := newTalk(t, none)
		k.bytes(0, 1000, "ab")
		k.bytes(0, 996, "wx")
		if k.unread[0] != 2 {
			t.Errorf("%d bytes were told not to be given", k.unread[0])
		}
		if forgotten {
			for range maxSpans {
				k.a.missed.add(0, 0, 1)
			}
		}
		k.bytes(0, 996, "wxyz")
		if story := k.journals[0].story(); k.unread[0] != want || story != "mid ab" {
			t.Errorf("forgotten: %t: %d bytes were told not to be given, want %d; given are %s", forgotten, k.unread[0], want, story)
		}
	}
}

// For any number of gaps, the bytes after them are delivered or reported.
func TestLateIsToldOfManyHoles(t *testing.T) {
	for _, pieces := range []int{500, 3000, 9000} {
		k := opened(t, nil)
		for _, i := range rand.New(rand.NewPCG(5, 5)).Perm(pieces) {
			k.bytes(0, uint32(1001+2*i), "x")
		}
		k.Close(k.a, CaptureEnded)
		given := 0
		for _, e := range k.journals[0] {
			given += len(e.data)
		}
		if given+k.unread[0] != pieces {
			t.Errorf("of %d bytes %d are given and %d told not to be", pieces, given, k.unread[0])
		}
	}
}
