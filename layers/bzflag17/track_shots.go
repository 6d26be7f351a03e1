package bzflag17

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

type shotTracker struct {
	values  *valueTracker
	games   *gameTable
	pending pendingFindings
	acts    *actTracker
	links   *linkTracker
}

// shotLifetime is the lifetime of an ordinary shot. A new client does not know the shots that began before it joined.
const shotLifetime = 3600 * second / 1000

// checkBegin checks and records a MsgShotBegin.
func (t *shotTracker) checkBegin(e *event, b *ShotBegin) {
	c, now := e.conn, e.place.Time
	fromClient := e.fromClient()
	if fromClient && !t.acts.checkSender(e, b.Shooter.ID) {
		return
	}
	if !fromClient {
		t.values.count(e, b.Shooter.ID, "shots")
	}
	k, id, checked := actor(e, b.Shooter.ID)
	if checked && !fromClient && !t.acts.checkPresent(e, b.Shooter.ID, headerSize, "the shooter") {
		return
	}
	t.record(e, shot{shooter: id, id: b.ShotID, flag: b.FlagType})
	c.outcomes.settle(ruleShot, shotSubject(id, b.ShotID), now)
	if !checked {
		return
	}
	t.acts.checkOnBoard(e, k, id, "a shot")
	if slot, s := bzflag.ShotSlot(b.ShotID), e.game.worldStyle(); s != nil && s.Shots > 0 && slot >= int(s.Shots) {
		e.report(ruleShotLimit, headerSize+playerIDSize, 2, "slot %d, there are %d", slot, s.Shots)
	}
	t.checkFlag(e, k, b)
}

// record records a shot that began.
func (t *shotTracker) record(e *event, s shot) {
	c, now := e.conn, e.place.Time
	if old := c.shots.get(s.shooter, s.id); old != nil && e.since(old.when) < shotMemory {
		echo := e.fromServer() && s.shooter == c.playerID
		old.when = now
		if !echo || s.flag != NoFlag { // 1.07e may clear the flag in the echo
			old.flag = s.flag
		}
	} else if c.shots.add(s, now) {
		c.shotsUnseen = clock.Add(now, shotMemory)
	}
}

// checkFlag compares the flag of a shot with the flag that the player carries.
func (t *shotTracker) checkFlag(e *event, k *tank, b *ShotBegin) {
	const off = headerSize + 38
	switch {
	case k == nil || !k.flagKnown || b.FlagType > WideAngle || b.FlagType == k.flag:
		return
	case b.FlagType == NoFlag && (e.fromServer() || k.flag <= PurpleFlag):
		return // 1.07e clears flags, and team flags make no difference
	case b.FlagType == k.previousFlag && k.flagChangedWithin(e.place.Time, deathNotice):
		return // the player may not have known of the change
	}
	text := "the shot is of " + b.FlagType.String() + ", the player carries " + k.flag.String()
	t.pending.report(e, ruleShotFlag, e.conn.playerID, off, 2, text)
}

// find returns the shot in a message, or nil if it is not known. It checks that the shot has begun. off is the offset
// of the shot.
func (t *shotTracker) find(e *event, shooter PlayerID, shotID int16, off int) *shot {
	c, now := e.conn, e.place.Time
	if c.stage != playing {
		return nil
	}
	id, number := c.resolve(shooter), uint16(shotID)
	if s := c.shots.get(id, number); s != nil {
		return s
	}
	unseen := now < c.shotsUnseen || c.hasLink && !c.linkSeen
	if e.fromServer() {
		unseen = unseen || c.hasLink || e.since(c.joined.When()) < shotLifetime
	}
	if !unseen && (c.complete || id == c.playerID) && !c.isRobot() {
		text := fmt.Sprintf("shot %s of %s never began", shotName(number), shooter)
		t.pending.report(e, ruleShot, shotSubject(id, number), off, 2, text)
	}
	return nil
}

// shotName returns the two numbers in a shot's id: its slot, and the counter in the high byte.
func shotName(id uint16) string {
	return fmt.Sprintf("%d.%d", bzflag.ShotSlot(id), bzflag.ShotSalt(id))
}

// checkEnd checks a MsgShotEnd.
func (t *shotTracker) checkEnd(e *event, b *ShotEnd) {
	if e.fromClient() {
		t.games.make(e).recordEnd(ending{b.ShotID, e.place.Time})
	} else {
		if hit := b.Reason == HitTank; hit != b.byDocument {
			t.values.count(e, b.Shooter.ID, "hits")
		}
		if e.game.repeatsEnd(&e.message, b.ShotID) {
			return
		}
	}
	if b.ShotID != NoShot && t.acts.checkPresent(e, b.Shooter.ID, headerSize, "the shooter") {
		t.find(e, b.Shooter.ID, b.ShotID, headerSize+playerIDSize)
	}
}

// checkGuided checks a MsgGMUpdate.
func (t *shotTracker) checkGuided(e *event, b *GuidedUpdate) {
	t.links.checkRelay(e)
	if e.fromClient() {
		if !t.acts.checkSender(e, b.Shooter.ID) {
			return
		}
	} else if isCaptured(e, b.Shooter.ID) || !t.acts.checkPresent(e, b.Shooter.ID, headerSize, "the shooter") {
		return
	}
	const shotOffset, targetOffset = headerSize + playerIDSize, headerSize + 38
	if s := t.find(e, b.Shooter.ID, int16(b.ShotID), shotOffset); s != nil && s.flag != GuidedMissile {
		e.report(ruleNotGuided, shotOffset, 2, "shot %s is no guided missile", shotName(b.ShotID))
	}
	t.acts.checkPresent(e, b.Target.ID, targetOffset, "the target")
}
