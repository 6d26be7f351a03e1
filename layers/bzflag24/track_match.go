package bzflag24

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// matchTracker follows the time and the scores of the match, and which player is the rabbit. If a player's score ends
// the match, the server sends the scores of the teams next, so matchTracker waits for them before it records the end.
type matchTracker struct {
	values *valueTracker
}

// takeTime handles the time left.
func (t *matchTracker) takeTime(e event, b *TimeUpdate) {
	e.connection.timeLeft.take(e.message, b)
	t.recordTime(e, b.Seconds)
	if b.Seconds == TimeOver {
		e.connection.view.killAll(e.place.Time)
	}
}

// recordTime records the time left. A time that the server sends only to a new client is not an event.
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

// takeScoreOver handles the end of the match and its winner.
func (t *matchTracker) takeScoreOver(e event, b *ScoreOver) {
	e.connection.view.killAll(e.place.Time)
	if !t.values.claim(e) {
		return
	}
	text, won := t.verdict(e, b)
	if won && b.Team == NoTeam && e.game.match.HasTeams() {
		e.game.ending = &ending{place: *e.place, by: e.connection, text: text}
		return
	}
	e.game.ending = nil // a pending end is about the same kill
	t.recordEnd(e, text)
}

// verdict describes in a sentence how the match ended. won reports whether the sentence names a winner.
func (t *matchTracker) verdict(e event, b *ScoreOver) (text string, won bool) {
	switch {
	case b.Team != NoTeam:
		return teams.Format(int64(b.Team)) + " wins the game", true
	case int(b.Player.ID) >= maxTanks:
		return "the game is over", false
	}
	var seat *bzflag.Seat
	if s := e.game.seats.find(b.Player.ID); s != nil {
		seat = &s.Seat
	}
	lossy := e.connection.missed.Within(e.place.Time, endingTime)
	return e.game.match.Verdict(seat, e.game.seats.called(&b.Player), e.place.Time, lossy)
}

// endingTime is the maximum time for which an end may be pending.
const endingTime = int64(time.Second)

// settle records a pending end, unless the server may still be sending the scores that belong to it.
func (t *matchTracker) settle(e event) {
	g, end := e.game, e.game.ending
	if clock.Elapsed(end.place.Time, e.place.Time) <= endingTime {
		if e.connection != end.by || e.layer.Direction == wire.ToServer {
			return
		}
		switch e.layer.Code {
		case CodeTeamUpdate, CodeScoreOver, CodeDropFlag, CodeFlagUpdate:
			return
		}
	}
	t.conclude(g)
}

// close records the pending ends.
func (t *matchTracker) close(connections *connectionTable) {
	connections.games.Each(func(_ netip.AddrPort, g *game) { t.conclude(g) })
}

// conclude records a pending end.
func (t *matchTracker) conclude(g *game) {
	if end := g.ending; end != nil {
		g.ending = nil
		place := end.place
		t.recordEnd(event{message: message{place: &place}, game: g, connection: end.by}, end.text)
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

// takeTeams handles the scores of teams.
func (t *matchTracker) takeTeams(e event, b *TeamUpdate) {
	if !t.values.wanted() || !e.connection.isNewcomer(e.place.Time) && !t.values.claim(e) {
		return
	}
	for i := range b.Teams {
		x := &b.Teams[i]
		e.game.match.Team(int(x.Team), x.Size, x.Wins, x.Losses)
	}
	e.game.match.RecordTeams(t.values.recorder(e))
}

// takeScores handles the scores of players.
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

// takeRabbit handles the announcement of the rabbit.
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

// takeReplayReset handles MsgReplayReset: the game restarts.
func (t *matchTracker) takeReplayReset(e event) {
	c := e.connection
	joined := c.joined
	c.forgetGame()
	c.joined, c.replayed = joined, true // the players who watch the replay stay
	c.setView(newView(false, e.place.Time))
	c.timeLeft, c.gameTime.known = 0, false
	e.game.shots = shots{}
}
