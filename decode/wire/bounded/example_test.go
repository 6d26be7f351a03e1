package bounded_test

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// Hostile traffic cannot exceed a budget. Between two messages, the budget drops the least recently used entries, and
// counts them.
func Example() {
	type player struct{ kills int }
	budget := bounded.NewBudget(64 << 10)
	players := bounded.NewLRU(budget, bounded.Kind{Name: "players"}, bounded.Values[int, player]{})
	for id := range 10_000 {
		budget.Turn() // another message
		players.Make(id).kills++
		players.Make(0).kills++ // this player is in every message
	}
	budget.Turn()
	fmt.Println(budget.Used() <= budget.Limit(), players.Get(0).kills, players.Get(1))
	for _, f := range budget.Forgotten() {
		fmt.Println(f.Kind.Name, f.Count > 8_000)
	}
	// Output:
	// true 10001 <nil>
	// players true
}
