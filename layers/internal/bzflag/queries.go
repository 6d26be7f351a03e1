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

// playingTeams are those of players. Observers come after them.
const playingTeams = 5

// GameText is what an answer says of a game: how many players of at most so many there are by team, how many watch, and
// its type.
func GameText[T uint8 | uint16](kind string, counts []T, most int) string {
	players, observers := 0, 0
	for i, n := range counts {
		if i < playingTeams {
			players += int(n)
		} else {
			observers += int(n)
		}
	}
	if kind != "" {
		kind += ", "
	}
	text := fmt.Sprintf("%s%d of %d players", kind, players, most)
	if observers > 0 {
		text += " and " + wire.Counted(observers, "observer")
	}
	return text
}
