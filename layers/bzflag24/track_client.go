package bzflag24

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// fromClient takes a message of a client.
func (e *event) fromClient() {
	c := e.connection
	if _, ok := e.layer.Body.(*ConnectHeader); ok {
		c.begun, c.header = !e.place.Lossy, true
		return
	}
	e.checkEntered()
	if e.unreadable() {
		c.forgetNumbers(false)
		if e.tcp() && e.layer.Truncated() {
			c.lostRequests(e.place.Time)
		}
		e.recordTruncated()
		return
	}
	e.checkFromClient()
}

// checkFromClient checks a message of a client that can be read, by what it says.
func (e *event) checkFromClient() {
	switch b := e.layer.Body.(type) {
	case *Enter:
		e.recordEnter(b)
	case *LinkRequest:
		e.checkLinkRequest(b)
	case *WorldRequest:
		e.checkWorldRequest(b)
	case *LagPing:
		e.checkLagAnswer(b)
	case *PlayerUpdate:
		e.checkOwnUpdate(&b.Motion)
	case *PlayerUpdateSmall:
		e.checkOwnUpdate(&b.Motion)
	case *ShotBegin:
		e.checkShot(b)
	case *GMUpdate:
		e.checkOwnGuidance(b)
	case *ShotEnd:
		e.checkShotEnd(b)
	case *FlagRequest:
		e.checkGrabRequest(b)
	case *DropRequest:
		e.connection.dropping = clock.At(e.place.Time)
	case *TransferRequest:
		e.checkSender(&b.From, bzflag.HeaderSize)
	case *Teleport:
		e.checkFaces(b, bzflag.HeaderSize)
	case *Killed:
		e.checkOwnDeath()
	case *Pause:
		e.checkPauseRequest(b.On.True())
	case *wire.Empty:
		e.checkEmpty()
	}
}

// checkEmpty checks a message of a client that says all by its code.
func (e *event) checkEmpty() {
	e.recordQuery()
	switch e.layer.Code {
	case CodeNewRabbit:
		e.checkRabbitMode()
	case CodeAlive:
		e.checkSpawnRequest()
	case CodeExit:
		e.game.forget(e.connection)
	}
}

// currentView is the connection's view, a new one where its beginning is missing; nil until the client
// is accepted.
func (e *event) currentView() *view {
	c := e.connection
	if c.view == nil && (!c.begun || c.accepted.Known()) {
		c.view = newView(false, e.place.Time)
	}
	return c.view
}

// ownTank is the client's tank in its own view; nil if it is not known.
func (e *event) ownTank() *tank {
	v := e.currentView()
	if v == nil || e.connection.player == NoPlayer {
		return nil
	}
	return v.tank(e.connection.player)
}

// checkSpawnRequest takes a client's wish to spawn. It may be repeated until the answer comes.
func (e *event) checkSpawnRequest() {
	k := e.ownTank()
	if k == nil || k.life != alive || e.connection.died.Known() || e.connection.mayHaveSaid(k.since) {
		return
	}
	if d := e.since(k.since); d > lagLife {
		e.layer.Report(ruleAliveTwice, 0, bzflag.HeaderSize, "%s has been alive for %.3f s", e.ownPlayer(), seconds(d))
	}
}

// checkOwnUpdate checks the update of a client's tank.
func (e *event) checkOwnUpdate(m *Motion) {
	if e.checkSender(&m.Player, bzflag.HeaderSize+4) {
		e.checkOrder(m, &e.connection.orders)
		e.countOwn(m)
	}
}

// checkGrabRequest checks a client's wish for a flag.
func (e *event) checkGrabRequest(b *FlagRequest) {
	e.checkFlagNumber(b.Number, bzflag.HeaderSize)
	e.checkMayAct("grabs a flag")
}

// checkOwnDeath takes a client's word that its tank died.
func (e *event) checkOwnDeath() {
	if k := e.ownTank(); k != nil && k.team == ObserverTeam {
		e.layer.Report(ruleObserver, 0, bzflag.HeaderSize, "%s is an observer and dies", e.ownPlayer())
	}
	e.connection.died = clock.At(e.place.Time)
}

// checkPauseRequest takes the begin or end of a pause.
func (e *event) checkPauseRequest(on bool) {
	c := e.connection
	if k := e.ownTank(); on && (c.pausing || k != nil && k.paused && !c.resuming && !c.mayHaveSaid(k.pauseTime)) {
		e.layer.Report(rulePauseTwice, bzflag.HeaderSize, 1, "%s is paused already", e.ownPlayer())
	}
	c.pausing, c.resuming = on, !on
}

// checkMayAct checks that the client's tank can do something.
func (e *event) checkMayAct(what string) {
	c := e.connection
	if c.begun && c.hello && !c.accepted.Known() && c.entered.Known() {
		now := e.place.Time
		text := e.ownPlayer().String() + " " + what + " before MsgAccept"
		e.postpone(bzflag.PendingFinding{Rule: ruleUnborn, Text: text, Excuse: func() bool {
			return !c.begun || c.accepted.Known() && clock.Elapsed(c.accepted.When(), now) >= -disorder
		}})
		return
	}
	k := e.ownTank()
	if k == nil {
		return
	}
	switch rule, why := k.barred(e.place.Time, c.resuming || c.mayHaveSaid(k.pauseTime)); rule {
	case nil:
	case ruleObserver:
		e.layer.Report(rule, 0, bzflag.HeaderSize, "%s %s%s", e.ownPlayer(), what, why)
	default:
		e.postponeAct(k, rule, e.ownPlayer().String()+" "+what+why, disorder)
	}
}

// postponeAct puts off that a tank may not act: what allows it may come soon, or wait for a segment that
// the capture lacks. It counts up to some time behind the act.
func (e *event) postponeAct(k *tank, rule *wire.Rule, text string, ahead int64) {
	now, births := e.place.Time, k.births
	e.postpone(bzflag.PendingFinding{Rule: rule, Text: text, Rests: e.connection.view, Excuse: func() bool {
		if rule == rulePaused {
			return !k.paused && clock.Elapsed(k.pauseTime, now) >= -ahead
		}
		return k.births != births && clock.Elapsed(k.born, now) >= -ahead
	}})
}

// barred gives the rule that keeps a tank from shooting and grabbing, and why; nil if none does.
func (k *tank) barred(now int64, resuming bool) (rule *wire.Rule, why string) {
	dying, pausing := clock.Elapsed(k.since, now), clock.Elapsed(k.pauseTime, now)
	switch {
	case k.team == ObserverTeam:
		return ruleObserver, " as an observer"
	case k.life == unborn:
		return ruleUnborn, " before the first MsgAlive"
	case k.life == dead && dying > lagLife:
		return ruleDead, fmt.Sprintf(", %.3f s after its death", seconds(dying))
	case k.paused && !resuming && pausing > lagLife:
		return rulePaused, fmt.Sprintf(", %.3f s after it was paused", seconds(pausing))
	}
	return nil, ""
}
