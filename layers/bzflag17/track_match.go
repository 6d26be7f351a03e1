package bzflag17

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

// recordTime takes the time that is left of the match. It is no news if the server tells it to a newcomer.
func (e *event) recordTime(b *TimeLeft) {
	news := false
	if !e.conn.isNewcomer(e.place.Time) {
		news = e.isNew()
		if !news {
			return
		}
	}
	if e.makeGame().match.Time(e.recorder(), int32(b.Seconds), news) {
		e.recordOver("the game is over")
	}
}

// recordScoreOver takes who has won.
func (e *event) recordScoreOver(b *ScoreOver) {
	switch {
	case !e.isNew():
	case b.Team != NoTeam:
		e.recordOver(teams.Format(int64(b.Team)) + " wins the game")
	default:
		e.recordOver(e.called(e.conn.resolve(b.Player.ID)) + " wins the game")
	}
}

// recordOver tells of the end of the match, with the final score.
func (e *event) recordOver(text string) {
	var best *identity
	g, name := e.makeGame(), ""
	for _, n := range g.players.sorted() {
		if n.Gone || best == nil && !n.Beats(nil) || best != nil && !n.Beats(&best.Seat) {
			continue
		}
		best, name = n.identity, e.called(n.id)+" "+n.Told.String()
	}
	g.match.End(e.recorder(), text, name)
}

// recordTeam takes how a team stands.
func (e *event) recordTeam(b *TeamUpdate) {
	if e.measures() && (e.conn.isNewcomer(e.place.Time) || e.isNew()) {
		e.makeGame().match.Team(int(b.Team), b.Size, b.Wins, b.Losses)
	}
}

// recordScore takes a player's score as the server tells it.
func (e *event) recordScore(b *Score) {
	if !e.isNew() {
		return
	}
	if n := e.player(e.conn.resolve(b.Player.ID)); n != nil && n.Who != "" {
		n.Score(e.recorder(), bzflag.Score{Wins: int(b.Wins), Losses: int(b.Losses)})
		n.scoreTime = e.place.Time
	}
}
