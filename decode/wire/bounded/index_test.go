package bounded_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// TestIndex compares an index with a map. There are few different hashes, so that buckets collide.
func TestIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var x bounded.Index
	hashes := make(map[uint32]uint32) // by place
	for round := range 100_000 {
		most := 10 << (round / 10_000) // the index grows
		if round >= 60_000 {
			most = 5 // the index shrinks
		}
		place := uint32(1 + r.IntN(10_000))
		hash, there := hashes[place]
		switch {
		case there || len(hashes) > most:
			if there && r.IntN(2) > 0 || len(hashes) > most {
				for place, hash = range hashes {
					break
				}
				x.Remove(hash, place)
				delete(hashes, place)
			}
		default:
			hash = uint32(r.IntN(50)) << r.IntN(3)
			x.Put(hash, place)
			hashes[place] = hash
		}
		x.Remove(r.Uint32(), 20_000) // this place is not in the index
		known, there := hashes[place]
		got := x.Find(hash, func(p uint32) bool { return p == place })
		if (got == place) != (there && known == hash) {
			t.Fatalf("round %d: for place %d with hash %d, Find returns %d", round, place, hash, got)
		}
		if x.Len() != len(hashes) || x.Bytes() > 64+len(hashes)*64 {
			t.Fatalf("%d places, want %d, in %d bytes", x.Len(), len(hashes), x.Bytes())
		}
	}
}

// Equal keys find the same value, whatever their padding contains. Keys with strings are not accepted.
func TestKeys(t *testing.T) {
	type key struct {
		a uint8
		b uint32
		c [2]uint16
		d bool
	}
	l := bounded.NewLRU(nil, bounded.Kind{}, bounded.Values[key, int]{})
	r := rand.New(rand.NewPCG(1, 2))
	known := make(map[key]int)
	for i := range 10_000 {
		k := key{uint8(r.IntN(3)), uint32(r.IntN(10)), [2]uint16{uint16(r.IntN(3)), uint16(r.IntN(3))}, r.IntN(2) > 0}
		if v := l.Get(k); (v != nil) != (known[k] > 0) || v != nil && *v != known[k] {
			t.Fatalf("%v: %v, want %d", k, v, known[k])
		}
		*l.Make(k) = i + 1
		known[k] = i + 1
	}
	defer func() {
		if recover() == nil {
			t.Error("a string is accepted as a key")
		}
	}()
	bounded.NewLRU(nil, bounded.Kind{}, bounded.Values[string, int]{})
}
