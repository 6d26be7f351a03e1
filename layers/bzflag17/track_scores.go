package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// checkClientScore checks what a client says of its score.
func (e *event) checkClientScore(b *Score) {
	e.checkScoreStep(&e.conn.score, b)
}

// checkScore checks what a server says of a player's score.
func (e *event) checkScore(b *Score) {
	e.recordScore(b)
	c := e.conn
	k := c.tank(b.Player.ID)
	if k == nil {
		return
	}
	if e.isCaptured(b.Player.ID) {
		k.score.known = false // it was checked when the player said it
	}
	e.checkScoreStep(&k.score, b)
	if c.resolve(b.Player.ID) == c.playerID && !c.score.known {
		c.score = k.score
	}
}

// checkScoreStep checks the step from one score to the next, which takes its place.
func (e *event) checkScoreStep(s *score, b *Score) {
	if s.known && (moreThanOneApart(s.wins, b.Wins) || moreThanOneApart(s.losses, b.Losses)) {
		e.report(ruleScore, e.bodyOffset(), 4, "from %d:%d to %d:%d", s.wins, s.losses, b.Wins, b.Losses)
	}
	*s = score{b.Wins, b.Losses, true}
}

// moreThanOneApart is about numbers that go round below zero.
func moreThanOneApart(a, b uint16) bool { return b-a+1 > 2 }

// checkTimeLeft checks that the clock runs down.
func (e *event) checkTimeLeft(b *TimeLeft) {
	c := e.conn
	if c.timeLeft.known && b.Seconds > c.timeLeft.seconds {
		e.report(ruleTime, headerSize, 2, "%d seconds, it was %d before", b.Seconds, c.timeLeft.seconds)
	}
	c.timeLeft = timeLeft{b.Seconds, true}
	e.recordTime(b)
	if b.Seconds == 0 {
		e.endGame()
	}
}

// endGame takes note of the end of the game: all tanks explode.
func (e *event) endGame() {
	c := e.conn
	if !c.gameOver.Known() {
		c.gameOver = clock.At(e.place.Time)
	}
	c.dropAllPending()
	for i := range c.tanks {
		c.tanks[i].life = lifeUnknown
	}
}

// checkTTL checks a server's MsgSetTTL.
func (e *event) checkTTL(b *SetTTL) {
	c := e.conn
	if c.ttl != 0 && b.TTL <= c.ttl {
		e.report(ruleTTL, headerSize, 2, "a TTL of %d, it was %d before", b.TTL, c.ttl)
	}
	c.ttl = b.TTL
}
