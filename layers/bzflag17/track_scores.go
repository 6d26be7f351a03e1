package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// checkOwnScore checks what a client says of its score.
func (e *event) checkOwnScore(b *Score) {
	e.checkScoreStep(&e.view.score, b)
}

// checkScore checks what a server says of a player's score.
func (e *event) checkScore(b *Score) {
	e.recordScore(b)
	v := e.view
	k := v.tank(b.Player.ID)
	if k == nil {
		return
	}
	if e.hasOwnConnection(b.Player.ID) {
		k.score.known = false // it was checked when the player said it
	}
	e.checkScoreStep(&k.score, b)
	if v.idOf(b.Player.ID) == v.own && !v.score.known {
		v.score = k.score
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
	v := e.view
	if v.timeLeft.known && b.Seconds > v.timeLeft.seconds {
		e.report(ruleTime, headerSize, 2, "%d seconds, it was %d before", b.Seconds, v.timeLeft.seconds)
	}
	v.timeLeft = timeLeft{b.Seconds, true}
	e.recordTime(b)
	if b.Seconds == 0 {
		e.endGame()
	}
}

// endGame takes note of the end of the game: all tanks explode.
func (e *event) endGame() {
	v := e.view
	if !v.gameOver.Known() {
		v.gameOver = clock.At(e.place.Time)
	}
	v.dropAllPending()
	for i := range v.tanks {
		v.tanks[i].life = lifeUnknown
	}
}

// checkTTL checks a server's MsgSetTTL.
func (e *event) checkTTL(b *SetTTL) {
	v := e.view
	if v.ttl != 0 && b.TTL <= v.ttl {
		e.report(ruleTTL, headerSize, 2, "a TTL of %d, it was %d before", b.TTL, v.ttl)
	}
	v.ttl = b.TTL
}
