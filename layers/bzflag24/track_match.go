package bzflag24

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

// recordTime takes the time that is left of the match. It is no news if the server tells it to a newcomer.
func (e *event) recordTime(left int32) {
	news := false
	if !e.connection.isNewcomer(e.place.Time) {
		news = e.isNew()
		if !news {
			return
		}
	}
	if e.game.match.Time(e.recorder(), left, news) {
		e.recordOver("the game is over")
	}
}

// recordScoreOver takes who has won.
func (e *event) recordScoreOver(b *ScoreOver) {
	switch {
	case !e.isNew():
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
	var best *seat
	for i := range e.game.seats {
		if s := &e.game.seats[i]; best == nil && s.Beats(nil) || best != nil && s.Beats(&best.Seat) {
			best = s
		}
	}
	name := ""
	if best != nil {
		name = e.called(&Player{best.id, best.Name}) + " " + best.Told.String()
	}
	e.game.match.End(e.recorder(), text, name)
}

// recordTeams takes how teams stand.
func (e *event) recordTeams(b *TeamUpdate) {
	if !e.measures() || !e.connection.isNewcomer(e.place.Time) && !e.isNew() {
		return
	}
	for i := range b.Teams {
		t := &b.Teams[i]
		e.game.match.Team(int(t.Team), t.Size, t.Wins, t.Losses)
	}
}

// recordScores takes the server's scores of players.
func (e *event) recordScores(b *Score) {
	if !e.isNew() {
		return
	}
	for i := range b.Players {
		p := &b.Players[i]
		now := bzflag.Score{Wins: int(p.Wins), Losses: int(p.Losses), TeamKills: int(p.TeamKills)}
		if s := e.game.seat(p.Player.ID); s != nil {
			e.recordScore(s, now)
		} else {
			e.measureState(bzflag.Players, p.Player.subject(), "score", now.String())
		}
	}
}

// recordScore takes the server's score of a player.
func (e *event) recordScore(s *seat, now bzflag.Score) {
	s.Score(e.recorder(), now)
	s.Compare(e.recorder(), true)
}
