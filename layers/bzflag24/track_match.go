package bzflag24

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// match is how the game that a server has going stands.
type match struct {
	known bool                        // what time is left
	left  int32                       // as told last
	over  bool                        // it was told
	teams [int(HunterTeam) + 1]result // by their numbers
}

// result is how a team stands.
type result struct {
	told         bool // there are, or were, players
	wins, losses uint16
}

// recordTime takes what is left of the match. To whom has come just now it is told how things stand.
func (e *event) recordTime(left int32) {
	m, news := &e.game.match, false
	if !e.connection.isNewcomer(e.place.Time) {
		news = e.isNews()
		if !news {
			return
		}
	}
	before, known := m.left, m.known
	m.left, m.known = left, true
	switch {
	case !news:
	case left == TimeOver:
		e.recordOver("the game is over")
	case left == TimePaused:
		e.happened("", bzflag.Pausing, "the game is paused")
	case known && before == TimePaused:
		e.happened("", bzflag.Resuming, "the game goes on, %s are left", wire.Counted(int(left), "second"))
	case known && before == TimeOver || m.over:
		e.happened("", bzflag.Start, "the game begins, %s long", wire.Counted(int(left), "second"))
	}
	if left != TimeOver {
		m.over = false
	}
}

// recordScoreOver takes who has won.
func (e *event) recordScoreOver(b *ScoreOver) {
	switch {
	case !e.isNews():
	case b.Team != NoTeam:
		e.recordOver(teams.Format(int64(b.Team)) + " wins the game")
	case int(b.Player.ID) < maxTanks:
		e.recordOver(e.called(&b.Player) + " wins the game")
	default:
		e.recordOver("the game is over")
	}
}

// recordOver tells of the end of the match, with the final score.
func (e *event) recordOver(text string) {
	if e.game.match.over {
		return
	}
	e.game.match.over = true
	if score := e.finalScore(); score != "" {
		text += ": " + score
	}
	e.happened("", bzflag.GameOver, "%s", text)
}

// finalScore tells how the teams stand, and who was best.
func (e *event) finalScore() string {
	var parts []string
	for i, r := range e.game.match.teams {
		if t := Team(i); r.told && t > RogueTeam && t <= PurpleTeam {
			parts = append(parts, teams.Format(int64(t))+" "+bzflag.ScoreText(int(r.wins), int(r.losses), 0))
		}
	}
	var best *seat
	for i := range e.game.seats {
		s := &e.game.seats[i]
		if s.told.wins > 0 && (best == nil || s.told.balance() > best.told.balance()) {
			best = s
		}
	}
	if best != nil {
		parts = append(parts, "best player "+e.called(&Player{best.id, best.name})+" "+best.told.String())
	}
	return strings.Join(parts, ", ")
}

// recordTeams takes how teams stand.
func (e *event) recordTeams(b *TeamUpdate) {
	if !e.measures() || !e.connection.isNewcomer(e.place.Time) && !e.isNews() {
		return
	}
	for i := range b.Teams {
		t := &b.Teams[i]
		if t.Team >= 0 && int(t.Team) < len(e.game.match.teams) {
			r := &e.game.match.teams[t.Team]
			*r = result{r.told || t.Size > 0, t.Wins, t.Losses}
		}
	}
}

// score is that of a player.
type score struct{ wins, losses, teamKills int }

func (s score) String() string { return bzflag.ScoreText(s.wins, s.losses, s.teamKills) }

func (s score) balance() int { return s.wins - s.losses - s.teamKills }

// recordScores takes the server's scores of players.
func (e *event) recordScores(b *Score) {
	if !e.isNews() {
		return
	}
	for i := range b.Players {
		p := &b.Players[i]
		now := score{int(p.Wins), int(p.Losses), int(p.TeamKills)}
		if s := e.game.seat(p.Player.ID); s != nil {
			e.recordScore(s, now)
		} else {
			e.measureState(bzflag.Players, p.Player.subject(), "score", now.String())
		}
	}
}

// recordScore takes the server's score of a player, and tells if it is not what was counted of one who was seen from
// the beginning. Servers differ in what a killer of teammates loses. With a new match all begin anew.
func (e *event) recordScore(s *seat, now score) {
	if s.told != now || !s.scored {
		e.measureState(bzflag.Players, s.who, "score", now.String())
	}
	if s.told != now && now == (score{}) {
		s.counted = now
	}
	s.told, s.scored = now, true
	counted, note := s.counted, ""
	if counted.teamKills > 0 {
		counted.losses = now.losses
	}
	if s.whole && counted != now {
		note = "counted " + s.counted.String()
	}
	if note != s.note {
		s.note = note
		e.measureState(bzflag.Players, s.who, "note", note)
	}
}
