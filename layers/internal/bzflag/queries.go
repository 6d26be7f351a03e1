package bzflag

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// Topics of queries that clients send without joining a game, or before joining it.
const (
	AboutGame uint8 = iota
	AboutPlayers
	AboutPing
)

// NewQueries returns an account of the queries to servers of one kind.
func NewQueries(r *wire.Reporter, servers string) *attempt.Queries {
	return attempt.NewQueries(r, "queries to "+servers+" servers", Queries)
}

// playingTeams is the number of teams whose members play. Counts of observers come after the counts of these teams.
const playingTeams = 5

// GameText formats the description of a game in an answer: the number of players in each team, the maximum number of
// players, the number of observers, and the type of the game.
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
