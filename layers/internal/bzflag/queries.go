package bzflag

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// Topics of the queries that a client sends before it joins a game, or without joining one.
const (
	AboutGame uint8 = iota
	AboutPlayers
	AboutPing
)

// NewQueries returns a counter of the queries to servers of a kind.
func NewQueries(r *wire.Reporter, servers string) *attempt.Queries {
	return attempt.NewQueries(r, "queries to "+servers+" servers", Queries)
}

// playingTeams are the teams of players. The numbers of observers come after them.
const playingTeams = 5

// GameText formats the description of a game in an answer: the number of players by team, their limit, the number of
// observers, and the type of the game.
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
