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
func TestMissedDropsSpans(t *testing.T) {
	var m missed
	old, other := m.add(0, 0, 10), uint32(0)
	for i := range int64(maxSpans - 1) {
		other = m.add(other, 100*i, 100*i+10)
	}
	if n, _ := m.take(&old, 0, 5); n != 5 {
		t.Errorf("%d bytes of the oldest span, want 5", n)
	}
	m.add(other, 0, 1)
	if n, forgotten := m.take(&old, 0, 1<<40); n != 0 || !forgotten {
		t.Errorf("%d bytes of a dropped span, forgotten %t", n, forgotten)
	}
}

// If bytes from before the beginning of a stream were reported as unread, they are never delivered later, even if the
// ring has dropped their positions. In that case they are reported a second time.
func TestUnreadBytesStayUnread(t *testing.T) {
	for forgotten, want := range map[bool]int{false: 4, true: 6} {
		k := newTalk(t, none)
		k.bytes(0, 1000, "ab")
		k.bytes(0, 996, "wx")
		if k.unread[0] != 2 {
			t.Errorf("%d bytes unread, want 2", k.unread[0])
		}
		if forgotten {
			for range maxSpans {
				k.a.missed.add(0, 0, 1)
			}
		}
		k.bytes(0, 996, "wxyz")
		if story := k.journals[0].story(); k.unread[0] != want || story != "mid ab" {
			t.Errorf("forgotten %t: %d bytes unread, want %d; delivered %s", forgotten, k.unread[0], want, story)
		}
	}
}

// For any number of gaps, each byte is either delivered or reported as unread.
func TestManyGaps(t *testing.T) {
	for _, pieces := range []int{500, 3000, 9000} {
		k := opened(t, nil)
		for _, i := range rand.New(rand.NewPCG(5, 5)).Perm(pieces) {
			k.bytes(0, uint32(1001+2*i), "x")
		}
		k.Close(k.a, CaptureEnded)
		delivered := 0
		for _, e := range k.journals[0] {
			delivered += len(e.data)
		}
		if delivered+k.unread[0] != pieces {
			t.Errorf("%d bytes, but %d delivered and %d unread", pieces, delivered, k.unread[0])
		}
	}
}
