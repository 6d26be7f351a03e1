package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// tankTracker records whether players are present, alive and paused, and checks the actions of their tanks.
type tankTracker struct {
	values   *valueTracker
	pending  *bzflag.PendingFindings
	seats    *seatTracker
	kills    *killTracker
	attempts *attemptTracker
	numbers  *numberTracker
}

// checkSpawnRequest checks a client's request to spawn. The client may repeat the request until the server answers.
func (t *tankTracker) checkSpawnRequest(e event) {
	c := e.connection
	k := c.tank(e.place.Time)
	if k == nil || k.life != alive || c.acts.died.Known() || c.mayLack(k.since) {
		return
	}
	if d := e.since(k.since); d > lagLife {
		e.layer.Report(ruleAliveTwice, 0, bzflag.HeaderSize, "%s has been alive for %.3f s", clientPlayer(e), seconds(d))
	}
}

// takeClientDeath handles a client's report of its own death.
func (t *tankTracker) takeClientDeath(e event) {
	if k := e.connection.tank(e.place.Time); k != nil && k.team == ObserverTeam {
		e.layer.Report(ruleObserver, 0, bzflag.HeaderSize, "%s is an observer and dies", clientPlayer(e))
	}
	e.connection.acts.died = clock.At(e.place.Time)
}

// takePauseRequest handles a client's request to begin or end a pause.
func (t *tankTracker) takePauseRequest(e event, on bool) {
	c := e.connection
	a, k := &c.acts, c.tank(e.place.Time)
	if on && (a.pausing || k != nil && k.paused && !a.resuming && !c.mayLack(k.pauseTime)) {
		e.layer.Report(rulePauseTwice, bzflag.HeaderSize, 1, "%s is paused already", clientPlayer(e))
	}
	a.pausing, a.resuming = on, !on
}

// checkMayAct checks whether the client's tank may act. what describes the act.
func (t *tankTracker) checkMayAct(e event, what string) {
	c, now := e.connection, e.place.Time
	if c.begun && c.hello && !c.accepted.Known() && c.entered.Known() {
		text := clientPlayer(e).String() + " " + what + " before MsgAccept"
		t.pending.Add(&c.outcomes, e.place, bzflag.PendingFinding{
			Rule: ruleUnborn, Text: text, Wait: overdue, Excuse: func() bool {
				return !c.begun || c.accepted.Known() && clock.Elapsed(c.accepted.When(), now) >= -disorder
			},
		})
		return
	}
	k := c.tank(now)
	if k == nil {
		return
	}
	switch rule, why := k.barred(now, c.acts.resuming || c.mayLack(k.pauseTime)); rule {
	case nil:
	case ruleObserver:
		e.layer.Report(rule, 0, bzflag.HeaderSize, "%s %s%s", clientPlayer(e), what, why)
	default:
		t.postponeAct(e, k, rule, clientPlayer(e).String()+" "+what+why, disorder)
	}
}

// postponeAct adds a pending finding about an act of a tank that may not act. The capture may show the message that
// permits the act after the act. The finding is dropped if that message comes at most ahead nanoseconds later than the
// act.
func (t *tankTracker) postponeAct(e event, k *tank, rule *wire.Rule, text string, ahead int64) {
	c, now, births := e.connection, e.place.Time, k.births
	t.pending.Add(&c.outcomes, e.place, bzflag.PendingFinding{
		Rule: rule, Text: text, Wait: overdue, Rests: c.view, Excuse: func() bool {
			if rule == rulePaused {
				return !k.paused && clock.Elapsed(k.pauseTime, now) >= -ahead
			}
			return k.births != births && clock.Elapsed(k.born, now) >= -ahead
		},
	})
}

// takePlayer adds a player to the view.
func (t *tankTracker) takePlayer(e event, b *AddPlayer) {
	c, now := e.connection, e.place.Time
	k := c.view.tank(b.Player.ID)
	if k == nil {
		return
	}
	isClient := b.Player.ID == c.player
	recorded := c.replayed && b.Player.ID < replayWatchers
	standing := !isClient && (recorded || !c.joined && (c.begun || c.accepted.Within(now, lagUDP)))
	if !k.present && (isClient || c.joined && !c.watchesReplay()) {
		k.setLife(lifeUnknown, false, now)
		if k.fresh = true; c.begun {
			k.setLife(unborn, false, now)
		}
	}
	k.present, k.kind, k.team = true, b.Type, b.Team
	c.joined = c.joined || isClient
	t.seats.recordJoin(e, b, standing)
	t.seats.recordCount(e, c)
}

// takeRemoval removes a player from the view.
func (t *tankTracker) takeRemoval(e event, p *Player) {
	if int(p.ID) >= maxTanks {
		return
	}
	t.numbers.takeLeaving(e, p)
	v := e.connection.view
	if k := v.known(p.ID); k != nil && k.flag >= 0 {
		v.releaseFlag(uint16(k.flag), e.place.Time)
	}
	v.remove(p.ID)
	if t.values.claim(e) {
		t.seats.recordLeaving(e, p)
	}
	t.seats.recordCount(e, e.connection)
}

// takeSpawn handles a spawn.
func (t *tankTracker) takeSpawn(e event, b *Spawn) {
	c, now := e.connection, e.place.Time
	k := c.view.tank(b.Player.ID)
	if k == nil {
		return
	}
	if k.life == alive {
		e.layer.Report(ruleAliveTwice, bzflag.HeaderSize, 1, "%s has been alive for %.3f s",
			&b.Player, seconds(e.since(k.since)))
	}
	k.setLife(alive, false, now)
	k.births++
	e.game.match.Begin()
	k.born, k.paused, k.wasRabbit = now, false, false
	if k.flag == flagUnknown {
		k.flag = noFlag
	}
	if died := c.acts.died; b.Player.ID == c.player && (!died.Known() || e.since(died.When()) >= 0) {
		c.acts.forget() // otherwise this spawn is from before the death
	}
	if b.Player.ID == c.player {
		t.attempts.takeSpawn(e)
	}
}

// takeDeath handles MsgKilled. When a match begins, the server sends a MsgKilled without a killer for each player,
// alive or not. A capture or the end of the game kills players without a MsgKilled. A MsgKilled for such a player may
// still follow within a second.
func (t *tankTracker) takeDeath(e event, b *Killed) {
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
	if t.values.claim(e) {
		if killer == nil && !v.complete {
			killer = v.tank(b.Killer.ID) // the killer may exist: the view may lack players
		}
		t.kills.record(e, b, k, killer)
	}
}

// takePause handles the beginning or the end of a pause.
func (t *tankTracker) takePause(e event, b *Pause) {
	c := e.connection
	k := c.view.tank(b.Player.ID)
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
	if b.Player.ID == c.player {
		c.acts.resuming, c.acts.pausing = false, false
	}
	if c.isNewcomer(e.place.Time) || !t.values.claim(e) {
		return
	}
	r, who, name := t.values.recorder(e), b.Player.subject(), e.game.seats.called(&b.Player)
	if on {
		r.Event(who, bzflag.Pausing, "%s pauses", name)
	} else {
		r.Event(who, bzflag.Resuming, "%s goes on", name)
	}
}
