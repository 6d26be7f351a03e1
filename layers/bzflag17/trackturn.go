package bzflag17

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// fromClient judges a message of a client.
func (t *tracker) fromClient() {
	v, m := t.v, t.m
	v.spoke, v.lastWord = true, t.p.Time
	t.stayed()
	switch m.Code {
	case CodeGetWorld:
	case CodeWantWHash:
		v.asked |= askedHash
	case CodeQueryGame:
		v.asked |= askedGame
	case CodeQueryPlayers:
		v.asked |= askedPlayers
	default:
		v.onlyWorld = false
	}
	if m.Fault() != nil || m.Truncated() {
		v.lostFromClient(t.p.Time)
		return
	}
	switch b := m.Body.(type) {
	case *WorldRequest:
		t.askWorld(b)
	case *Enter:
		t.enter(b)
	case *Spawn:
		t.live(b)
	case *Killed:
		t.kill(b)
	case *PlayerUpdate:
		t.update(b)
	case *ShotBegin:
		t.shoot(b)
	case *ShotEnd:
		t.end(b)
	case *GuidedUpdate:
		t.steer(b)
	default:
		t.gameFromClient()
	}
}

// gameFromClient judges what a client says of flags and of the game as a whole.
func (t *tracker) gameFromClient() {
	switch b := t.m.Body.(type) {
	case *GrabRequest:
		t.askGrab(b)
	case *DropRequest:
		t.askDrop()
	case *CaptureRequest:
		t.askCapture()
	case *Score:
		t.scored(b)
	case *Teleport:
		t.teleport(b)
	case *Message:
		t.say(b)
	case *LagPing:
		t.lagPing(b)
	case *LinkRequest:
		t.linked(b)
	case *Empty:
		t.word()
	}
}

// word is a message of a client that says all by its code.
func (t *tracker) word() {
	v := t.v
	switch t.m.Code {
	case CodeNetworkRelay:
		v.relay = true
		v.explain(ruleRelay, PlayerID{}, t.p.Time)
	case CodeExit:
		t.quit(v.own)
		v.stage, v.exited = gone, max(t.p.Time, 1)
		v.forgive()
	}
}

// fromServer judges a message of a server.
func (t *tracker) fromServer() {
	v, m := t.v, t.m
	v.heard, v.heardTime = true, max(v.heardTime, t.p.Time)
	v.linkHeard = v.linkHeard || t.p.Transport == wire.UDP
	if t.p.Time < v.lastWord {
		v.overtaken(t.p.Time)
	}
	t.silent()
	if m.Fault() != nil || m.Truncated() {
		v.lostFromServer(t.p.Time)
		return
	}
	switch b := m.Body.(type) {
	case *WorldPart:
		t.worldCame(b)
	case *AddPlayer:
		t.add(b)
	case *RemovePlayer:
		t.remove(b)
	case *PlayerCounts:
		t.games.Make(v.game).queried = max(t.p.Time, 1)
	case *TeamUpdate:
		if v.stage == playing {
			v.early = nil
		}
	case *Reject:
		t.measure("refused", strings.TrimSpace(v.route.Client.String()+" "+v.sign), "reason", 0, "", b.Reason.String())
		t.answered()
	case *Spawn:
		t.live(b)
	case *Killed:
		t.kill(b)
	case *PlayerUpdate:
		t.update(b)
	case *ShotBegin:
		t.shoot(b)
	case *ShotEnd:
		t.end(b)
	case *GuidedUpdate:
		t.steer(b)
	case *Message:
		t.say(b)
	default:
		t.gameFromServer()
	}
}

// gameFromServer judges what a server tells of flags and of the game as a whole.
func (t *tracker) gameFromServer() {
	v := t.v
	switch b := t.m.Body.(type) {
	case *FlagUpdate:
		t.flagUpdate(b)
	case *GrabFlag:
		t.grabbed(b)
	case *DropFlag:
		t.dropped(b)
	case *CaptureFlag:
		t.captured(b)
	case *Score:
		t.scored(b)
	case *Teleport:
		if !t.observed(b.Player) {
			t.teleport(b)
		}
	case *TimeLeft:
		t.timeLeft(b)
	case *ScoreOver:
		t.over()
	case *SetTTL:
		t.ttl(b)
	case *LagPing:
		t.lagPing(b)
	case *Empty:
		switch t.m.Code {
		case CodeAccept:
			t.answered()
		case CodeNetworkRelay:
			v.relay = true
			v.explain(ruleRelay, PlayerID{}, t.p.Time)
		case CodeSuperKill:
			t.answered()
			v.killed = max(t.p.Time, 1)
			v.forgive()
		}
	}
}
