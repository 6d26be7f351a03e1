package bounded_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// BenchmarkForget makes an entry, so the budget drops another one. There are as many keepers as in an engine.
func BenchmarkForget(b *testing.B) {
	budget := bounded.NewBudget(8 << 20)
	var keepers [24]*bounded.LRU[[32]byte, uint64]
	for i := range keepers {
		keepers[i] = bounded.NewLRU(budget, bounded.Kind{}, bounded.Values[[32]byte, uint64]{})
	}
	b.ReportAllocs()
	var key [32]byte
	for n := 0; b.Loop(); n++ {
		key[0], key[1], key[2], key[3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
		budget.Turn()
		keepers[n%4].Make(key)
	}
}

// BenchmarkConversations makes more entries than fit into the processor's caches, and uses each of them twice more, as
// trackers do for a conversation with a question and an answer.
func BenchmarkConversations(b *testing.B) {
	const many = 1 << 17
	budget := bounded.NewBudget(1 << 30)
	l := bounded.NewLRU(budget, bounded.Kind{}, bounded.Values[[40]byte, [64]byte]{})
	b.ReportAllocs()
	var key [40]byte
	for n := 0; b.Loop(); n++ {
		if n%many == 0 {
			l.Clear()
		}
		key[0], key[1], key[2] = byte(n), byte(n>>8), byte(n>>16)
		lane := uint32(n%many) + 1
		budget.Turn()
		l.MakeAt(lane, key)[0]++
		key[0], key[1], key[2] = byte(n/2), byte(n/2>>8), byte(n/2>>16)
		l.Get(key)
		l.GetAt(lane/2+1, key)
	}
}
