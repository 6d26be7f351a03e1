package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// checkClientMessage checks a message of a client.
func (e *event) checkClientMessage() {
	e.recordClient()
	if e.unreadable() {
		e.conn.forgetClient(e.place.Time)
		return
	}
	switch b := e.layer.Body.(type) {
	case *WorldRequest:
		e.checkWorldRequest(b)
	case *Enter:
		e.checkEnter(b)
	case *Spawn:
		e.checkSpawn(b)
	case *Killed:
		e.checkClientDeath(b)
	case *PlayerUpdate:
		e.checkUpdate(b)
	case *ShotBegin:
		e.checkShotBegin(b)
	case *ShotEnd:
		e.checkShotEnd(b)
	case *GuidedUpdate:
		e.checkGuided(b)
	case *GrabRequest:
		e.checkGrabRequest(b)
	case *DropRequest:
		e.checkDropRequest()
	case *CaptureRequest:
		e.checkCaptureRequest()
	case *Score:
		e.checkClientScore(b)
	case *Teleport:
		e.checkTeleport(b)
	case *Message:
		e.checkPresent(b.To.ID, headerSize, "the receiver")
	case *LagPing:
		e.checkEcho(b)
	case *LinkRequest:
		e.recordLink(b)
	case *wire.Empty:
		e.recordClientSignal()
	}
}

// recordClient takes note that the client speaks, and checks whether it may.
func (e *event) recordClient() {
	c := e.conn
	c.clientSeen, c.clientTime = true, e.place.Time
	e.checkStage()
	switch e.layer.Code {
	case CodeGetWorld:
	case CodeWantWHash:
		c.queries |= askedHash
	case CodeQueryGame:
		c.queries |= askedGame
		e.queries.Ask(e.place, e.queryRoute(), bzflag.AboutGame)
	case CodeQueryPlayers:
		c.queries |= askedPlayers
		e.queries.Ask(e.place, e.queryRoute(), bzflag.AboutPlayers)
	default:
		c.wantsWorldOnly = false
	}
}

// recordClientSignal takes note of a client's message that says all by its code.
func (e *event) recordClientSignal() {
	switch e.layer.Code {
	case CodeNetworkRelay:
		e.recordRelay()
	case CodeExit:
		e.recordExit()
	}
}
