package bzflag24

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// shotTracker checks shots.
type shotTracker struct {
	values *valueTracker
	tanks  *tankTracker
}

// shooterOffset is the offset of the shooter in a MsgShotBegin.
const shooterOffset = bzflag.HeaderSize + 4

// takeShot handles a shot from the client.
func (t *shotTracker) takeShot(e event, b *ShotBegin) {
	c, shooter := e.connection, &b.Shot.Shooter
	if !c.checkSender(e.message, shooter, shooterOffset) {
		return
	}
	e.game.takeShot(e.message, &b.Shot, shooterOffset)
	k := c.tank(e.place.Time)
	human := k != nil && k.present && k.kind == TankPlayer
	if c.kindKnown {
		human = c.kind == TankPlayer
	}
	if human && e.tcp() {
		e.layer.Report(ruleShotTCP, 0, bzflag.HeaderSize, "%s is not a robot, so it must shoot over UDP", shooter)
	}
	t.tanks.checkMayAct(e, "shoots")
	dropping := c.acts.dropping
	if k != nil && (!dropping.Known() || e.since(dropping.When()) > lagLife) && !c.mayLack(k.flagTime) {
		checkShotFlag(e.message, k, b)
	}
	if t.values.wanted() {
		t.values.recorder(e).Count(shooter.subject(), "shots")
	}
}

// takeRelayedShot handles a shot that the server relays. It checks the shot only if the capture lacks the messages of
// the player's client. A shot over UDP may overtake the message that permits it, so a finding about such a shot is
// pending.
func (t *shotTracker) takeRelayedShot(e event, b *ShotBegin) {
	e.game.takeShot(e.message, &b.Shot, shooterOffset)
	shooter := &b.Shot.Shooter
	k := e.connection.view.tank(shooter.ID)
	if k == nil || e.game.isCaptured(shooter.ID) {
		return
	}
	if t.values.isCounting(e) {
		t.values.recorder(e).Count(shooter.subject(), "shots")
	}
	checkShotFlag(e.message, k, b)
	rule, why := k.barred(clock.Add(e.place.Time, -lagUDP), false)
	switch {
	case rule == nil:
	case e.tcp():
		e.layer.Report(rule, shooterOffset, 1, "%s shoots%s", shooter, why)
	default:
		t.tanks.postponeAct(e, k, rule, shooter.String()+" shoots"+why, lagUDP)
	}
}

// checkShotFlag compares the flag of a shot with the flag of the tank.
func checkShotFlag(m message, k *tank, b *ShotBegin) {
	const off = shooterOffset + shotSize
	if k.flag == flagUnknown || k.flagType == disguise || b.FlagType == k.flagType || m.since(k.flagTime) <= lagLife {
		return
	}
	m.layer.Report(ruleShotFlag, off, abbreviation, "the shot has %s, but the tank carries %s",
		flagName(b.FlagType), flagName(k.flagType))
}

// checkGuidance checks a client's message that steers its missile.
func (t *shotTracker) checkGuidance(e event, b *GMUpdate) {
	if e.connection.checkSender(e.message, &b.Shot.Shooter, bzflag.HeaderSize) {
		e.game.settings.checkSlot(e.message, &b.Shot, bzflag.HeaderSize)
	}
}

// longestShot is the maximum flight time of a shot. If a connection has been captured for less time, a shot whose end
// it shows may have begun before the capture.
const longestShot = int64(15 * time.Second)

// checkEnd checks that the capture has the beginning of a shot that ends.
func (t *shotTracker) checkEnd(e event, b *ShotEnd) {
	c, g := e.connection, e.game
	v := c.currentView(e.place.Time)
	if v == nil || b.ID < 0 || g.truncated.Known() && e.since(g.truncated.When()) <= longestShot {
		return
	}
	if k := v.tank(b.Shooter.ID); (k == nil || !k.fresh) && e.since(c.since) <= longestShot {
		return
	}
	if !g.shots.has(b.Shooter.ID, uint16(b.ID)) {
		e.layer.Report(ruleUnknownShot, bzflag.HeaderSize, 3, "shot %d of %s", b.ID, &b.Shooter)
	}
}
