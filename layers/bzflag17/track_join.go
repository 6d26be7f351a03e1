package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const (
	crossingTime = second / 4  // messages of both sides may pass each other for so long
	answerTime   = 10 * second // to MsgEnter; real servers answer at once
	enterDelay   = second      // it may be captured so much later than its answer
)

// checkStage checks that a client speaks after it has entered, and before its end.
func (e *event) checkStage() {
	c, l := e.conn, e.layer
	sinceKill, sinceExit := e.since(c.superKilled.When()), e.since(c.exited.When())
	switch {
	case c.superKilled.Known() && l.Code != CodeExit && sinceKill >= crossingTime:
		e.report(ruleAfterKill, 0, headerSize, "%s, %s after MsgSuperKill", l.Message.Name, seconds(sinceKill))
	case c.stage == gone && (e.place.Transport == wire.TCP || sinceExit >= crossingTime):
		e.report(ruleAfterExit, 0, headerSize, "%s after MsgExit", l.Message.Name)
	case c.stage == fresh && onlyPlayersSend(l.Code):
		e.report(ruleBeforeEnter, 0, headerSize, "%s, and the client has not entered", l.Message.Name)
	}
}

// onlyPlayersSend reports whether only players have a use for a message.
func onlyPlayersSend(k Code) bool {
	switch k {
	case CodeAlive, CodeKilled, CodeGrabFlag, CodeDropFlag, CodeCaptureFlag, CodeShotBegin, CodeShotEnd, CodeScore,
		CodeTeleport, CodeMessage, CodePlayerUpdate, CodeGMUpdate, CodeAcquireRadio, CodeReleaseRadio, CodeAudio,
		CodeVideo, CodeLagPing:
		return true
	}
	return false
}

// checkEnter checks a MsgEnter, and waits for its answer.
func (e *event) checkEnter(b *Enter) {
	c := e.conn
	if c.enterUnseen {
		c.enterUnseen, c.enteredID = false, b.Player
		c.settle(ruleInterrupted, PlayerID{}, e.place.Time)
		return
	}
	callSign := callSign(b.CallSign)
	if c.stage == accepted || c.stage == playing {
		e.report(ruleSecondEnter, 0, headerSize, "%q enters, the player is there as %q", callSign, c.callSign)
	}
	late := c.serverSeen.Known() && e.place.Time < c.serverSeen.When()
	switch {
	case c.stage == gone, c.stage == stageUnknown:
	case late: // what the server answered, or part of it, was seen before
		c.stage = stageUnknown
	default:
		c.stage = entering
	}
	c.enteredID, c.kind, c.callSign = b.Player, b.Type, callSign
	if !c.serverSeen.Known() || late {
		return // what the server says was not captured, or the answer may have been seen
	}
	e.postpone(pendingFinding{rule: ruleUnanswered, text: "no answer came in " + seconds(answerTime)}, answerTime)
}

// recordAnswer takes note of MsgAccept, MsgReject or MsgSuperKill.
func (e *event) recordAnswer() {
	c := e.conn
	c.settle(ruleUnanswered, PlayerID{}, e.place.Time)
	if c.stage == fresh && e.layer.Code == CodeAccept {
		c.stage, c.enterUnseen = entering, true // perhaps MsgEnter was only captured later
	}
	if c.stage != entering {
		return
	}
	switch e.layer.Code {
	case CodeReject:
		c.stage = fresh
	case CodeAccept: // all that there is will be told
		c.stage, c.complete, c.playerAdded, c.timeLeft.known = accepted, true, nil, false
		c.relay = c.relay && c.joined.Known()
		c.tanks = nil
		c.flags = c.flags[:0]
	}
}

// recordReject tells whom the server refuses, and why.
func (e *event) recordReject(b *Reject) {
	if e.measures() {
		e.recorder().Refusal(e.route.Client, e.conn.callSign, b.Reason.String())
	}
	e.recordAnswer()
}

// recordExit takes note of a client's end by its own will.
func (e *event) recordExit() {
	c := e.conn
	e.measureLeaving("leaves")
	c.stage, c.exited = gone, clock.At(e.place.Time)
	c.dropAllPending()
}

// recordSuperKill takes note of a client's end by the server's will.
func (e *event) recordSuperKill() {
	e.recordAnswer()
	how := "is removed by the server"
	if e.isShutdown() {
		how = "leaves: the server shuts down"
	}
	e.measureLeaving(how)
	e.conn.superKilled = clock.At(e.place.Time)
	e.conn.dropAllPending()
}

// isShutdown reports whether a MsgSuperKill is one of those that everybody gets when the server ends, and tells of it
// once: no other one goes to several clients at the same time, or to one who does not play.
func (e *event) isShutdown() bool {
	g := e.makeGame()
	others := g.dismissal != e.conn.serial && g.dismissed.Within(e.place.Time, second)
	g.dismissed, g.dismissal = clock.At(e.place.Time), e.conn.serial
	if !others && e.conn.stage != fresh {
		g.shutdown = false
		return false
	}
	if !g.shutdown {
		g.shutdown = true
		e.recorder().Event("", bzflag.Shutdown, "the server shuts down")
	}
	return true
}

// checkBeforeGame checks what a server says to those who are not in the game.
func (e *event) checkBeforeGame() {
	c, k, name := e.conn, e.layer.Code, e.layer.Message.Name
	switch c.stage {
	case fresh:
		// An answer to MsgEnter shows that this one is missing, or was captured later.
		if c.clientSeen && c.wantsWorldOnly && k != CodeAccept && k != CodeReject && !c.mayReceive(k) {
			text := name + ", and the client asked for the world only"
			e.postpone(pendingFinding{rule: ruleInterrupted, text: text, otherSide: true}, enterDelay)
		}
	case accepted:
		if !comesBeforeGame(k) && !c.mayReceive(k) {
			e.report(ruleBeforeOwn, 0, headerSize, "%s before the player's own MsgAddPlayer", name)
			c.stage = stageUnknown // once is enough
		}
	}
}

// comesBeforeGame reports whether a client takes a message before its own MsgAddPlayer.
func comesBeforeGame(k Code) bool {
	switch k {
	case CodeAccept, CodeReject, CodeSuperKill, CodeFlagUpdate, CodeTeamUpdate, CodeAddPlayer, CodeNetworkRelay,
		CodeUDPLinkRequest:
		return true
	}
	return false
}

// mayReceive reports whether a server may send something to a client that asked for the world, and
// perhaps for other things.
func (c *connection) mayReceive(k Code) bool {
	switch k {
	case CodeGetWorld, CodeSuperKill:
		return true
	case CodeWantWHash:
		return c.queries&askedHash != 0
	case CodeQueryGame:
		return c.queries&askedGame != 0
	case CodeQueryPlayers, CodeTeamUpdate, CodeAddPlayer:
		return c.queries&askedPlayers != 0
	}
	return false
}
