package bzflag24

import (
	"fmt"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// isNew reports whether the message tells of something that no other connection was told of before: that is what is
// counted, and an event. It is asked once a message.
func (e *event) isNew() bool {
	c := e.connection
	if !e.measures() || !e.tcp() || c.killed.Known() {
		return false
	}
	e.scratch = bzflag.AppendServer(append(e.scratch[:0], e.layer.Contents...), e.server())
	return !e.told.Repeats(c.serial, e.place.Time, "", e.scratch)
}

// recorder records what happens at the server of the message at hand.
func (e *event) recorder() bzflag.Recorder {
	return bzflag.Recorder{Reporter: e.reporter, Place: e.place, Server: e.server()}
}

// called is how sentences call a player.
func (e *event) called(p *Player) string {
	switch {
	case p.ID == ServerPlayer:
		return "the server"
	case p.ID == NoPlayer:
		return "nobody"
	case int(p.ID) >= maxTanks:
		return p.String()
	}
	several := false
	for i := range e.game.seats {
		s := &e.game.seats[i]
		several = several || s.id != p.ID && s.Name == p.CallSign
	}
	return bzflag.Called(p.CallSign, fmt.Sprint(p.ID), several)
}

// recordKill counts a death that no other connection was told of before. A killer who is nil is none of the players.
func (e *event) recordKill(b *Killed, victim, killer *tank) {
	by := killer != nil && b.Killer.ID != b.Victim.ID
	team := by && e.game.areMates(killer, victim)
	e.measureCount(&b.Victim, "deaths")
	if s := e.game.seat(b.Victim.ID); s != nil {
		s.Counted.Losses++
	}
	name := bzflag.Nobody
	switch {
	case by:
		e.recordKiller(b, team)
		name = b.Killer.subject()
	case killer != nil || b.Killer.ID == ServerPlayer:
		name = b.Killer.subject()
	}
	e.recorder().Kill(name, b.Victim.subject(), &bzflag.Death{
		Victim: e.called(&b.Victim), Killer: e.called(&b.Killer), Own: b.Killer.ID == b.Victim.ID,
		ByPlayer: by, ByServer: b.Killer.ID == ServerPlayer, Cause: causes[b.Reason], Weapon: b.weapon(),
	}, team)
}

// causes are those that have a sentence of their own.
var causes = map[KillReason]bzflag.Cause{
	GotShot: bzflag.Shot, GotRunOver: bzflag.RunOver, GotCaptured: bzflag.Captured, Genocide: bzflag.Genocide,
	SelfDestruct: bzflag.SelfDestruct, WaterDeath: bzflag.Drowned, DeathTouch: bzflag.Touched,
}

// recordKiller counts what a killer did.
func (e *event) recordKiller(b *Killed, team bool) {
	e.measureCount(&b.Killer, "kills")
	if b.Reason == GotShot {
		e.measureCount(&b.Killer, "hits")
	}
	if team {
		e.measureCount(&b.Killer, "teamkills")
	}
	if s := e.game.seat(b.Killer.ID); s != nil {
		s.AddKill(team)
	}
}

// areMates reports whether a kill is that of a teammate, by the rules of servers. Rogues are everybody's foes, and so
// is everybody in a free-for-all without teams. Hunters are a team, but the shots of one who was the rabbit until it
// died may still hit the others. It reports false if the kind of game, or such a past, is not known.
func (g *game) areMates(killer, victim *tank) bool {
	switch {
	case !g.known || g.kind == OpenFFA || killer.team != victim.team:
		return false
	case killer.team == HunterTeam:
		return killer.births > 0 && !killer.wasRabbit
	}
	return killer.team > RogueTeam && killer.team < ObserverTeam
}

// weapon is what a shot is called by the flag that its tank carries.
func (k *Killed) weapon() string {
	if name := weapons[k.FlagType]; name != "" {
		return name
	}
	return bzflag.PlainShot
}

// weapons are the flags that change what a shot is.
var weapons = map[FlagType]string{
	{'F'}: "Rapid Fire", {'M', 'G'}: "Machine Gun", {'G', 'M'}: "Guided Missile", {'L'}: "Laser", {'R'}: "Ricochet",
	{'S', 'B'}: "Super Bullet", {'I', 'B'}: "Invisible Bullet", {'S', 'W'}: "Shock Wave", {'P', 'Z'}: "Phantom Zone",
	{'T', 'H'}: "Thief", {'C', 'L'}: "Cloaking",
}

// recordGrab counts a grab. Only that of a team's flag is an event.
func (e *event) recordGrab(b *GrabFlag) {
	e.measureCount(&b.Player, "flags")
	if t := flagTeam(b.Flag.Type); t != NoTeam {
		e.recorder().Event(b.Player.subject(), bzflag.Grab, "%s grabs %s", e.called(&b.Player), bzflag.TeamFlag(int64(t)))
	}
}

// recordDrop tells of a team's flag that a player loses: one that flies to where it lies. What is captured, or taken
// from who leaves, does not.
func (e *event) recordDrop(b *DropFlag) {
	if s := e.game.seat(b.Player.ID); s != nil && s.Gone {
		return
	}
	if t := flagTeam(b.Flag.Type); t != NoTeam && b.Flag.Status != FlagOnTank {
		e.recorder().Event(b.Player.subject(), bzflag.Drop, "%s drops %s", e.called(&b.Player), bzflag.TeamFlag(int64(t)))
	}
}

// recordTransfer tells of a team's flag that one takes from another.
func (e *event) recordTransfer(b *TransferFlag) {
	if t := flagTeam(b.Flag.Type); t != NoTeam {
		e.recorder().Event(b.To.subject(), bzflag.Steal, "%s steals %s from %s",
			e.called(&b.To), bzflag.TeamFlag(int64(t)), e.called(&b.From))
	}
}

// recordCapture tells of a capture; s is the flag, if it is known. Who loses the own flag at another base captured
// none.
func (e *event) recordCapture(b *CaptureFlag, s *flagState) {
	kind := FlagType{}
	if s != nil {
		kind = s.kind
	}
	if s := e.game.seat(b.Player.ID); s == nil || s.team == b.Team {
		e.measureCount(&b.Player, "captures")
	}
	e.recorder().Event(b.Player.subject(), bzflag.Capture, "%s captures %s for %s",
		e.called(&b.Player), bzflag.TeamFlag(int64(flagTeam(kind))), teams.Format(int64(b.Team)))
}

// recordRabbit tells who is hunted from now on.
func (e *event) recordRabbit(p *Player) {
	if int(p.ID) < maxTanks && !e.connection.isNewcomer(e.place.Time) && e.isNew() {
		e.recorder().Event(p.subject(), bzflag.Rabbit, "%s is the rabbit", e.called(p))
	}
}

// recordPause tells that a player stops, or goes on.
func (e *event) recordPause(b *Pause) {
	switch {
	case e.connection.isNewcomer(e.place.Time) || !e.isNew():
	case b.On.True():
		e.recorder().Event(b.Player.subject(), bzflag.Pausing, "%s pauses", e.called(&b.Player))
	default:
		e.recorder().Event(b.Player.subject(), bzflag.Resuming, "%s goes on", e.called(&b.Player))
	}
}
