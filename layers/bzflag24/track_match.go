package bzflag24

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

// matchTracker follows the match: its time, scores, and the rabbit.
type matchTracker struct {
	values *valueTracker
}

// takeTime takes how much time is left.
func (t *matchTracker) takeTime(e event, b *TimeUpdate) {
	e.connection.timeLeft.take(e.message, b)
	t.recordTime(e, b.Seconds)
	if b.Seconds == TimeOver {
		e.connection.view.killAll(e.place.Time)
	}
}

// recordTime records how much time is left. What the server sends to a newcomer is no event.
func (t *matchTracker) recordTime(e event, left int32) {
	first := false
	if !e.connection.isNewcomer(e.place.Time) {
		first = t.values.claim(e)
		if !first {
			return
		}
	}
	if e.game.match.Time(t.values.recorder(e), left, first) {
		t.recordEnd(e, "the game is over")
	}
}

// takeScoreOver takes the end of the match, and who won.
func (t *matchTracker) takeScoreOver(e event, b *ScoreOver) {
	e.connection.view.killAll(e.place.Time)
	switch {
	case !t.values.claim(e):
	case b.Team != NoTeam:
		t.recordEnd(e, teams.Format(int64(b.Team))+" wins the game")
	case int(b.Player.ID) < maxTanks:
		t.recordEnd(e, e.game.seats.called(&b.Player)+" wins the game")
	default:
		t.recordEnd(e, "the game is over")
	}
}

// recordEnd records the end of the match, with the final score.
func (t *matchTracker) recordEnd(e event, text string) {
	name := ""
	if best := e.game.seats.best(); best != nil {
		name = e.game.seats.called(&Player{best.id, best.Name}) + " " + best.Told.String()
	}
	e.game.match.End(t.values.recorder(e), text, name)
}

// takeTeams takes the scores of teams.
func (t *matchTracker) takeTeams(e event, b *TeamUpdate) {
	if !t.values.wanted() || !e.connection.isNewcomer(e.place.Time) && !t.values.claim(e) {
		return
	}
	for i := range b.Teams {
		x := &b.Teams[i]
		e.game.match.Team(int(x.Team), x.Size, x.Wins, x.Losses)
	}
}

// takeScores takes the scores of players.
func (t *matchTracker) takeScores(e event, b *Score) {
	if !t.values.claim(e) {
		return
	}
	r := t.values.recorder(e)
	for i := range b.Players {
		p := &b.Players[i]
		now := bzflag.Score{Wins: int(p.Wins), Losses: int(p.Losses), TeamKills: int(p.TeamKills)}
		if s := e.game.seats.find(p.Player.ID); s != nil {
			s.setScore(r, now)
		} else {
			r.State(bzflag.Players, p.Player.subject(), "score", now.String())
		}
	}
}

// takeRabbit takes who is the rabbit.
func (t *matchTracker) takeRabbit(e event, p *Player) {
	c := e.connection
	e.game.settings.checkRabbitMode(e.message)
	if c.view != nil {
		c.view.setRabbit(p.ID)
	}
	if int(p.ID) < maxTanks && !c.isNewcomer(e.place.Time) && t.values.claim(e) {
		t.values.recorder(e).Event(p.subject(), bzflag.Rabbit, "%s is the rabbit", e.game.seats.called(p))
	}
}

// takeReplayReset takes MsgReplayReset: the game begins anew.
func (t *matchTracker) takeReplayReset(e event) {
	c := e.connection
	c.forgetGame()
	c.setView(newView(false, e.place.Time))
	c.timeLeft, c.gameTime.known = 0, false
	e.game.shots = shots{}
}
