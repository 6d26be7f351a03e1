package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// Game describes a game to clients that have not joined it. It is the body of the answer to MsgQueryGame, and the last
// part of a ping reply. Not in the protocol document.
type Game struct {
	Style      GameStyle
	MaxPlayers uint16
	MaxShots   uint16    // maximum number per player at a time
	Counts     [5]uint16 // number of players in each team, from rogues to purple
	Maxima     [5]uint16 // maximum number of players in each team
	Limits     bzflag.Limits
}

const gameSize = 36

var (
	countNames  = [5]string{"rogue_count", "red_count", "green_count", "blue_count", "purple_count"}
	maximaNames = [5]string{"rogue_max", "red_max", "green_max", "blue_max", "purple_max"}
)

func (g *Game) Walk(c *wire.Cursor) {
	wire.Bits16(c, "style", &g.Style, gameStyleBits)
	wire.U16(c, "max_players", &g.MaxPlayers)
	wire.U16(c, "max_shots", &g.MaxShots)
	for i, name := range countNames {
		wire.U16(c, name, &g.Counts[i])
	}
	for i, name := range maximaNames {
		wire.U16(c, name, &g.Maxima[i])
	}
	g.Limits.Walk(c)
}

func (g *Game) AppendSummary(b []byte) []byte {
	players := 0
	for _, n := range g.Counts {
		players += int(n)
	}
	b = append(b, "players "...)
	b = strconv.AppendInt(b, int64(players), 10)
	b = append(b, '/')
	b = strconv.AppendUint(b, uint64(g.MaxPlayers), 10)
	b = append(b, "  shots "...)
	return strconv.AppendUint(b, uint64(g.MaxShots), 10)
}

// PlayerCounts answers MsgQueryPlayers. It announces how many MsgTeamUpdate and MsgAddPlayer follow. Not in the
// document.
type PlayerCounts = bzflag.PlayerCounts
