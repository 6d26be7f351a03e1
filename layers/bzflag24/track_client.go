package bzflag24

import (
	"fmt"
	"math"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// fromClient takes a message of a client.
func (e *event) fromClient() {
	if _, ok := e.layer.Body.(*ConnectHeader); ok {
		e.recordHeader()
		return
	}
	e.checkEntered()
	if e.broken() {
		if e.tcp() && e.layer.Truncated() {
			e.connection.lostRequests(e.place.Time)
		}
		e.game.noteTruncated(e)
		return
	}
	const off = bzflag.HeaderSize
	switch b := e.layer.Body.(type) {
	case *Enter:
		e.connection.kindKnown, e.connection.kind, e.connection.callSign = true, b.Type, callSign(b.CallSign)
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
		if e.checkSender(&b.Shot.Shooter, off) {
			e.checkSlot(&b.Shot, off)
		}
	case *ShotEnd:
		if v := e.connection.currentView(e.place.Time); v != nil {
			e.checkShotEnd(v, b)
		}
	case *TransferRequest:
		e.checkSender(&b.From, off)
	case *Teleport:
		e.checkFaces(b, off)
	case *Chat:
		if e.connection.player != NoPlayer && (e.connection.entered || !e.connection.begun) && e.reporter.Value != nil {
			e.measureChat(e.ownPlayer(), b.Text)
		}
	case *Empty:
		if e.layer.Code == CodeNewRabbit {
			e.checkRabbitMode()
		}
	default:
		e.asks()
	}
	if e.layer.Code == CodeExit {
		e.forget()
	}
	if e.layer.Code == CodeAlive {
		e.checkSpawnRequest()
	}
}

// asks takes what a client wants or says of its tank.
func (e *event) asks() {
	c, now := e.connection, e.place.Time
	switch b := e.layer.Body.(type) {
	case *FlagRequest:
		e.checkFlagNumber(b.Number, bzflag.HeaderSize)
		e.checkMayAct("grabs a flag")
	case *DropRequest:
		c.dropping, c.dropTime = true, now
	case *Killed:
		if k := e.ownTank(); k != nil && k.team == ObserverTeam {
			e.layer.Report(ruleObserver, 0, bzflag.HeaderSize, "%s is an observer and dies", e.ownPlayer())
		}
		c.died = true
	case *Pause:
		on := b.On.True()
		if k := e.ownTank(); on && (c.pausing || k != nil && k.paused && !c.resuming) {
			e.layer.Report(rulePauseTwice, bzflag.HeaderSize, 1, "%s is paused already", e.ownPlayer())
		}
		c.pausing, c.resuming = on, !on
	}
}

// own is the client's tank in its own view; nil if it is not known.
func (e *event) ownTank() *tank {
	v := e.connection.currentView(e.place.Time)
	if v == nil || e.connection.player == NoPlayer {
		return nil
	}
	return v.tank(e.connection.player)
}

// wakes takes a client's wish to spawn. It may be repeated until the answer comes.
func (e *event) checkSpawnRequest() {
	k := e.ownTank()
	if k == nil || k.life != alive || e.connection.died {
		return
	}
	if d := elapsed(k.since, e.place.Time); d > lagLife {
		e.layer.Report(ruleAliveTwice, 0, bzflag.HeaderSize, "%s has been alive for %.3f s", e.ownPlayer(), seconds(d))
	}
}

func (e *event) checkOwnUpdate(m *Motion) {
	const off = bzflag.HeaderSize + 4
	if e.checkSender(&m.Player, off) {
		e.checkOrder(m, &e.connection.orders)
	}
}

// acts checks that the client's tank can do something.
func (e *event) checkMayAct(what string) {
	c := e.connection
	if c.begun && c.hello && !c.accepted && c.entered {
		now := e.place.Time
		e.doubt(&doubt{rule: ruleUnborn, text: e.ownPlayer().String() + " " + what + " before MsgAccept", excuse: func() bool {
			return !c.begun || c.accepted && elapsed(c.accepting, now) >= -disorder
		}}, overdue)
		return
	}
	k := e.ownTank()
	if k == nil {
		return
	}
	switch rule, why := k.barred(e.place.Time, c.resuming); rule {
	case nil:
	case ruleObserver:
		e.layer.Report(rule, 0, bzflag.HeaderSize, "%s %s%s", e.ownPlayer(), what, why)
	default:
		e.doubtAct(k, rule, e.ownPlayer().String()+" "+what+why, disorder)
	}
}

// suspect puts off that a tank may not act: what allows it may come soon, or wait for a segment that
// the capture lacks. It counts up to some time behind the act.
func (e *event) doubtAct(k *tank, rule *wire.Rule, text string, ahead int64) {
	now, c, v, births := e.place.Time, e.connection, e.connection.view, k.births
	e.doubt(&doubt{rule: rule, text: text, excuse: func() bool {
		switch {
		case c.view != v: // something was lost
			return true
		case rule == rulePaused:
			return !k.paused && elapsed(k.pauseTime, now) >= -ahead
		}
		return k.births != births && elapsed(k.born, now) >= -ahead
	}}, overdue)
}

// barred tells the rule that keeps a tank from shooting and grabbing, and why; nil if none does.
func (k *tank) barred(now int64, resumed bool) (rule *wire.Rule, why string) {
	dying, pausing := elapsed(k.since, now), elapsed(k.pauseTime, now)
	switch {
	case k.team == ObserverTeam:
		return ruleObserver, " as an observer"
	case k.life == unborn:
		return ruleUnborn, " before the first MsgAlive"
	case k.life == dead && dying > lagLife:
		return ruleDead, fmt.Sprintf(", %.3f s after its death", seconds(dying))
	case k.paused && !resumed && pausing > lagLife:
		return rulePaused, fmt.Sprintf(", %.3f s after it was paused", seconds(pausing))
	}
	return nil, ""
}

// shotKey names a shot.
type shotKey struct {
	game    uint32
	shooter PlayerID
	id      uint16
}

// shoots takes a shot of the client.
func (e *event) checkShot(b *ShotBegin) {
	const off = bzflag.HeaderSize + 4
	if !e.checkSender(&b.Shot.Shooter, off) {
		return
	}
	e.checkSlot(&b.Shot, off)
	e.shots.Make(shotKey{e.game.serial, b.Shot.Shooter.ID, b.Shot.ID})
	k := e.ownTank()
	if human := e.connection.kindKnown && e.connection.kind == TankPlayer || !e.connection.kindKnown && k != nil && k.present && k.kind == TankPlayer; human && e.tcp() {
		e.layer.Report(ruleShotTCP, 0, bzflag.HeaderSize, "%s is no robot", &b.Shot.Shooter)
	}
	e.checkMayAct("shoots")
	if k != nil && (!e.connection.dropping || elapsed(e.connection.dropTime, e.place.Time) > lagLife) {
		e.checkShotFlag(k, b)
	}
	if e.reporter.Value != nil {
		e.measureCount(b.Shot.Shooter.String(), "shots")
	}
}

// shotRelayed takes a shot that the server passes on. Of players who are not in the capture
// themselves it is judged; by UDP it may be ahead of what makes it right.
func (e *event) checkRelayedShot(v *view, b *ShotBegin) {
	const off = bzflag.HeaderSize + 4
	e.checkSlot(&b.Shot, off)
	e.shots.Make(shotKey{e.game.serial, b.Shot.Shooter.ID, b.Shot.ID})
	k := v.tank(b.Shot.Shooter.ID)
	if k == nil || e.hasOwnConnection(b.Shot.Shooter.ID) {
		return
	}
	if e.isWitness() {
		e.measureCount(b.Shot.Shooter.String(), "shots")
	}
	e.checkShotFlag(k, b)
	rule, why := k.barred(max(e.place.Time, math.MinInt64+lagUDP)-lagUDP, false)
	switch {
	case rule == nil:
	case e.tcp():
		e.layer.Report(rule, off, 1, "%s shoots%s", &b.Shot.Shooter, why)
	default:
		e.doubtAct(k, rule, b.Shot.Shooter.String()+" shoots"+why, lagUDP)
	}
}

// checkSlot checks where a shot is kept. Off is that of the shooter.
func (e *event) checkSlot(s *Shot, off int) {
	if slot := int(s.ID & 0xff); e.game.known && slot >= e.game.maxShots && s.Shooter.ID != ServerPlayer {
		e.layer.Report(ruleShotLimit, off+1, 2, "slot %d, there are %d", slot, e.game.maxShots)
	}
}

// checkLoad compares the flag that a shot comes from with the one that the tank carries.
func (e *event) checkShotFlag(k *tank, b *ShotBegin) {
	const off = bzflag.HeaderSize + 4 + shotSize
	if k.flag == flagUnknown || k.flagType == disguise || b.FlagType == k.flagType || elapsed(k.flagTime, e.place.Time) <= lagLife {
		return
	}
	e.layer.Report(ruleShotFlag, off, abbreviation, "the shot is of %s, the tank carries %s", flagName(b.FlagType), flagName(k.flagType))
}

func flagName(f FlagType) string {
	if f == (FlagType{}) {
		return "no flag"
	}
	return fmt.Sprintf("%q", f.String())
}

// longestShot is how long a shot from before the capture may still be on its way.
const longestShot = 15 * lagLife

// shotEnd checks that a shot was seen to begin, if it should have been.
func (e *event) checkShotEnd(v *view, b *ShotEnd) {
	k := v.tank(b.Shooter.ID)
	fresh := k != nil && k.fresh
	if b.ID < 0 || !fresh && elapsed(e.connection.since, e.place.Time) <= longestShot ||
		e.game.truncated && elapsed(e.game.truncatedTime, e.place.Time) <= longestShot {
		return
	}
	if e.shots.Get(shotKey{e.game.serial, b.Shooter.ID, uint16(b.ID)}) == nil {
		e.layer.Report(ruleUnknownShot, bzflag.HeaderSize, 3, "shot %d of %s", b.ID, &b.Shooter)
	}
}
