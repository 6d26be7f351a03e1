package bounded_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// TestBuffers compares Buffers with a simple model, which counts buffers by capacity.
func TestBuffers(t *testing.T) {
	var b bounded.Buffers
	r := rand.New(rand.NewPCG(3, 7))
	var used [][]byte
	spare := map[int]int{} // by capacity
	total := 0
	for range 20_000 {
		switch n := r.IntN(10); {
		case n < 5:
			size := 1 + r.IntN(1<<r.IntN(12))
			want := 1 << bits.Len(uint(size-1))
			cost := b.Cost(size)
			buffer := b.Get(size)
			if len(buffer) != 0 || cap(buffer) != want {
				t.Fatalf("Get returns %d bytes in a buffer of %d for size %d", len(buffer), cap(buffer), size)
			}
			if spare[want] > 0 {
				spare[want]--
				want = 0
			}
			if total += want; cost != want {
				t.Fatalf("%d bytes cost %d, want %d", size, cost, want)
			}
			used = append(used, append(buffer, 1))
		case n < 9 && len(used) > 0:
			i := r.IntN(len(used))
			b.Put(used[i])
			spare[cap(used[i])]++
			used[i] = used[len(used)-1]
			used = used[:len(used)-1]
		case n == 9:
			largest := 0
			for size, n := range spare {
				if n > 0 {
					largest = max(largest, size)
				}
			}
			if got := b.Drop(); got != (largest > 0) {
				t.Fatalf("Drop returns %t, the largest spare buffer has %d bytes", got, largest)
			}
			spare[largest]--
			total -= largest
		}
		inUse := 0
		for _, buffer := range used {
			inUse += cap(buffer)
		}
		if b.Bytes() != total || b.Spare() != total-inUse {
			t.Fatalf("%d bytes, %d of them spare, want %d, %d in use", b.Bytes(), b.Spare(), total, inUse)
		}
	}
	for b.Drop() { // until no buffer is spare
	}
	b.Put(b.Get(1))
	if before := b.Bytes(); !b.Drop() || b.Bytes() != before-1 || b.Drop() {
		t.Errorf("%d bytes after Drop, %d before", b.Bytes(), before)
	}
	clear(spare)
	before := b.Bytes()
	b.Put(nil)
	if b.Bytes() != before || b.Cost(1) == 0 && spare[1] == 0 {
		t.Error("Put kept a buffer without capacity")
	}
}
