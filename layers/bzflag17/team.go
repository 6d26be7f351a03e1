package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// teamUpdateSize is the length of the body of MsgTeamUpdate.
const teamUpdateSize = 10

// TeamUpdate is the state of a team. See MsgTeamUpdate in the protocol document.
type TeamUpdate struct {
	Team   Team
	Size   uint16 // number of players
	Active uint16 // number of players who are not observers
	Wins   uint16
	Losses uint16
}

func (u *TeamUpdate) Walk(c *wire.Cursor) {
	team(c, "team", &u.Team)
	wire.U16(c, "size", &u.Size)
	wire.U16(c, "active", &u.Active)
	if u.Active > u.Size {
		c.Report(ruleActive, "%d active players, the team has %d", u.Active, u.Size)
	}
	wire.U16(c, "wins", &u.Wins)
	wire.U16(c, "losses", &u.Losses)
}

func (u *TeamUpdate) AppendSummary(b []byte) []byte {
	b = bzflag.AppendSymbol(b, teams, int64(u.Team))
	b = append(b, "  players "...)
	b = strconv.AppendUint(b, uint64(u.Size), 10)
	b = append(b, "  "...)
	return bzflag.AppendScore(b, u.Wins, u.Losses)
}

// TimeLeft is the time left in the game. See MsgTimeLeft in the protocol document.
type TimeLeft struct {
	Seconds uint16 // 0: the game is over
}

func (t *TimeLeft) Walk(c *wire.Cursor) { wire.U16(c, "time_left", &t.Seconds) }

func (t *TimeLeft) AppendSummary(b []byte) []byte {
	if t.Seconds == 0 {
		return append(b, "game over"...)
	}
	b = strconv.AppendUint(b, uint64(t.Seconds), 10)
	return append(b, " seconds"...)
}

// ScoreOver reports which player or team reached the score that ends the game. See MsgScoreOver in the protocol
// document.
type ScoreOver struct {
	Player Player
	Team   Team // NoTeam: a player has won, not a team
}

func (s *ScoreOver) Walk(c *wire.Cursor) {
	s.Player.walk(c, "player")
	team(c, "team", &s.Team)
}

func (s *ScoreOver) AppendSummary(b []byte) []byte {
	if s.Team != NoTeam {
		return bzflag.AppendSymbol(b, teams, int64(s.Team))
	}
	return s.Player.AppendTo(b)
}
