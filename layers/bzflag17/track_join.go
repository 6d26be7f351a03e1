package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// joinTracker follows how clients enter and leave.
type joinTracker struct {
	values  *valueTracker
	games   *gameTable
	pending pendingFindings
	players *playerTracker

	attempts attemptTracker
}

const (
	answerTime = 10 * second // time to answer MsgEnter; real servers answer at once
	enterDelay = second      // MsgEnter may be captured this much later than its answer
)

// checkClient records a message from the client. It checks that the client has entered and has not left.
func (t *joinTracker) checkClient(e *event) {
	c, l := e.conn, e.layer
	c.clientSeen, c.clientTime = true, e.place.Time
	sinceKill, sinceExit := e.since(c.superKilled.When()), e.since(c.exited.When())
	switch {
	case c.superKilled.Known() && l.Code != CodeExit && sinceKill >= crossingTime:
		e.report(ruleAfterKill, 0, headerSize, "%s, %s after MsgSuperKill", l.Message.Name, seconds(sinceKill))
	case c.stage == gone && (e.tcp() || sinceExit >= crossingTime):
		e.report(ruleAfterExit, 0, headerSize, "%s after MsgExit", l.Message.Name)
	case c.stage == fresh && onlyPlayersSend(l.Code):
		e.report(ruleBeforeEnter, 0, headerSize, "%s, and the client has not entered", l.Message.Name)
	}
}

// onlyPlayersSend reports whether a client must have a player in the game to send a message.
func onlyPlayersSend(k Code) bool {
	switch k {
	case CodeAlive, CodeKilled, CodeGrabFlag, CodeDropFlag, CodeCaptureFlag, CodeShotBegin, CodeShotEnd, CodeScore,
		CodeTeleport, CodeMessage, CodePlayerUpdate, CodeGMUpdate, CodeAcquireRadio, CodeReleaseRadio, CodeAudio,
		CodeVideo, CodeLagPing:
		return true
	}
	return false
}

// checkEnter checks a MsgEnter, which the server must answer.
func (t *joinTracker) checkEnter(e *event, b *Enter) {
	c := e.conn
	if c.enterUnseen {
		c.enterUnseen, c.enteredID = false, b.Player
		c.outcomes.settle(ruleInterrupted, PlayerID{}, e.place.Time)
		return
	}
	callSign := callSign(b.CallSign)
	if c.stage == accepted || c.stage == playing {
		e.report(ruleSecondEnter, 0, headerSize, "%q enters, the player is there as %q", callSign, c.callSign)
	}
	late := c.serverSeen.Known() && e.place.Time < c.serverSeen.When()
	switch {
	case c.stage == gone, c.stage == stageUnknown:
	case late: // the answer, or a part of it, was captured before MsgEnter
		c.stage = stageUnknown
	default:
		c.stage = entering
	}
	c.enteredID, c.kind, c.callSign = b.Player, b.Type, callSign
	if !c.serverSeen.Known() || late {
		return // the server's messages are not in the capture, or the answer came before MsgEnter
	}
	t.pending.add(e, pendingFinding{
		rule: ruleUnanswered, text: "no answer came in " + seconds(answerTime), wait: answerTime,
	})
}

// recordAnswer records a MsgAccept, MsgReject or MsgSuperKill.
func (t *joinTracker) recordAnswer(e *event) {
	c := e.conn
	c.outcomes.settle(ruleUnanswered, PlayerID{}, e.place.Time)
	if c.stage == fresh && e.layer.Code == CodeAccept {
		c.stage, c.enterUnseen = entering, true // MsgEnter may be captured later
	}
	if c.stage != entering {
		return
	}
	switch e.layer.Code {
	case CodeReject:
		c.stage = fresh
	case CodeAccept: // the server will send the whole state
		c.stage, c.complete, c.playerAdded, c.timeLeft.known = accepted, true, nil, false
		c.relay = c.relay && c.joined.Known()
		c.tanks = nil
		c.flags = c.flags[:0]
	}
}

// recordReject records the server's refusal, with the reason.
func (t *joinTracker) recordReject(e *event, b *Reject) {
	t.attempts.refuse(e, b.Reason.String())
	t.recordAnswer(e)
}

// recordExit handles a client that ends the connection.
func (t *joinTracker) recordExit(e *event) {
	c := e.conn
	t.attempts.leave(e)
	t.players.recordLeaving(e, "leaves")
	c.stage, c.exited = gone, clock.At(e.place.Time)
	c.outcomes.settleAll()
}

// recordSuperKill handles a server that ends the connection.
func (t *joinTracker) recordSuperKill(e *event) {
	t.recordAnswer(e)
	how, reason := "leaves", t.attempts.dismiss(e)
	if reason != "" {
		t.players.recordRemoval(e, reason)
	}
	switch {
	case t.isShutdown(e):
		how = "leaves: the server shuts down"
	case reason == attempt.NoReason:
		how = "is removed by the server"
	case reason != "":
		how = "is removed by the server: " + reason
	}
	t.players.recordLeaving(e, how)
	e.conn.superKilled = clock.At(e.place.Time)
	e.conn.outcomes.settleAll()
}

// isShutdown reports whether a MsgSuperKill means that the server shuts down. A server that shuts down sends the
// message to all clients. Otherwise, it never sends the message to several clients at the same time, or to a client
// that has not entered. isShutdown records the shutdown once.
func (t *joinTracker) isShutdown(e *event) bool {
	g := t.games.make(e)
	others := g.dismissal != e.conn.serial && g.dismissed.Within(e.place.Time, second)
	g.dismissed, g.dismissal = clock.At(e.place.Time), e.conn.serial
	if !others && e.conn.stage != fresh {
		g.shutdown = false
		return false
	}
	if !g.shutdown {
		g.shutdown = true
		t.values.recorder(e).Event("", bzflag.Shutdown, "the server shuts down")
	}
	return true
}

// checkServer records a message from the server, and checks whether the server may send it.
func (t *joinTracker) checkServer(e *event) {
	c, now := e.conn, e.place.Time
	c.serverSeen = clock.At(max(c.serverSeen.When(), now))
	if now < c.clientTime {
		c.outcomes.settleOvertaken(now)
	}
	if c.playerAdded != nil && e.since(c.joined.When()) >= listTime {
		c.playerAdded = nil
	}
	t.checkBeforeGame(e)
}

// checkBeforeGame checks the server's messages to a client that is not in the game.
func (t *joinTracker) checkBeforeGame(e *event) {
	c, k, name := e.conn, e.layer.Code, e.layer.Message.Name
	switch c.stage {
	case fresh:
		// An answer to MsgEnter is not reported: MsgEnter is missing, or was captured later than the answer.
		if c.clientSeen && c.requestsWorldOnly && k != CodeAccept && k != CodeReject && !c.mayReceive(k) {
			text := name + ", and the client asked for the world only"
			t.pending.add(e, pendingFinding{rule: ruleInterrupted, otherSide: true, text: text, wait: enterDelay})
		}
	case accepted:
		if !comesBeforeGame(k) && !c.mayReceive(k) {
			e.report(ruleBeforeOwn, 0, headerSize, "%s before the player's own MsgAddPlayer", name)
			c.stage = stageUnknown // report only one message
		}
	}
}

// comesBeforeGame reports whether a client accepts a message before its own MsgAddPlayer.
func comesBeforeGame(k Code) bool {
	switch k {
	case CodeAccept, CodeReject, CodeSuperKill, CodeFlagUpdate, CodeTeamUpdate, CodeAddPlayer, CodeNetworkRelay,
		CodeUDPLinkRequest:
		return true
	}
	return false
}
