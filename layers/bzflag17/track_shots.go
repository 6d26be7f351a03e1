package bzflag17

import (
	"fmt"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const (
	// shotMemory is longer than any shot lives, and longer than it takes all to learn of its end.
	shotMemory = 10 * second

	// shotLifetime is that of a plain shot. Who joins does not know those that are in the air.
	shotLifetime = 3600 * second / 1000
)

// shotSubject stands for a shot where a pending finding names a player.
func shotSubject(p PlayerID, shot uint16) PlayerID {
	p.Number ^= shot
	return p
}

// checkShotBegin checks a MsgShotBegin and takes note of the shot.
func (e *event) checkShotBegin(b *ShotBegin) {
	c, now := e.conn, e.place.Time
	fromClient := e.layer.Direction == c2s
	if fromClient && !e.checkSender(b.Shooter.ID) {
		return
	}
	if !fromClient {
		e.measureCount(b.Shooter.ID, "shots")
	}
	k, id, checked := e.actor(b.Shooter.ID)
	if checked && !fromClient && !e.checkPresent(b.Shooter.ID, headerSize, "the shooter") {
		return
	}
	e.recordShot(shot{shooter: id, id: b.ShotID, flag: b.FlagType})
	c.settle(ruleShot, shotSubject(id, b.ShotID), now)
	if !checked {
		return
	}
	e.checkOnBoard(k, id, "a shot")
	if slot, n := bzflag.ShotSlot(b.ShotID), e.shotLimit(); n > 0 && slot >= n {
		e.report(ruleShotLimit, headerSize+playerIDSize, 2, "slot %d, there are %d", slot, n)
	}
	e.checkShotFlag(k, b)
}

// recordShot takes note of a shot that began.
func (e *event) recordShot(s shot) {
	c, now := e.conn, e.place.Time
	if old := c.shots.get(s.shooter, s.id); old != nil && e.since(old.when) < shotMemory {
		echo := e.layer.Direction == s2c && s.shooter == c.playerID
		old.when = now
		if !echo || s.flag != NoFlag { // 1.07e may take the flag away
			old.flag = s.flag
		}
	} else if c.shots.add(s, now) {
		c.shotsUnseen = clock.Add(now, shotMemory)
	}
}

// shotLimit is how many shots a player may have at once, 0 if that is not known.
func (e *event) shotLimit() int {
	if g := e.game(); g != nil && g.style != nil {
		return int(g.style.Shots)
	}
	return 0
}

// checkShotFlag compares the flag of a shot with the one that its player carries.
func (e *event) checkShotFlag(k *tank, b *ShotBegin) {
	const off = headerSize + 38
	switch {
	case k == nil || !k.flagKnown || b.FlagType > WideAngle || b.FlagType == k.flag:
		return
	case b.FlagType == NoFlag && (e.layer.Direction == s2c || k.flag <= PurpleFlag):
		return // 1.07e takes flags away, and those of teams make no difference
	case b.FlagType == k.previousFlag && k.flagChangedWithin(e.place.Time, deathNotice):
		return // the player did not know yet
	}
	text := "the shot is of " + b.FlagType.String() + ", the player carries " + k.flag.String()
	e.reportOrPostpone(ruleShotFlag, e.conn.playerID, off, 2, text)
}

// findShot gives a shot that a message names, and checks that it has begun; off is where the message names
// it. It is nil if nothing is known of it.
func (e *event) findShot(shooter PlayerID, shotID int16, off int) *shot {
	c, now := e.conn, e.place.Time
	if c.stage != playing {
		return nil
	}
	id, number := c.resolve(shooter), uint16(shotID)
	if s := c.shots.get(id, number); s != nil {
		return s
	}
	unseen := now < c.shotsUnseen || c.hasLink && !c.linkSeen
	if e.layer.Direction == s2c {
		unseen = unseen || c.hasLink || e.since(c.joined.When()) < shotLifetime
	}
	if !unseen && (c.complete || id == c.playerID) && !c.isRobot() {
		text := fmt.Sprintf("shot %s of %s never began", shotName(number), shooter)
		e.reportOrPostpone(ruleShot, shotSubject(id, number), off, 2, text)
	}
	return nil
}

// shotName tells a shot's slot, and what makes it differ from earlier ones there.
func shotName(id uint16) string {
	return fmt.Sprintf("%d.%d", bzflag.ShotSlot(id), bzflag.ShotSalt(id))
}

// checkShotEnd checks a MsgShotEnd.
func (e *event) checkShotEnd(b *ShotEnd) {
	if e.layer.Direction == c2s {
		e.makeGame().recordEnd(ending{b.ShotID, e.place.Time})
	} else {
		if hit := b.Reason == HitTank; hit != b.byDocument {
			e.measureCount(b.Shooter.ID, "hits")
		}
		if e.isEndRepeated(b.ShotID) {
			return
		}
	}
	if b.ShotID != NoShot && e.checkPresent(b.Shooter.ID, headerSize, "the shooter") {
		e.findShot(b.Shooter.ID, b.ShotID, headerSize+playerIDSize)
	}
}

// ending is the end of a shot as a client told it. Nothing in what the server makes of it says which.
type ending struct {
	shotID int16
	when   int64
}

const maxEnds = 32 // of a game, within deathNotice

// recordEnd takes note of the end of a shot.
func (g *game) recordEnd(end ending) {
	if len(g.ends) < maxEnds {
		g.ends = append(g.ends, end)
	} else {
		g.ends[g.endCount%maxEnds] = end
	}
	g.endCount++
}

// isEndRepeated reports whether the end of a shot is what a client told just before.
func (e *event) isEndRepeated(shotID int16) bool {
	g := e.game()
	return g != nil && slices.ContainsFunc(g.ends, func(end ending) bool {
		return end.shotID == shotID && e.since(end.when) < deathNotice
	})
}

// checkGuided checks a MsgGMUpdate.
func (e *event) checkGuided(b *GuidedUpdate) {
	e.checkRelay()
	if e.layer.Direction == c2s {
		if !e.checkSender(b.Shooter.ID) {
			return
		}
	} else if e.isCaptured(b.Shooter.ID) || !e.checkPresent(b.Shooter.ID, headerSize, "the shooter") {
		return
	}
	const shotOffset, targetOffset = headerSize + playerIDSize, headerSize + 38
	if s := e.findShot(b.Shooter.ID, int16(b.ShotID), shotOffset); s != nil && s.flag != GuidedMissile {
		e.report(ruleNotGuided, shotOffset, 2, "shot %s is no guided missile", shotName(b.ShotID))
	}
	e.checkPresent(b.Target.ID, targetOffset, "the target")
}
