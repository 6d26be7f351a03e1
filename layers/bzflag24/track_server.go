package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// aboutConnection are the messages of a server that are about the connection, or the game as a whole. The
// others tell a client that was accepted what becomes of the game.
var aboutConnection = map[Code]bool{
	CodeAccept: true, CodeReject: true, CodeSuperKill: true, CodeUDPLinkRequest: true, CodeUDPLinkEstablished: true,
	CodeGameSettings: true, CodeQueryGame: true, CodeQueryPlayers: true, CodeWantWHash: true, CodeGetWorld: true,
	CodeLagPing: true, CodeGameTime: true, CodeHandicap: true, CodeNewRabbit: true, CodeReplayReset: true,
}

// fromServer takes a message of the server.
func (e *event) fromServer() {
	c := e.connection
	switch b := e.layer.Body.(type) {
	case *ServerHello:
		if !e.unreadable() {
			e.recordHello(b)
		}
		return
	case *TimeoutBanner:
		return
	}
	e.checkDismissed()
	if e.unreadable() {
		c.forgetNumbers(true)
		if e.tcp() {
			c.forgetGame()
		}
		e.recordTruncated()
		return
	}
	if e.game.counting == c {
		e.game.countingTime = e.place.Time
	}
	if c.view != nil {
		e.game.told = e.place.Time
	}
	if c.view != nil || aboutConnection[e.layer.Code] || e.currentView() != nil {
		e.checkFromServer()
	}
}

// checkFromServer checks a message of the server that can be read, by what it says. What is about the game
// finds a view.
//
//nolint:funlen // one case a message
func (e *event) checkFromServer() {
	switch b := e.layer.Body.(type) {
	case *wire.Empty:
		e.recordEmpty()
	case *OnePlayer:
		e.recordOnePlayer(&b.Player)
	case *Reject:
		e.recordReject(b)
	case *Settings:
		e.recordSettings(b.GameType, b.Options, b.MaxShots)
		e.game.numFlags = int(b.NumFlags)
	case *Game:
		e.recordSettings(b.GameType, b.Options, b.MaxShots)
		e.recordAnswer(e.connection.Route)
	case *PlayerCounts:
		e.recordAnswer(e.connection.Route)
	case *WorldHash:
		e.recordWorldHash(b)
	case *WorldPart:
		e.recordWorldPart(b)
	case *LagPing:
		e.checkLagPing(b)
	case *GameTime:
		e.checkGameTime(b)
	case *TimeUpdate:
		e.checkTimeLeft(b)
	case *ScoreOver:
		e.connection.view.killAll(e.place.Time)
		e.recordScoreOver(b)
	case *Score:
		e.recordScores(b)
	case *TeamUpdate:
		e.recordTeams(b)
	case *AdminInfo:
		e.recordAddresses(b)
	case *Handicaps:
		e.checkHandicapOption()
	case *ReplayReset:
		e.restartReplay()
	case *AddPlayer:
		e.recordPlayer(b)
	case *Spawn:
		e.checkSpawn(b)
	case *Killed:
		e.checkDeath(b)
	case *Pause:
		e.checkPause(b)
	case *Teleport:
		e.checkFaces(b, bzflag.HeaderSize+1)
	case *PlayerUpdate:
		e.checkRelayedUpdate(&b.Motion)
	case *PlayerUpdateSmall:
		e.checkRelayedUpdate(&b.Motion)
	case *ShotBegin:
		e.checkRelayedShot(b)
	case *GMUpdate:
		e.checkSlot(&b.Shot, bzflag.HeaderSize)
	case *ShotEnd:
		e.checkShotEnd(b)
	case *ChatFrom:
		e.recordChat(b)
	case *FlagUpdate:
		e.recordFlags(b)
	case *GrabFlag:
		e.checkGrab(b)
	case *DropFlag:
		e.checkDrop(b)
	case *TransferFlag:
		e.checkTransfer(b)
	case *CaptureFlag:
		e.checkCapture(b)
	}
}

// recordEmpty takes a message of the server that says all by its code.
func (e *event) recordEmpty() {
	if e.layer.Code == CodeSuperKill {
		e.recordSuperKill()
	}
}

// recordOnePlayer takes a message that only names a player.
func (e *event) recordOnePlayer(p *Player) {
	switch e.layer.Code {
	case CodeAccept:
		e.checkAccept(p)
	case CodeNewRabbit:
		e.checkRabbitMode()
		if v := e.connection.view; v != nil {
			v.setRabbit(p.ID)
		}
		e.recordRabbit(p)
	case CodeRemovePlayer:
		e.recordRemoval(p)
	}
}
