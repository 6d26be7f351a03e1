package bzflag24

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// shooterOffset is where a MsgShotBegin names the shooter.
const shooterOffset = bzflag.HeaderSize + 4

// recordShot checks where a shot is kept, and remembers that it began.
func (e *event) recordShot(s *Shot) {
	e.checkSlot(s, shooterOffset)
	e.game.shots.add(s.Shooter.ID, s.ID)
}

// checkShot checks a shot of the client.
func (e *event) checkShot(b *ShotBegin) {
	c, shooter := e.connection, &b.Shot.Shooter
	if !e.checkSender(shooter, shooterOffset) {
		return
	}
	e.recordShot(&b.Shot)
	k := e.ownTank()
	human := k != nil && k.present && k.kind == TankPlayer
	if c.kindKnown {
		human = c.kind == TankPlayer
	}
	if human && e.tcp() {
		e.layer.Report(ruleShotTCP, 0, bzflag.HeaderSize, "%s is no robot", shooter)
	}
	e.checkMayAct("shoots")
	if k != nil && (!c.dropping.Known() || e.since(c.dropping.When()) > lagLife) && !c.mayHaveSaid(k.flagTime) {
		e.checkShotFlag(k, b)
	}
	if e.measures() {
		e.measureCount(shooter, "shots")
	}
}

// checkRelayedShot takes a shot that the server passes on. Of players who are not in the capture
// themselves it is checked; by UDP it may be ahead of what makes it right.
func (e *event) checkRelayedShot(b *ShotBegin) {
	e.recordShot(&b.Shot)
	shooter := &b.Shot.Shooter
	k := e.connection.view.tank(shooter.ID)
	if k == nil || e.hasOwnConnection(shooter.ID) {
		return
	}
	if e.isCounting() {
		e.measureCount(shooter, "shots")
	}
	e.checkShotFlag(k, b)
	rule, why := k.barred(clock.Add(e.place.Time, -lagUDP), false)
	switch {
	case rule == nil:
	case e.tcp():
		e.layer.Report(rule, shooterOffset, 1, "%s shoots%s", shooter, why)
	default:
		e.postponeAct(k, rule, shooter.String()+" shoots"+why, lagUDP)
	}
}

// checkOwnGuidance checks how a client steers its missile.
func (e *event) checkOwnGuidance(b *GMUpdate) {
	if e.checkSender(&b.Shot.Shooter, bzflag.HeaderSize) {
		e.checkSlot(&b.Shot, bzflag.HeaderSize)
	}
}

// checkSlot checks where a shot is kept. Off is that of the shooter.
func (e *event) checkSlot(s *Shot, off int) {
	if slot := bzflag.ShotSlot(s.ID); e.game.known && slot >= e.game.maxShots && s.Shooter.ID != ServerPlayer {
		e.layer.Report(ruleShotLimit, off+1, 2, "slot %d, there are %d", slot, e.game.maxShots)
	}
}

// checkShotFlag compares the flag that a shot comes from with the one that the tank carries.
func (e *event) checkShotFlag(k *tank, b *ShotBegin) {
	const off = shooterOffset + shotSize
	if k.flag == flagUnknown || k.flagType == disguise || b.FlagType == k.flagType || e.since(k.flagTime) <= lagLife {
		return
	}
	e.layer.Report(ruleShotFlag, off, abbreviation, "the shot is of %s, the tank carries %s",
		flagName(b.FlagType), flagName(k.flagType))
}

func flagName(f FlagType) string {
	if f == (FlagType{}) {
		return "no flag"
	}
	return fmt.Sprintf("%q", f.String())
}

// longestShot is how long a shot from before the capture may still be on its way.
const longestShot = 15 * lagLife

// checkShotEnd checks that a shot was seen to begin, if it should have been.
func (e *event) checkShotEnd(b *ShotEnd) {
	v := e.currentView()
	if v == nil || b.ID < 0 || e.game.truncated.Known() && e.since(e.game.truncated.When()) <= longestShot {
		return
	}
	if k := v.tank(b.Shooter.ID); (k == nil || !k.fresh) && e.since(e.connection.since) <= longestShot {
		return
	}
	if !e.game.shots.has(b.Shooter.ID, uint16(b.ID)) {
		e.layer.Report(ruleUnknownShot, bzflag.HeaderSize, 3, "shot %d of %s", b.ID, &b.Shooter)
	}
}
