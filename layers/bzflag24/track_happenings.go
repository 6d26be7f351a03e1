package bzflag24

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// isNews reports whether the message tells of something that no other connection was told of before: that is what is
// counted, and an event. It is asked once a message.
func (e *event) isNews() bool {
	c := e.connection
	return e.measures() && e.tcp() && !c.killed.Known() &&
		e.game.news.Hear(c.serial, e.layer.Contents, e.place.Time)
}

// happened tells of an event: what somebody did.
func (e *event) happened(who, what, format string, args ...any) {
	e.reporter.Happened(e.place, e.server(), who, what, format, args...)
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
		several = several || s.id != p.ID && s.name == p.CallSign
	}
	return bzflag.Called(p.CallSign, fmt.Sprint(p.ID), several)
}

// recordKill counts a death that nobody told of before. A killer who is nil is none of the players.
func (e *event) recordKill(b *Killed, victim, killer *tank) {
	by := killer != nil && b.Killer.ID != b.Victim.ID
	team := by && areMates(e.game, killer, victim)
	e.measureCount(&b.Victim, "deaths")
	if s := e.game.seat(b.Victim.ID); s != nil {
		s.counted.losses++
	}
	name := bzflag.Nobody
	switch {
	case by:
		e.recordKiller(b, team)
		name = b.Killer.subject()
	case killer != nil || b.Killer.ID == ServerPlayer:
		name = b.Killer.subject()
	}
	bzflag.MeasureKill(e.reporter, e.place, e.server(), name, b.Victim.subject(), b.manner(), team)
	text := e.killSentence(b, by)
	if team {
		text += ", a teammate"
	}
	e.reporter.Measured(wire.Value{
		Place: *e.place, Server: e.server(), Who: name, Whom: b.Victim.subject(), What: bzflag.Kill, Text: text, Event: true,
	})
}

// recordKiller counts what a killer did.
func (e *event) recordKiller(b *Killed, team bool) {
	e.measureCount(&b.Killer, "kills")
	if b.Reason == GotShot {
		e.measureCount(&b.Killer, "hits")
	}
	s := e.game.seat(b.Killer.ID)
	if team {
		e.measureCount(&b.Killer, "teamkills")
	}
	switch {
	case s == nil:
	case team:
		s.counted.teamKills++
	default:
		s.counted.wins++
	}
}

// areMates reports whether two are of one team, where there are teams: rogues are everybody's foes.
func areMates(g *game, a, b *tank) bool {
	return a.team == b.team && a.team > RogueTeam && a.team != ObserverTeam && (!g.known || g.kind != OpenFFA)
}

// manner is the column that a death is counted in.
func (k *Killed) manner() string {
	switch k.Reason {
	case GotShot:
		return "by shot"
	case GotRunOver:
		return "run over"
	}
	return "other"
}

// weapon is what a shot is called by the flag that its tank carries.
func (k *Killed) weapon() string {
	if name := weapons[k.FlagType]; name != "" {
		return name
	}
	return "a shot"
}

// weapons are the flags that change what a shot is.
var weapons = map[FlagType]string{
	{'F'}: "Rapid Fire", {'M', 'G'}: "Machine Gun", {'G', 'M'}: "Guided Missile", {'L'}: "Laser", {'R'}: "Ricochet",
	{'S', 'B'}: "Super Bullet", {'I', 'B'}: "Invisible Bullet", {'S', 'W'}: "Shock Wave", {'P', 'Z'}: "Phantom Zone",
	{'T', 'H'}: "Thief", {'C', 'L'}: "Cloaking",
}

// killSentence tells of a death; by says that it was by another player.
func (e *event) killSentence(b *Killed, by bool) string {
	victim, killer := e.called(&b.Victim), e.called(&b.Killer)
	own, world := b.Killer.ID == b.Victim.ID, b.Killer.ID == ServerPlayer
	switch {
	case b.Reason == SelfDestruct:
		return victim + " self-destructs"
	case b.Reason == WaterDeath:
		return victim + " drowns"
	case b.Reason == DeathTouch:
		return victim + " touches what is deadly"
	case b.Reason == GotCaptured:
		return victim + " dies as a flag is captured"
	case b.Reason == Genocide && by:
		return killer + " kills " + victim + " with Genocide"
	case b.Reason == GotRunOver && by:
		return killer + " runs over " + victim
	case b.Reason == GotRunOver:
		return victim + " is run over"
	case b.Reason == GotShot && own:
		return victim + " is killed by an own shot"
	case b.Reason == GotShot && (by || world):
		return killer + " kills " + victim + " with " + b.weapon()
	case b.Reason == GotShot:
		return victim + " is killed by " + b.weapon() + " of somebody who is gone"
	case by || world:
		return killer + " kills " + victim
	}
	return victim + " dies"
}

// recordGrab tells of a flag that somebody carries from now on. What is not a team's shows where it matters: when it
// kills.
func (e *event) recordGrab(b *GrabFlag) {
	e.measureCount(&b.Player, "flags")
	if t := flagTeam(b.Flag.Type); t != NoTeam {
		e.happened(b.Player.subject(), bzflag.Grab, "%s grabs %s", e.called(&b.Player), teamFlag(t))
	}
}

// recordDrop tells of a team's flag that somebody loses: one that flies to where it lies. What is captured, or taken
// from who leaves, does not.
func (e *event) recordDrop(b *DropFlag) {
	if s := e.game.seat(b.Player.ID); s != nil && s.gone {
		return
	}
	if t := flagTeam(b.Flag.Type); t != NoTeam && b.Flag.Status != FlagOnTank {
		e.happened(b.Player.subject(), bzflag.Drop, "%s drops %s", e.called(&b.Player), teamFlag(t))
	}
}

// recordTransfer tells of a team's flag that one takes from another.
func (e *event) recordTransfer(b *TransferFlag) {
	if t := flagTeam(b.Flag.Type); t != NoTeam {
		e.happened(b.To.subject(), bzflag.Steal, "%s steals %s from %s", e.called(&b.To), teamFlag(t), e.called(&b.From))
	}
}

// recordCapture tells of a capture; s is the flag, if it is known.
func (e *event) recordCapture(b *CaptureFlag, s *flagState) {
	kind := FlagType{}
	if s != nil {
		kind = s.kind
	}
	e.measureCount(&b.Player, "captures")
	e.happened(b.Player.subject(), bzflag.Capture, "%s captures %s for %s",
		e.called(&b.Player), teamFlag(flagTeam(kind)), teams.Format(int64(b.Team)))
}

// teamFlag is how sentences call a team's flag.
func teamFlag(t Team) string {
	if t == NoTeam {
		return "a flag"
	}
	return teams.Format(int64(t)) + "'s flag"
}

// recordRabbit tells who is hunted from now on.
func (e *event) recordRabbit(p *Player) {
	if int(p.ID) < maxTanks && !e.connection.isNewcomer(e.place.Time) && e.isNews() {
		e.happened(p.subject(), bzflag.Rabbit, "%s is the rabbit", e.called(p))
	}
}

// recordPause tells that a player stops, or goes on.
func (e *event) recordPause(b *Pause) {
	switch {
	case e.connection.isNewcomer(e.place.Time) || !e.isNews():
	case b.On.True():
		e.happened(b.Player.subject(), bzflag.Pausing, "%s pauses", e.called(&b.Player))
	default:
		e.happened(b.Player.subject(), bzflag.Resuming, "%s goes on", e.called(&b.Player))
	}
}
