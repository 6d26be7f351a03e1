package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// matchTracker follows the time and the scores of matches.
type matchTracker struct {
	values *valueTracker
	games  *gameTable
	news   *newsTracker
}

// recordTime records the time left in the match. If a message is only for a new client, it is not an event.
func (t *matchTracker) recordTime(e *event, b *TimeLeft) {
	news := false
	if !e.conn.isNewcomer(e.place.Time) {
		news = t.news.isNew(e)
		if !news {
			return
		}
	}
	if t.games.make(e).match.Time(t.values.recorder(e), int32(b.Seconds), news) {
		t.recordEnd(e, "the game is over")
	}
}

// recordScoreOver records the end of the game, and the winner.
func (t *matchTracker) recordScoreOver(e *event, b *ScoreOver) {
	endGame(e)
	switch {
	case !t.news.isNew(e):
	case b.Team != NoTeam:
		t.recordEnd(e, teams.Format(int64(b.Team))+" wins the game")
	default:
		t.recordEnd(e, t.verdict(e, e.conn.resolve(b.Player.ID)))
	}
}

// verdict describes in words how the match ends if the server names a player as the winner.
func (t *matchTracker) verdict(e *event, id PlayerID) string {
	var seat *bzflag.Seat
	if n := e.game.player(id); n != nil && n.Who != "" {
		seat = &n.Seat
	}
	lossy := clock.Elapsed(e.place.Time, e.conn.shotsUnseen) > 0
	text, _ := t.games.make(e).match.Verdict(seat, called(e, id), e.place.Time, lossy)
	return text
}

// recordEnd reports the end of the match, with the final score.
func (t *matchTracker) recordEnd(e *event, text string) {
	var best *identity
	g, name := t.games.make(e), ""
	for _, n := range g.players.sorted() {
		if n.Gone || best == nil && !n.Beats(nil) || best != nil && !n.Beats(&best.Seat) {
			continue
		}
		best, name = n.identity, called(e, n.id)+" "+n.Told.String()
	}
	g.match.End(t.values.recorder(e), text, name)
}

// recordTeam records the state of a team. The message also shows that the list of players is complete.
func (t *matchTracker) recordTeam(e *event, b *TeamUpdate) {
	if e.conn.stage == playing {
		e.conn.playerAdded = nil
	}
	if !t.values.enabled() || !e.conn.isNewcomer(e.place.Time) && !t.news.isNew(e) {
		return
	}
	g := t.games.make(e)
	g.match.Team(int(b.Team), b.Size, b.Wins, b.Losses)
	if g.reported { // the game is known
		g.match.RecordTeams(t.values.recorder(e))
	}
}

// recordScore records a player's score that the server sends.
func (t *matchTracker) recordScore(e *event, b *Score) {
	if !t.news.isNew(e) {
		return
	}
	if n := e.game.player(e.conn.resolve(b.Player.ID)); n != nil && n.Who != "" {
		n.Score(t.values.recorder(e), bzflag.Score{Wins: int(b.Wins), Losses: int(b.Losses)})
		n.scoreTime = e.place.Time
	}
}

// checkClientScore checks the score that a client reports.
func (t *matchTracker) checkClientScore(e *event, b *Score) {
	checkScoreStep(&e.message, &e.conn.score, b)
}

// checkScore checks a player's score in a server's message.
func (t *matchTracker) checkScore(e *event, b *Score) {
	t.recordScore(e, b)
	c := e.conn
	k := c.tank(b.Player.ID)
	if k == nil {
		return
	}
	if isCaptured(e, b.Player.ID) {
		k.score.known = false // the client's own report was checked before
	}
	checkScoreStep(&e.message, &k.score, b)
	if c.resolve(b.Player.ID) == c.playerID && !c.score.known {
		c.score = k.score
	}
}

// checkScoreStep checks the difference between a score and the next score, and stores the next one.
func checkScoreStep(m *message, s *score, b *Score) {
	if s.known && (moreThanOneApart(s.wins, b.Wins) || moreThanOneApart(s.losses, b.Losses)) {
		m.report(ruleScore, m.bodyOffset(), 4, "from %d:%d to %d:%d", s.wins, s.losses, b.Wins, b.Losses)
	}
	*s = score{b.Wins, b.Losses, true}
}

// moreThanOneApart reports whether two numbers, which may wrap around below zero, differ by more than one.
func moreThanOneApart(a, b uint16) bool { return b-a+1 > 2 }

// checkTimeLeft checks that the clock counts down.
func (t *matchTracker) checkTimeLeft(e *event, b *TimeLeft) {
	c := e.conn
	if c.timeLeft.known && b.Seconds > c.timeLeft.seconds {
		e.report(ruleTime, headerSize, 2, "%d seconds, it was %d before", b.Seconds, c.timeLeft.seconds)
	}
	c.timeLeft = timeLeft{b.Seconds, true}
	t.recordTime(e, b)
	if b.Seconds == 0 {
		endGame(e)
	}
}

// endGame records the end of the game, at which all tanks explode.
func endGame(e *event) {
	c := e.conn
	if !c.gameOver.Known() {
		c.gameOver = clock.At(e.place.Time)
	}
	c.outcomes.settleAll()
	for i := range c.tanks {
		c.tanks[i].life = lifeUnknown
	}
}
