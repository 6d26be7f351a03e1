package bzflag24

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

// checkRelayedUpdate checks an update that the server passes on.
func (e *event) checkRelayedUpdate(m *Motion) {
	k := e.connection.view.tank(m.Player.ID)
	if k == nil {
		return
	}
	if !e.hasOwnConnection(m.Player.ID) {
		e.checkOrder(m, &k.orders)
	} else if !e.tcp() {
		k.orders.checkUDP(m.Order, e.place.Time)
	}
	e.countRelayed(m, k)
}

// recordPlayer takes a player into the view.
func (e *event) recordPlayer(b *AddPlayer) {
	c := e.connection
	k := c.view.tank(b.Player.ID)
	if k == nil {
		return
	}
	self := b.Player.ID == c.player
	standing := !self && !c.joined && (c.begun || c.accepted.Within(e.place.Time, lagUDP))
	if !k.present && (self || c.joined && !c.watchesReplay()) {
		k.setLife(lifeUnknown, false, e.place.Time)
		if k.fresh = true; c.begun {
			k.setLife(unborn, false, e.place.Time)
		}
	}
	k.present, k.kind, k.team = true, b.Type, b.Team
	c.joined = c.joined || self
	e.recordPresence(b, standing)
	e.measurePlayerCount(c)
}

// recordRemoval takes a player out of the view.
func (e *event) recordRemoval(p *Player) {
	if int(p.ID) >= maxTanks {
		return
	}
	v := e.connection.view
	if k := v.known(p.ID); k != nil && k.flag >= 0 {
		v.release(uint16(k.flag), e.place.Time)
	}
	v.remove(p.ID)
	if e.isNew() {
		e.recordAbsence(p)
	}
	e.measurePlayerCount(e.connection)
}

// checkSpawn takes the word that a player lives.
func (e *event) checkSpawn(b *Spawn) {
	k := e.connection.view.tank(b.Player.ID)
	if k == nil {
		return
	}
	if k.life == alive {
		e.layer.Report(ruleAliveTwice, bzflag.HeaderSize, 1, "%s has been alive for %.3f s",
			&b.Player, seconds(e.since(k.since)))
	}
	k.setLife(alive, false, e.place.Time)
	k.births++
	e.game.match.Begin()
	k.born, k.paused, k.wasRabbit = e.place.Time, false, false
	if k.flag == flagUnknown {
		k.flag = noFlag
	}
	if c := e.connection; b.Player.ID == c.player && (!c.died.Known() || e.since(c.died.When()) >= 0) {
		c.forgetActs() // else the server's stream was behind
	}
}

// checkDeath takes a death. At the start of a match all are killed by no player, whether they
// live or not; and a death may be on its way when a capture or the end of the game brings another.
func (e *event) checkDeath(b *Killed) {
	const off = bzflag.HeaderSize
	v := e.connection.view
	k, killer := v.tank(b.Victim.ID), v.present(b.Killer.ID)
	if k == nil {
		return
	}
	passed := e.since(k.since)
	switch {
	case b.Reason == GotKilledMsg && killer == nil:
	case k.life == unborn && k.team != ObserverTeam:
		e.layer.Report(ruleKilledDead, off, 1, "%s has not spawned", &b.Victim)
	case k.life == dead && (!k.silent || passed > lagLife):
		e.layer.Report(ruleKilledDead, off, 1, "%s has been dead for %.3f s", &b.Victim, seconds(passed))
	}
	if killer != nil && killer.team == ObserverTeam && b.Killer.ID != b.Victim.ID {
		e.layer.Report(ruleObserver, off+1, 1, "%s is an observer and kills", &b.Killer)
	}
	if k.life != unborn || k.team != ObserverTeam {
		k.setLife(dead, false, e.place.Time)
	}
	if e.isNew() {
		if killer == nil && !v.complete {
			killer = v.tank(b.Killer.ID) // it may be there: the connection was not told of all players
		}
		e.recordKill(b, k, killer)
	}
}

// checkPause takes the begin or end of a pause.
func (e *event) checkPause(b *Pause) {
	k := e.connection.view.tank(b.Player.ID)
	if k == nil {
		return
	}
	on := b.On.True()
	if on && k.paused {
		e.layer.Report(rulePauseTwice, bzflag.HeaderSize, 2, "%s has been paused for %.3f s",
			&b.Player, seconds(e.since(k.pauseTime)))
	}
	if on != k.paused {
		k.paused, k.pauseTime = on, e.place.Time
	}
	if b.Player.ID == e.connection.player {
		e.connection.resuming, e.connection.pausing = false, false
	}
	e.recordPause(b)
}
