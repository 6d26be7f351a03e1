package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// recordFlags takes the state of flags.
func (e *event) recordFlags(b *FlagUpdate) {
	for i := range b.Flags {
		e.recordFlag(&b.Flags[i], bzflag.HeaderSize+2+i*flagSize)
	}
}

// checkFlagNumber checks the number of a flag.
func (e *event) checkFlagNumber(number uint16, off int) {
	if n := e.game.numFlags; n > 0 && int(number) >= n {
		e.layer.Report(ruleFlagNumber, off, 2, "flag %d, there are %d", number, n)
	}
}

// recordFlag takes the state of a flag.
func (e *event) recordFlag(f *Flag, off int) {
	v := e.connection.view
	e.checkFlagNumber(f.Number, off)
	v.recordFlag(f)
	switch {
	case f.Status != FlagOnTank:
		v.release(f.Number, e.place.Time)
	case int(f.Owner.ID) < maxTanks:
		v.give(f.Number, f.Owner.ID, f.Type, e.place.Time)
	}
}

// checkGrab takes a flag that the server grants.
func (e *event) checkGrab(b *GrabFlag) {
	const off = bzflag.HeaderSize
	e.checkFlagNumber(b.Flag.Number, off+1)
	v := e.connection.view
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
	case e.hasOwnConnection(b.Player.ID): // what the client asked for was checked
	default:
		if rule, why := k.barred(e.place.Time, false); rule != nil {
			e.layer.Report(rule, off, 3, "%s grabs a flag%s", &b.Player, why)
		}
	}
	v.recordFlag(&b.Flag)
	v.give(b.Flag.Number, b.Player.ID, b.Flag.Type, e.place.Time)
	if e.isNew() {
		e.recordGrab(b)
	}
}

// checkDrop takes a flag that a tank loses.
func (e *event) checkDrop(b *DropFlag) {
	const off = bzflag.HeaderSize
	now, number := e.place.Time, b.Flag.Number
	e.checkFlagNumber(number, off+1)
	v := e.connection.view
	k := v.tank(b.Player.ID)
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
		k.carry(noFlag, FlagType{}, now)
	}
	if b.Player.ID == e.connection.player {
		e.connection.dropping = clock.Moment{}
	}
	if s := v.recordFlag(&b.Flag); s != nil {
		if s.holder == b.Player.ID {
			s.holder = NoPlayer
		}
		s.dropped, s.dropper = clock.At(now), b.Player.ID
	}
	if e.isNew() {
		e.recordDrop(b)
	}
}

// checkTransfer takes a flag that one tank takes from another.
func (e *event) checkTransfer(b *TransferFlag) {
	const off = bzflag.HeaderSize
	now, v := e.place.Time, e.connection.view
	e.checkFlagNumber(b.Flag.Number, off+2)
	if k := v.tank(b.To.ID); k != nil && !k.maySteal(now) {
		e.layer.Report(ruleTransfer, off+1, 1, "%s carries %s", &b.To, flagName(k.flagType))
	}
	v.recordFlag(&b.Flag)
	v.give(b.Flag.Number, b.To.ID, b.Flag.Type, now)
	if e.isNew() {
		e.recordTransfer(b)
	}
}

// maySteal reports whether a tank may take another one's flag: it has the Thief flag, or had it just
// before.
func (k *tank) maySteal(now int64) bool {
	return k.flag == flagUnknown || k.flagType == thief || k.thief.Known() && clock.Elapsed(k.thief.When(), now) <= lagLife
}

// checkCapture takes a capture. One by a number that no player has is the server's, which begins a match
// so: no player dies by it.
func (e *event) checkCapture(b *CaptureFlag) {
	const off = bzflag.HeaderSize
	now, v := e.place.Time, e.connection.view
	if v.present(b.Player.ID) == nil {
		if !v.complete {
			v.killTeam(NoTeam, now) // the player may be there all the same
			if int(b.Player.ID) < maxTanks && e.isNew() {
				e.recordCapture(b, v.flag(b.Number))
			}
		}
		return
	}
	e.checkFlagNumber(b.Number, off+1)
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
	if e.isNew() {
		e.recordCapture(b, s)
	}
}
