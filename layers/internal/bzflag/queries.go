package bzflag

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// What queries are about, which a client sends before, or without, joining a game.
const (
	AboutGame uint8 = iota
	AboutPlayers
	AboutPing
)

// NewQueries counts the queries to servers of a kind.
func NewQueries(r *wire.Reporter, servers string) *attempt.Queries {
	return attempt.NewQueries(r, "queries to "+servers+" servers", Queries)
}

// GameText is what an answer says of a game: how many players of at most so many there are by team, and its type.
func GameText[T uint8 | uint16](kind string, counts []T, most int) string {
	players := 0
	for _, n := range counts {
		players += int(n)
	}
	if kind != "" {
		kind += ", "
	}
	return fmt.Sprintf("%s%d of %d players", kind, players, most)
}
