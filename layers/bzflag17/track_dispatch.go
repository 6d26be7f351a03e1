package bzflag17

import "github.com/gamedissect/gamedissect/decode/wire"

// dispatcher passes each message to the components that need it.
type dispatcher struct {
	acts     *actTracker
	attempts attemptTracker
	chat     *chatTracker
	flags    *flagTracker
	joins    *joinTracker
	links    *linkTracker
	lives    *lifeTracker
	matches  *matchTracker
	players  *playerTracker
	queries  *queryTracker
	shots    *shotTracker
	wishes   *wishTracker
	worlds   *worldTracker
}

// checkClient checks a message from a client.
//
//nolint:funlen // one case per message
func (t *dispatcher) checkClient(e *event) {
	t.joins.checkClient(e)
	t.links.recordClient(e)
	t.queries.ask(e)
	if e.unreadable() {
		e.conn.forgetClient(e.place.Time)
		return
	}
	t.wishes.takeRequest(e)
	switch b := e.layer.Body.(type) {
	case *WorldRequest:
		t.worlds.checkRequest(e, b)
		t.attempts.takeRequest(e)
	case *Enter:
		t.joins.checkEnter(e, b)
		t.attempts.takeEnter(e)
	case *Spawn:
		t.lives.checkSpawn(e, b)
		t.attempts.takeSpawn(e)
	case *Killed:
		t.lives.checkClientDeath(e, b)
	case *PlayerUpdate:
		t.lives.checkUpdate(e, b)
	case *ShotBegin:
		t.shots.checkBegin(e, b)
	case *ShotEnd:
		t.shots.checkEnd(e, b)
	case *GuidedUpdate:
		t.shots.checkGuided(e, b)
	case *GrabRequest:
		t.flags.checkGrabRequest(e, b)
	case *DropRequest:
		t.flags.checkDropRequest(e)
	case *CaptureRequest:
		t.flags.checkCaptureRequest(e)
	case *Score:
		t.matches.checkClientScore(e, b)
	case *Teleport:
		t.worlds.checkTeleport(e, b)
	case *Message:
		t.acts.checkPresent(e, b.To.ID, headerSize, "the receiver")
		t.attempts.takeCommand(e, b)
		t.chat.asks.takeLine(e, b)
	case *LagPing:
		t.links.checkEcho(e, b)
	case *LinkRequest:
		t.links.recordLink(e, b)
	case *wire.Empty:
		switch e.layer.Code {
		case CodeNetworkRelay:
			t.links.recordRelay(e)
		case CodeExit:
			t.joins.recordExit(e)
		}
	}
}

// checkServer checks a message from a server.
//
//nolint:funlen // one case per message
func (t *dispatcher) checkServer(e *event) {
	t.joins.checkServer(e)
	t.links.recordServer(e)
	if e.unreadable() {
		e.conn.forgetServer(e.place.Time)
		return
	}
	switch b := e.layer.Body.(type) {
	case *WorldPart:
		t.worlds.checkPart(e, b)
		t.attempts.takePart(e, b)
	case *AddPlayer:
		t.players.checkAdd(e, b)
	case *RemovePlayer:
		t.players.checkRemove(e, b)
	case *PlayerCounts:
		t.queries.recordCounts(e, b)
	case *Game:
		t.queries.recordGame(e, b)
	case *TeamUpdate:
		t.matches.recordTeam(e, b)
	case *Reject:
		t.joins.recordReject(e, b)
	case *Spawn:
		t.lives.checkSpawn(e, b)
	case *Killed:
		t.lives.checkDeath(e, b)
	case *PlayerUpdate:
		t.lives.checkUpdate(e, b)
	case *ShotBegin:
		t.shots.checkBegin(e, b)
	case *ShotEnd:
		t.shots.checkEnd(e, b)
	case *GuidedUpdate:
		t.shots.checkGuided(e, b)
	case *FlagUpdate:
		t.flags.recordUpdate(e, b)
	case *GrabFlag:
		t.flags.checkGrab(e, b)
	case *DropFlag:
		t.flags.recordDrop(e, b)
	case *CaptureFlag:
		t.flags.recordCapture(e, b)
	case *Score:
		t.matches.checkScore(e, b)
	case *Teleport:
		t.worlds.checkTeleport(e, b)
	case *Message:
		t.chat.check(e, b)
	case *TimeLeft:
		t.matches.checkTimeLeft(e, b)
	case *ScoreOver:
		t.matches.recordScoreOver(e, b)
	case *SetTTL:
		t.links.checkTTL(e, b)
	case *LagPing:
		t.links.checkPing(e, b)
	case *wire.Empty:
		switch e.layer.Code {
		case CodeAccept:
			t.joins.recordAnswer(e)
			t.attempts.takeAccept(e)
		case CodeNetworkRelay:
			t.links.recordRelay(e)
		case CodeSuperKill:
			t.joins.recordSuperKill(e)
		}
	}
}
