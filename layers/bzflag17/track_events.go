package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// measures reports whether the caller wants values.
func (e *event) measures() bool { return e.reporter.Value != nil }

// isNew reports whether the message at hand tells of something that no other connection was told of before: that is
// what is counted, and an event. It is asked once a message.
func (e *event) isNew() bool {
	c := e.conn
	if !e.measures() || e.place.Transport != wire.TCP || c.departed {
		return false
	}
	e.scratch = bzflag.AppendServer(e.appendEvent(e.scratch[:0]), e.server())
	return !e.seen.Repeats(c.serial, e.place.Time, "", e.scratch)
}

// recorder records what happens at the server of the message at hand.
func (e *event) recorder() bzflag.Recorder {
	e.makeGame().reported = true
	return bzflag.Recorder{Reporter: e.reporter, Place: e.place, Server: e.server()}
}

// tellEvent tells of something that a player did; the sentence begins with the player.
func (e *event) tellEvent(p PlayerID, what, does string) {
	e.recorder().Event(e.nameOf(p), what, "%s %s", e.called(p), does)
}

// recordKill counts a death that no other connection was told of before.
func (e *event) recordKill(b *Killed) {
	victim, killer := e.conn.resolve(b.Victim.ID), e.conn.resolve(b.Killer.ID)
	v, k := e.player(victim), e.player(killer)
	by := killer != victim && !killer.IsZero() && (k != nil || !e.conn.complete)
	team := by && areMates(v, k)
	e.recorder().Count(e.nameOf(victim), "deaths")
	if v != nil {
		v.Counted.Losses++
		v.scoreTime = e.place.Time
	}
	name := bzflag.Nobody
	if by {
		e.recordKiller(killer, team)
	}
	if by || killer == victim {
		name = e.nameOf(killer)
	}
	e.recorder().Kill(name, e.nameOf(victim), &bzflag.Death{
		Victim: e.called(victim), Killer: e.called(killer), Own: killer == victim, ByPlayer: by,
		Cause: e.causeOf(victim, killer, b.ShotID), Weapon: e.weapon(killer, b.ShotID),
	}, team)
}

// recordKiller counts what a killer did.
func (e *event) recordKiller(p PlayerID, team bool) {
	e.recorder().Count(e.nameOf(p), "kills")
	if team {
		e.recorder().Count(e.nameOf(p), "teamkills")
	}
	if k := e.player(p); k != nil {
		k.AddKill(team)
		k.scoreTime = e.place.Time
	}
}

// areMates reports whether two are of one team; nil is of none. Rogues are everybody's foes.
func areMates(a, b *identity) bool {
	return a != nil && b != nil && a.team == b.team && a.team > RogueTeam
}

// causeOf tells what a player died of. Without a shot it was by the killer's flag, if it was not by itself.
func (e *event) causeOf(victim, killer PlayerID, shotID int16) bzflag.Cause {
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

// weapon is what a shot is called by the flag that its tank carried, if that flag changes what a shot is.
func (e *event) weapon(shooter PlayerID, shotID int16) string {
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

// recordGrab counts a grab. Only that of a team's flag is an event.
func (e *event) recordGrab(b *GrabFlag) {
	id := e.conn.resolve(b.Player.ID)
	e.recorder().Count(e.nameOf(id), "flags")
	if isTeamFlag(b.Flag.ID) {
		e.tellEvent(id, bzflag.Grab, "grabs "+bzflag.TeamFlag(int64(b.Flag.ID)))
	}
}

// tellDrop records the drop of a team's flag. A player who leaves drops none: the server takes it.
func (e *event) tellDrop(b *DropFlag) {
	id := e.conn.resolve(b.Player.ID)
	if n := e.player(id); n != nil && n.Gone {
		return
	}
	if isTeamFlag(b.Flag.ID) && b.Flag.Status != OnTank {
		e.tellEvent(id, bzflag.Drop, "drops "+bzflag.TeamFlag(int64(b.Flag.ID)))
	}
}

// tellCapture tells of a capture; the flag is a team's, or it is not known which one it is. Who loses the own flag at
// another base captured none.
func (e *event) tellCapture(b *CaptureFlag, flag Team) {
	id := e.conn.resolve(b.Player.ID)
	if n := e.player(id); n == nil || n.Who == "" || n.team == b.Team {
		e.recorder().Count(e.nameOf(id), "captures")
	}
	e.tellEvent(id, bzflag.Capture, "captures "+bzflag.TeamFlag(int64(flag))+" for "+teams.Format(int64(b.Team)))
}

// recordPause tells that a player stops, or goes on: that is a bit of its updates. Who is dead does neither.
func (e *event) recordPause(k *tank, status PlayerStatus) {
	paused := status&Paused != 0
	if k == nil || k.paused == paused {
		return
	}
	k.paused = paused
	switch {
	case !e.measures() || e.layer.Direction == s2c && !e.isCounting():
	case paused:
		e.tellEvent(k.id, bzflag.Pausing, "pauses")
	case status&Alive != 0:
		e.tellEvent(k.id, bzflag.Resuming, "goes on")
	}
}
