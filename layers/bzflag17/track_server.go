package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// checkServerMessage checks a message of a server.
//
//nolint:funlen // one case a message
func (e *event) checkServerMessage() {
	e.recordServer()
	if e.unreadable() {
		e.conn.forgetServer(e.place.Time)
		return
	}
	switch b := e.layer.Body.(type) {
	case *WorldPart:
		e.checkWorldPart(b)
	case *AddPlayer:
		e.checkAddPlayer(b)
	case *RemovePlayer:
		e.checkRemovePlayer(b)
	case *PlayerCounts:
		e.makeGame().queried = clock.At(e.place.Time)
		e.recordCounts(b)
	case *Game:
		e.recordGame(b)
	case *TeamUpdate:
		e.recordTeamUpdate(b)
	case *Reject:
		e.recordReject(b)
	case *Spawn:
		e.checkSpawn(b)
	case *Killed:
		e.checkDeath(b)
	case *PlayerUpdate:
		e.checkUpdate(b)
	case *ShotBegin:
		e.checkShotBegin(b)
	case *ShotEnd:
		e.checkShotEnd(b)
	case *GuidedUpdate:
		e.checkGuided(b)
	case *FlagUpdate:
		e.recordFlagUpdate(b)
	case *GrabFlag:
		e.checkGrab(b)
	case *DropFlag:
		e.recordDrop(b)
	case *CaptureFlag:
		e.recordCapture(b)
	case *Score:
		e.checkScore(b)
	case *Teleport:
		e.checkTeleport(b)
	case *Message:
		e.checkChat(b)
	case *TimeLeft:
		e.checkTimeLeft(b)
	case *ScoreOver:
		e.endGame()
		e.recordScoreOver(b)
	case *SetTTL:
		e.checkTTL(b)
	case *LagPing:
		e.checkPing(b)
	case *wire.Empty:
		e.recordServerSignal()
	}
}

// recordServer takes note that the server speaks, and checks whether it may.
func (e *event) recordServer() {
	c, now := e.conn, e.place.Time
	c.serverSeen = clock.At(max(c.serverSeen.When(), now))
	c.linkSeen = c.linkSeen || e.place.Transport == wire.UDP
	if now < c.clientTime {
		c.dropOvertaken(now)
	}
	if c.playerAdded != nil && e.since(c.joined.When()) >= listTime {
		c.playerAdded = nil
	}
	e.checkBeforeGame()
}

// recordServerSignal takes note of a server's message that says all by its code.
func (e *event) recordServerSignal() {
	switch e.layer.Code {
	case CodeAccept:
		e.recordAnswer()
	case CodeNetworkRelay:
		e.recordRelay()
	case CodeSuperKill:
		e.recordSuperKill()
	}
}
