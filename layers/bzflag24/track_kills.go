package bzflag24

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

type killTracker struct {
	values *valueTracker
}

// record records a death. killer is nil if the killer is not a player.
func (t *killTracker) record(e event, b *Killed, victim, killer *tank) {
	g, r := e.game, t.values.recorder(e)
	by := killer != nil && b.Killer.ID != b.Victim.ID
	team := by && g.settings.areMates(killer, victim)
	r.Count(b.Victim.subject(), "deaths")
	if s := g.seats.find(b.Victim.ID); s != nil {
		s.Counted.Losses++
	}
	name := bzflag.Nobody
	switch {
	case by:
		t.recordKiller(e, b, team)
		name = b.Killer.subject()
	case killer != nil || b.Killer.ID == ServerPlayer:
		name = b.Killer.subject()
	}
	r.Kill(name, b.Victim.subject(), &bzflag.Death{
		Victim: g.seats.called(&b.Victim), Killer: g.seats.called(&b.Killer), Own: b.Killer.ID == b.Victim.ID,
		ByPlayer: by, ByServer: b.Killer.ID == ServerPlayer, Cause: causes[b.Reason], Weapon: weapon(b.FlagType),
	}, team)
}

// recordKiller counts a kill for the killer.
func (t *killTracker) recordKiller(e event, b *Killed, team bool) {
	r, who := t.values.recorder(e), b.Killer.subject()
	if team {
		r.Count(who, "teamkills")
	} else {
		r.Count(who, "kills")
	}
	if b.Reason == GotShot {
		r.Count(who, "hits")
	}
	if s := e.game.seats.find(b.Killer.ID); s != nil {
		s.AddKill(team)
	}
}

// causes maps the reasons of deaths in messages to causes that all versions share.
var causes = map[KillReason]bzflag.Cause{
	GotShot: bzflag.Shot, GotRunOver: bzflag.RunOver, GotCaptured: bzflag.Captured, Genocide: bzflag.Genocide,
	SelfDestruct: bzflag.SelfDestruct, WaterDeath: bzflag.Drowned, DeathTouch: bzflag.Touched,
}

// weapon returns the name of a shot for use in sentences. f is the shooter's flag.
func weapon(f FlagType) string {
	if name := weapons[f]; name != "" {
		return name
	}
	return bzflag.PlainShot
}

// weapons maps the shooter's flag to the name of the shot.
var weapons = map[FlagType]string{
	{'F'}: "Rapid Fire", {'M', 'G'}: "Machine Gun", {'G', 'M'}: "Guided Missile", {'L'}: "Laser", {'R'}: "Ricochet",
	{'S', 'B'}: "Super Bullet", {'I', 'B'}: "Invisible Bullet", {'S', 'W'}: "Shock Wave", {'P', 'Z'}: "Phantom Zone",
	{'T', 'H'}: "Thief", {'C', 'L'}: "Cloaking",
}
