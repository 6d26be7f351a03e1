package bzflag24

import (
	"fmt"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

type flagTracker struct {
	values *valueTracker
	tanks  *tankTracker
}

// checkGrabRequest checks a client's request for a flag.
func (t *flagTracker) checkGrabRequest(e event, b *FlagRequest) {
	e.game.settings.checkFlagNumber(e.message, b.Number, bzflag.HeaderSize)
	t.tanks.checkMayAct(e, "grabs a flag")
}

// takeFlags handles the state of flags.
func (t *flagTracker) takeFlags(e event, b *FlagUpdate) {
	v, now := e.connection.view, e.place.Time
	for i := range b.Flags {
		f := &b.Flags[i]
		e.game.settings.checkFlagNumber(e.message, f.Number, bzflag.HeaderSize+2+i*flagSize)
		v.takeFlag(f)
		switch {
		case f.Status != FlagOnTank:
			v.releaseFlag(f.Number, now)
		case int(f.Owner.ID) < maxTanks:
			v.moveFlag(f.Number, f.Owner.ID, f.Type, now)
		}
	}
}

// takeGrab handles the grab of a flag.
func (t *flagTracker) takeGrab(e event, b *GrabFlag) {
	const off = bzflag.HeaderSize
	e.game.settings.checkFlagNumber(e.message, b.Flag.Number, off+1)
	v, now := e.connection.view, e.place.Time
	s, k := v.flag(b.Flag.Number), v.tank(b.Player.ID)
	if k == nil {
		return
	}
	switch {
	case s != nil && s.holder != NoPlayer && s.holder != b.Player.ID:
		e.layer.Report(ruleGrabStatus, off, 3, "%s grabs the flag, player %d carries it", &b.Player, s.holder)
	case k.flag >= 0:
		e.layer.Report(ruleGrabStatus, off, 3, "%s grabs the flag and carries flag %d %s",
			&b.Player, k.flag, flagName(k.flagType))
	case s != nil && s.known && s.status != FlagOnGround:
		e.layer.Report(ruleGrabGround, off, 3, "the flag was %s", flagStatuses.Format(int64(s.status)))
	case e.game.isCaptured(b.Player.ID): // the client's request has already been checked
	default:
		if rule, why := k.barred(now, false); rule != nil {
			e.layer.Report(rule, off, 3, "%s grabs a flag%s", &b.Player, why)
		}
	}
	v.takeFlag(&b.Flag)
	v.moveFlag(b.Flag.Number, b.Player.ID, b.Flag.Type, now)
	if t.values.claim(e) {
		t.recordGrab(e, b)
	}
}

// takeDrop handles a drop of a flag by a tank.
func (t *flagTracker) takeDrop(e event, b *DropFlag) {
	const off = bzflag.HeaderSize
	now, number := e.place.Time, b.Flag.Number
	e.game.settings.checkFlagNumber(e.message, number, off+1)
	c := e.connection
	k := c.view.tank(b.Player.ID)
	if k == nil {
		return
	}
	if k.flag != flagUnknown && k.flag != int32(number) {
		e.layer.Report(ruleDropFlag, off, 3, "%s drops flag %d, and carries %s", &b.Player, number, flagName(k.flagType))
	}
	if b.Flag.Type == thief {
		k.thief = clock.At(now)
	}
	if k.flag == flagUnknown || k.flag == int32(number) {
		k.setFlag(noFlag, FlagType{}, now)
	}
	why, unasked := t.taken(e, &b.Player, k)
	if b.Player.ID == c.player {
		c.acts.dropping = clock.Moment{}
	}
	if s := c.view.takeFlag(&b.Flag); s != nil {
		if s.holder == b.Player.ID {
			s.holder = NoPlayer
		}
		s.dropped, s.dropper = clock.At(now), b.Player.ID
	}
	if t.values.claim(e) {
		t.recordDrop(e, b, why, unasked)
	}
}

// idleTime is the default time without updates after which a server takes away a player's flag.
const idleTime = int64(5 * time.Second)

// taken reports whether the server takes away a tank's flag without a request, and the reason if it is known. It
// returns false if the capture may lack messages of the tank's client.
func (t *flagTracker) taken(e event, p *Player, k *tank) (why string, unasked bool) {
	c := e.connection
	if c.player != p.ID {
		c = t.tanks.seats.connections.ofPlayer(e, p.ID)
	}
	if c == nil || !c.isOpen() || c.acts.dropping.Within(e.place.Time, overdue) || c.acts.died.Known() || k.life != alive {
		return "", false
	}
	if idle := e.since(max(c.acts.updated, k.born)); idle >= idleTime {
		return fmt.Sprintf(": no update for %.1f s", seconds(idle)), true
	}
	return "", true
}

// takeTransfer handles the theft of a flag from another tank.
func (t *flagTracker) takeTransfer(e event, b *TransferFlag) {
	const off = bzflag.HeaderSize
	now, v := e.place.Time, e.connection.view
	e.game.settings.checkFlagNumber(e.message, b.Flag.Number, off+2)
	if k := v.tank(b.To.ID); k != nil && !k.maySteal(now) {
		e.layer.Report(ruleTransfer, off+1, 1, "%s carries %s", &b.To, flagName(k.flagType))
	}
	v.takeFlag(&b.Flag)
	v.moveFlag(b.Flag.Number, b.To.ID, b.Flag.Type, now)
	if team := flagTeam(b.Flag.Type); t.values.claim(e) && team != NoTeam {
		t.values.recorder(e).Event(b.To.subject(), bzflag.Steal, "%s steals %s from %s",
			e.game.seats.called(&b.To), bzflag.TeamFlag(int64(team)), e.game.seats.called(&b.From))
	}
}

// takeCapture handles a capture of a flag. If the capturing player does not exist, the server itself captures the flag,
// for example when a match begins. Such a capture kills nobody.
func (t *flagTracker) takeCapture(e event, b *CaptureFlag) {
	const off = bzflag.HeaderSize
	now, v := e.place.Time, e.connection.view
	if v.present(b.Player.ID) == nil {
		if !v.complete {
			v.killTeam(NoTeam, now) // the view may not know the player
			if int(b.Player.ID) < maxTanks && t.values.claim(e) {
				t.recordCapture(e, b, v.flag(b.Number))
			}
		}
		return
	}
	e.game.settings.checkFlagNumber(e.message, b.Number, off+1)
	s := v.flag(b.Number)
	if s == nil {
		v.killTeam(NoTeam, now)
		return
	}
	just := s.dropped.Known() && s.dropper == b.Player.ID && e.since(s.dropped.When()) <= lagLife
	if !just && (v.complete || e.since(v.since) > lagLife) {
		e.layer.Report(ruleCapture, off, 3, "no drop of flag %d by %s came just before", b.Number, &b.Player)
	}
	loser := NoTeam
	if s.known {
		loser = flagTeam(s.kind)
	}
	v.killTeam(loser, now)
	if t.values.claim(e) {
		t.recordCapture(e, b, s)
	}
}

// recordGrab counts a grab. It is an event only if the flag is a team's flag.
func (t *flagTracker) recordGrab(e event, b *GrabFlag) {
	r, who := t.values.recorder(e), b.Player.subject()
	r.Count(who, "flags")
	if team := flagTeam(b.Flag.Type); team != NoTeam {
		r.Event(who, bzflag.Grab, "%s grabs %s", e.game.seats.called(&b.Player), bzflag.TeamFlag(int64(team)))
	}
}

// recordDrop records that a player loses a team's flag, if the flag falls to the ground. It ignores a drop after a
// capture, and a drop by a player who has left.
func (t *flagTracker) recordDrop(e event, b *DropFlag, why string, unasked bool) {
	if seat := e.game.seats.find(b.Player.ID); seat != nil && seat.Gone {
		return
	}
	team := flagTeam(b.Flag.Type)
	if team == NoTeam || b.Flag.Status == FlagOnTank {
		return
	}
	r, who, flag := t.values.recorder(e), e.game.seats.called(&b.Player), bzflag.TeamFlag(int64(team))
	if unasked {
		r.Event(b.Player.subject(), bzflag.Drop, "the server takes %s from %s%s", flag, who, why)
	} else {
		r.Event(b.Player.subject(), bzflag.Drop, "%s drops %s", who, flag)
	}
}

// recordCapture records a capture; s is the flag, or nil if it is not known.
func (t *flagTracker) recordCapture(e event, b *CaptureFlag, s *flagState) {
	c := bzflag.CaptureTeams{Team: int64(NoTeam), Flag: int64(NoTeam), Base: int64(b.Team)}
	if s != nil {
		c.Flag = int64(flagTeam(s.kind))
	}
	if seat := e.game.seats.find(b.Player.ID); seat != nil {
		c.Team = int64(seat.team)
	}
	t.values.recorder(e).Capture(b.Player.subject(), e.game.seats.called(&b.Player), c)
}
