package bounded_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// TestRowsFind looks for rows that are in use, and for removed ones, whether or not their memory was freed.
func TestRowsFind(t *testing.T) {
	rows := bounded.NewRows[int](bounded.NewBudget(bounded.DefaultMemory))
	const n = 5000
	for i := range n {
		*rows.At(rows.Add(uint32(i))) = i
	}
	for place := uint32(1); place <= n; place++ {
		if v := rows.Find(place); v == nil || v != rows.At(place) {
			t.Fatalf("the row at %d is not found", place)
		}
		rows.Remove(place)
		if v := rows.Find(place); v != nil {
			t.Fatalf("the removed row at %d is %d", place, *v)
		}
	}
}
