package bzflag17

import "github.com/gamedissect/gamedissect/decode/wire/clock"

// How long a player is dead at least. What a server tells of a death comes later than what the client said, by the way
// there and back: alone it is a bad clock.
const (
	explodeTime     = 4900 * second / 1000
	explodeTimeTold = 3900 * second / 1000
	sameInstant     = second / 10 // real robots shoot a moment before they tell that they live
	deathNotice     = second      // until a client knows what only the server tells
)

// checkSpawn checks a MsgAlive and puts the player on the board.
func (e *event) checkSpawn(b *Spawn) {
	v, now := e.view, e.place.Time
	k, id, checked := e.actor(b.Player.ID)
	if e.layer.Direction == s2c && checked && !e.checkPresent(b.Player.ID, headerSize, "player") {
		return
	}
	if k == nil {
		if e.layer.Direction == c2s {
			v.forgetDeaths()
		}
		return
	}
	if !checked && id == v.own && k.life != lifeUnknown {
		return // an echo
	}
	if checked {
		e.checkMaySpawn(k)
	}
	v.settleActing(id, now)
	k.life, k.toldByServer = alive, false
	if g := e.game(); g != nil {
		g.match.Begin()
	}
}

// checkMaySpawn checks that a player is dead for long enough, and that the game goes on.
func (e *event) checkMaySpawn(k *tank) {
	v := e.view
	if over := e.since(v.gameOver.When()); v.gameOver.Known() && over >= crossingTime {
		e.report(ruleOver, 0, headerSize, "the game ended %s ago", seconds(over))
	}
	switch {
	case k.life == alive:
		e.reportOrPostpone(ruleTwice, v.own, 0, headerSize, "the player is alive already")
	case k.life == dead && k.died.Known():
		limit := explodeTime
		if k.toldByServer {
			limit = explodeTimeTold
		}
		if dying := e.since(k.died.When()); dying < limit {
			e.report(ruleTooEarly, 0, e.layer.Size(), "%s after its death", seconds(max(dying, 0)))
		}
	}
}

// forgetDeaths is for a client that spawns, or may, while it is not known who it is: its server does not repeat it.
func (v *view) forgetDeaths() {
	for i := range v.tanks {
		if k := &v.tanks[i]; k.life == dead {
			k.life = lifeUnknown
		}
	}
}

// die takes a player from the board. One who is dead already stays dead since then.
func (k *tank) die(now int64, toldByServer bool) {
	if k.life == dead && k.died.Known() {
		return
	}
	k.life, k.died, k.toldByServer = dead, clock.At(now), toldByServer
}

// checkOwnDeath checks a client's MsgKilled.
func (e *event) checkOwnDeath(b *Killed) {
	v, now := e.view, e.place.Time
	if k := v.ownTank(); k != nil {
		k.die(now, false)
		v.died = clock.At(now)
		v.settle(ruleSticky, v.own, now)
	}
	e.checkKiller(b, headerSize)
}

// checkDeath checks a server's MsgKilled.
func (e *event) checkDeath(b *Killed) {
	v, now := e.view, e.place.Time
	if e.isNew() {
		e.recordKill(b)
	}
	k, id, checked := e.actor(b.Victim.ID)
	echo := id == v.own && v.clientSeen && v.died.Known() && e.since(v.died.When()) < explodeTime
	if k != nil && !echo {
		k.die(now, true)
	}
	if checked && e.checkPresent(b.Victim.ID, headerSize, "the victim") {
		e.checkKiller(b, headerSize+playerIDSize)
	}
}

// checkKiller checks that the killer is there, and that its shot began; off is where the message names it.
func (e *event) checkKiller(b *Killed, off int) {
	if e.checkPresent(b.Killer.ID, off, "the killer") && b.ShotID != NoShot {
		e.findShot(b.Killer.ID, b.ShotID, off+playerIDSize)
	}
}

// checkOnBoard checks that a player who acts is on the board.
func (e *event) checkOnBoard(k *tank, id PlayerID, what string) {
	v := e.view
	if k == nil || k.life != dead {
		return
	}
	// A client learns from others that it is dead, and on the way from the server updates and
	// deaths may pass each other.
	late := k.toldByServer || e.layer.Direction == s2c || v.hasLink
	if late && k.died.Known() && e.since(k.died.When()) < deathNotice {
		return
	}
	wait := sameInstant
	if v.hasLink {
		wait = arrivalTime
	}
	e.postpone(pendingFinding{rule: ruleActing, player: id, text: what + ", and its player is not on the board"}, wait)
}

// checkUpdate checks a MsgPlayerUpdate.
func (e *event) checkUpdate(b *PlayerUpdate) {
	const what = "an update with the bit Alive"
	v, lives := e.view, b.Status&Alive != 0
	e.checkRelay()
	if e.layer.Direction == c2s {
		if !e.checkOwnID(b.Player.ID) {
			return
		}
		e.recordPause(v.ownTank(), b.Status)
		if lives && !v.isObserver() {
			e.checkOnBoard(v.ownTank(), v.own, what)
		}
		return
	}
	if e.hasOwnConnection(b.Player.ID) {
		return
	}
	id := v.idOf(b.Player.ID)
	k := v.tanks.get(id)
	e.recordPause(k, b.Status)
	if (k != nil || e.checkPresent(b.Player.ID, headerSize, "player")) && lives {
		e.checkOnBoard(k, id, what)
	}
}
