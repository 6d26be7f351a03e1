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

// NewQueries returns an empty store of queries to the servers of a version. servers names the version in memory
// reports.
func NewQueries(r *wire.Reporter, servers string) *attempt.Queries {
	return attempt.NewQueries(r, "queries to "+servers+" servers", Queries)
}

// playingTeams is the number of teams whose members play. Counts of observers come after the counts of these teams.
const playingTeams = 5

// GameText describes a game, from the answer to a query: its type, the number of players and their maximum, and the
// number of observers. counts has the number of players in each team.
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
