package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// lifeTracker follows how players spawn and die.
type lifeTracker struct {
	values  *valueTracker
	news    *newsTracker
	pending pendingFindings
	acts    *actTracker
	links   *linkTracker
	shots   *shotTracker
}

// The minimum time between a player's death and its next spawn. The server's report of a death arrives later than the
// client's by the round trip time. If there is only the server's report, the shorter minimum applies.
const (
	explodeTime         = 4900 * second / 1000
	explodeTimeReported = 3900 * second / 1000
)

// checkSpawn checks a MsgAlive, and puts the player on the board.
func (t *lifeTracker) checkSpawn(e *event, b *Spawn) {
	c, now := e.conn, e.place.Time
	k, id, checked := actor(e, b.Player.ID)
	if e.fromServer() && checked && !t.acts.checkPresent(e, b.Player.ID, headerSize, "player") {
		return
	}
	if k == nil {
		if e.fromClient() {
			c.forgetDeaths()
		}
		return
	}
	if !checked && id == c.playerID && k.life != lifeUnknown {
		return // an echo of the client's message
	}
	if checked {
		t.checkMaySpawn(e, k)
	}
	c.outcomes.settleActs(id, now)
	k.life, k.reportedByServer = alive, false
	if e.game != nil {
		e.game.match.Begin()
	}
}

// checkMaySpawn checks that a player has been dead for long enough, and that the game is not over.
func (t *lifeTracker) checkMaySpawn(e *event, k *tank) {
	c := e.conn
	if over := e.since(c.gameOver.When()); c.gameOver.Known() && over >= crossingTime {
		e.report(ruleOver, 0, headerSize, "the game ended %s ago", seconds(over))
	}
	switch {
	case k.life == alive:
		t.pending.report(e, ruleTwice, c.playerID, 0, headerSize, "the player is alive already")
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

// checkClientDeath checks a client's MsgKilled.
func (t *lifeTracker) checkClientDeath(e *event, b *Killed) {
	c, now := e.conn, e.place.Time
	if k := c.clientTank(); k != nil {
		k.die(now, false)
		c.died = clock.At(now)
		c.outcomes.settle(ruleSticky, c.playerID, now)
	}
	t.checkKiller(e, b, headerSize)
}

// checkDeath checks a server's MsgKilled.
func (t *lifeTracker) checkDeath(e *event, b *Killed) {
	c, now := e.conn, e.place.Time
	if t.news.isNew(e) {
		t.recordKill(e, b)
	}
	k, id, checked := actor(e, b.Victim.ID)
	echo := id == c.playerID && c.clientSeen && c.died.Known() && e.since(c.died.When()) < explodeTime
	if k != nil && !echo {
		k.die(now, true)
	}
	if checked && t.acts.checkPresent(e, b.Victim.ID, headerSize, "the victim") {
		t.checkKiller(e, b, headerSize+playerIDSize)
	}
}

// checkKiller checks that the killer is in the game, and that the killer's shot began; off is the offset of the killer.
func (t *lifeTracker) checkKiller(e *event, b *Killed, off int) {
	if t.acts.checkPresent(e, b.Killer.ID, off, "the killer") && b.ShotID != NoShot {
		t.shots.find(e, b.Killer.ID, b.ShotID, off+playerIDSize)
	}
}

// checkUpdate checks a MsgPlayerUpdate.
func (t *lifeTracker) checkUpdate(e *event, b *PlayerUpdate) {
	const what = "an update with the bit Alive"
	c, isAlive := e.conn, b.Status&Alive != 0
	t.links.checkRelay(e)
	if e.fromClient() {
		if !t.acts.checkSender(e, b.Player.ID) {
			return
		}
		k := c.clientTank()
		t.recordPause(e, k, b.Status)
		if isAlive && !c.isObserver() {
			t.acts.checkOnBoard(e, k, c.playerID, what)
		}
		return
	}
	if isCaptured(e, b.Player.ID) {
		return
	}
	id := c.resolve(b.Player.ID)
	k := c.tanks.get(id)
	t.recordPause(e, k, b.Status)
	if (k != nil || t.acts.checkPresent(e, b.Player.ID, headerSize, "player")) && isAlive {
		t.acts.checkOnBoard(e, k, id, what)
	}
}

// recordKill counts a death, and the kill if there is a killer.
func (t *lifeTracker) recordKill(e *event, b *Killed) {
	victim, killer := e.conn.resolve(b.Victim.ID), e.conn.resolve(b.Killer.ID)
	v, k := e.game.player(victim), e.game.player(killer)
	by := killer != victim && !killer.IsZero() && (k != nil || !e.conn.complete)
	team := by && areMates(v, k)
	t.values.recorder(e).Count(nameOf(e, victim), "deaths")
	if v != nil {
		v.Counted.Losses++
		v.scoreTime = e.place.Time
	}
	name := bzflag.Nobody
	if by {
		t.recordKiller(e, killer, team)
	}
	if by || killer == victim {
		name = nameOf(e, killer)
	}
	t.values.recorder(e).Kill(name, nameOf(e, victim), &bzflag.Death{
		Victim: called(e, victim), Killer: called(e, killer), Own: killer == victim, ByPlayer: by,
		Cause: causeOf(e, victim, killer, b.ShotID), Weapon: weapon(e, killer, b.ShotID),
	}, team)
}

// recordKiller counts a kill for the killer.
func (t *lifeTracker) recordKiller(e *event, p PlayerID, team bool) {
	what := "kills"
	if team {
		what = "teamkills"
	}
	t.values.recorder(e).Count(nameOf(e, p), what)
	if k := e.game.player(p); k != nil {
		k.AddKill(team)
		k.scoreTime = e.place.Time
	}
}

// areMates reports whether two players are in the same team. A nil player is in no team. A rogue is an enemy of all.
func areMates(a, b *identity) bool {
	return a != nil && b != nil && a.team == b.team && a.team > RogueTeam
}

// causeOf returns the cause of a player's death. If there was no shot, the cause is the killer's flag, unless the
// player killed itself.
func causeOf(e *event, victim, killer PlayerID, shotID int16) bzflag.Cause {
	k := e.conn.tanks.get(killer)
	switch {
	case shotID != NoShot:
		return bzflag.Shot
	case killer == victim:
		return bzflag.SelfDestruct
	case k == nil || !k.flagKnown:
	case k.flag == Steamroller:
		return bzflag.RunOver
	case k.flag == Genocide:
		return bzflag.Genocide
	}
	return bzflag.OtherCause
}

// weapon returns the name of the shooter's flag if the flag changes the kind of shots, and otherwise PlainShot.
func weapon(e *event, shooter PlayerID, shotID int16) string {
	s := e.conn.shots.get(shooter, uint16(shotID))
	if s == nil {
		return bzflag.PlainShot
	}
	switch f := s.flag; {
	case f >= RapidFire && f <= InvisibleBullet, f == ShockWave, f == PhantomZone:
		return f.String()
	}
	return bzflag.PlainShot
}

// recordPause records that a player pauses or resumes. Updates have a bit for this, which means nothing if the player
// is dead.
func (t *lifeTracker) recordPause(e *event, k *tank, status PlayerStatus) {
	paused := status&Paused != 0
	if k == nil || k.paused == paused {
		return
	}
	k.paused = paused
	switch {
	case !t.values.enabled() || e.fromServer() && !t.values.isCounting(e):
	case paused:
		t.values.event(e, k.id, bzflag.Pausing, "pauses")
	case status&Alive != 0:
		t.values.event(e, k.id, bzflag.Resuming, "goes on")
	}
}
