package bzflag17

import "github.com/gamedissect/gamedissect/decode/wire/clock"

// How long a player is dead at least. What a server tells of a death comes later than what the client said, by the way
// there and back: alone it is a bad clock.
const (
	explodeTime         = 4900 * second / 1000
	explodeTimeReported = 3900 * second / 1000
	sameInstant         = second / 10 // real robots shoot a moment before they tell that they live
	deathNotice         = second      // until a client knows what only the server tells
)

// checkSpawn checks a MsgAlive and puts the player on the board.
func (e *event) checkSpawn(b *Spawn) {
	c, now := e.conn, e.place.Time
	k, id, checked := e.actor(b.Player.ID)
	if e.layer.Direction == s2c && checked && !e.checkPresent(b.Player.ID, headerSize, "player") {
		return
	}
	if k == nil {
		if e.layer.Direction == c2s {
			c.forgetDeaths()
		}
		return
	}
	if !checked && id == c.playerID && k.life != lifeUnknown {
		return // an echo
	}
	if checked {
		e.checkMaySpawn(k)
	}
	c.settleActing(id, now)
	k.life, k.reportedByServer = alive, false
	if g := e.game(); g != nil {
		g.match.Begin()
	}
}

// checkMaySpawn checks that a player is dead for long enough, and that the game goes on.
func (e *event) checkMaySpawn(k *tank) {
	c := e.conn
	if over := e.since(c.gameOver.When()); c.gameOver.Known() && over >= crossingTime {
		e.report(ruleOver, 0, headerSize, "the game ended %s ago", seconds(over))
	}
	switch {
	case k.life == alive:
		e.reportOrPostpone(ruleTwice, c.playerID, 0, headerSize, "the player is alive already")
	case k.life == dead && k.died.Known():
		limit := explodeTime
		if k.reportedByServer {
			limit = explodeTimeReported
		}
		if dying := e.since(k.died.When()); dying < limit {
			e.report(ruleTooEarly, 0, e.layer.Size(), "%s after its death", seconds(max(dying, 0)))
		}
	}
}

// forgetDeaths is for a client that spawns, or may, while it is not known who it is: its server does not repeat it.
func (c *connection) forgetDeaths() {
	for i := range c.tanks {
		if k := &c.tanks[i]; k.life == dead {
			k.life = lifeUnknown
		}
	}
}

// die takes a player from the board. One who is dead already stays dead since then.
func (k *tank) die(now int64, reportedByServer bool) {
	if k.life == dead && k.died.Known() {
		return
	}
	k.life, k.died, k.reportedByServer = dead, clock.At(now), reportedByServer
}

// checkClientDeath checks a client's MsgKilled.
func (e *event) checkClientDeath(b *Killed) {
	c, now := e.conn, e.place.Time
	if k := c.clientTank(); k != nil {
		k.die(now, false)
		c.died = clock.At(now)
		c.settle(ruleSticky, c.playerID, now)
	}
	e.checkKiller(b, headerSize)
}

// checkDeath checks a server's MsgKilled.
func (e *event) checkDeath(b *Killed) {
	c, now := e.conn, e.place.Time
	if e.isNew() {
		e.recordKill(b)
	}
	k, id, checked := e.actor(b.Victim.ID)
	echo := id == c.playerID && c.clientSeen && c.died.Known() && e.since(c.died.When()) < explodeTime
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
	c := e.conn
	if k == nil || k.life != dead {
		return
	}
	// A client learns from others that it is dead, and on the way from the server updates and
	// deaths may pass each other.
	late := k.reportedByServer || e.layer.Direction == s2c || c.hasLink
	if late && k.died.Known() && e.since(k.died.When()) < deathNotice {
		return
	}
	wait := sameInstant
	if c.hasLink {
		wait = arrivalTime
	}
	e.postpone(pendingFinding{rule: ruleActing, player: id, text: what + ", and its player is not on the board"}, wait)
}

// checkUpdate checks a MsgPlayerUpdate.
func (e *event) checkUpdate(b *PlayerUpdate) {
	const what = "an update with the bit Alive"
	c, isAlive := e.conn, b.Status&Alive != 0
	e.checkRelay()
	if e.layer.Direction == c2s {
		if !e.checkSender(b.Player.ID) {
			return
		}
		e.recordPause(c.clientTank(), b.Status)
		if isAlive && !c.isObserver() {
			e.checkOnBoard(c.clientTank(), c.playerID, what)
		}
		return
	}
	if e.isCaptured(b.Player.ID) {
		return
	}
	id := c.resolve(b.Player.ID)
	k := c.tanks.get(id)
	e.recordPause(k, b.Status)
	if (k != nil || e.checkPresent(b.Player.ID, headerSize, "player")) && isAlive {
		e.checkOnBoard(k, id, what)
	}
}
