package bzflag24

import "github.com/gamedissect/gamedissect/layers/internal/bzflag"

// flags takes what the server says of flags.
func (e *event) flags(v *view) {
	const off = bzflag.HeaderSize
	now := e.p.Time
	switch b := e.l.Body.(type) {
	case *FlagUpdate:
		for i := range b.Flags {
			e.flagUpdate(v, &b.Flags[i], off+2+i*flagSize)
		}
	case *GrabFlag:
		e.grab(v, b)
	case *DropFlag:
		e.drop(v, b)
	case *TransferFlag:
		e.checkFlag(b.Flag.Number, off+2)
		if k := v.tank(b.To.ID); k != nil && !k.steals(now) {
			e.l.Report(ruleTransfer, off+1, 1, "%s carries %s", &b.To, flagName(k.flagType))
		}
		v.tell(&b.Flag)
		v.hand(b.Flag.Number, b.To.ID, b.Flag.Type, now)
	case *CaptureFlag:
		e.capture(v, b)
	}
}

// checkFlag checks the number of a flag.
func (e *event) checkFlag(number uint16, off int) {
	if n := e.g.numFlags; n > 0 && int(number) >= n {
		e.l.Report(ruleFlagNumber, off, 2, "flag %d, there are %d", number, n)
	}
}

func (e *event) flagUpdate(v *view, f *Flag, off int) {
	e.checkFlag(f.Number, off)
	v.tell(f)
	switch {
	case f.Status != FlagOnTank:
		v.release(f.Number, e.p.Time)
	case int(f.Owner.ID) < maxTanks:
		v.hand(f.Number, f.Owner.ID, f.Type, e.p.Time)
	}
}

// grab takes a flag that the server grants.
func (e *event) grab(v *view, b *GrabFlag) {
	const off = bzflag.HeaderSize
	e.checkFlag(b.Flag.Number, off+1)
	s, k := v.flag(b.Flag.Number), v.tank(b.Player.ID)
	if k == nil {
		return
	}
	switch {
	case s != nil && s.holder != NoPlayer && s.holder != b.Player.ID:
		e.l.Report(ruleGrabStatus, off, 3, "%s grabs the flag, player %d carries it", &b.Player, s.holder)
	case k.flag >= 0:
		e.l.Report(ruleGrabStatus, off, 3, "%s grabs the flag and carries flag %d %s", &b.Player, k.flag, flagName(k.flagType))
	case s != nil && s.known && s.status != FlagOnGround:
		e.l.Report(ruleGrabGround, off, 3, "the flag was %s", flagStatuses.Format(int64(s.status)))
	case e.captured(b.Player.ID): // what the client asked for was judged
	default:
		if rule, why := k.barred(e.p.Time, false); rule != nil {
			e.l.Report(rule, off, 3, "%s grabs a flag%s", &b.Player, why)
		}
	}
	v.tell(&b.Flag)
	v.hand(b.Flag.Number, b.Player.ID, b.Flag.Type, e.p.Time)
	if e.counts() {
		e.count(b.Player.String(), "flags")
	}
}

// drop takes a flag that a tank loses.
func (e *event) drop(v *view, b *DropFlag) {
	const off = bzflag.HeaderSize
	now, number := e.p.Time, b.Flag.Number
	e.checkFlag(number, off+1)
	k := v.tank(b.Player.ID)
	if k == nil {
		return
	}
	if k.flag != flagUnknown && k.flag != int(number) {
		e.l.Report(ruleDropFlag, off, 3, "%s drops flag %d, and carries %s", &b.Player, number, flagName(k.flagType))
	}
	if b.Flag.Type == thief {
		k.thief, k.thiefTime = true, now
	}
	if k.flag == flagUnknown || k.flag == int(number) {
		k.carry(noFlag, FlagType{}, now)
	}
	if b.Player.ID == e.c.player {
		e.c.let = false
	}
	if s := v.tell(&b.Flag); s != nil {
		if s.holder == b.Player.ID {
			s.holder = NoPlayer
		}
		s.dropped, s.dropper, s.time = true, b.Player.ID, now
	}
}

// steals reports whether a tank may take another one's flag: it has the Thief flag, or had it just
// before.
func (k *tank) steals(now int64) bool {
	return k.flag == flagUnknown || k.flagType == thief || k.thief && elapsed(k.thiefTime, now) <= lagLife
}

// capture takes a capture. One by a number that nobody has is the server's, which begins a match
// so: nobody dies by it.
func (e *event) capture(v *view, b *CaptureFlag) {
	const off = bzflag.HeaderSize
	now := e.p.Time
	if v.present(b.Player.ID) == nil {
		if !v.complete {
			v.killTeam(NoTeam, now) // it may be somebody all the same
		}
		return
	}
	e.checkFlag(b.Number, off+1)
	s := v.flag(b.Number)
	if s == nil {
		v.killTeam(NoTeam, now)
		return
	}
	just := s.dropped && s.dropper == b.Player.ID && elapsed(s.time, now) <= lagLife
	if !just && (v.complete || elapsed(v.since, now) > lagLife) {
		e.l.Report(ruleCapture, off, 3, "no drop of flag %d by %s came just before", b.Number, &b.Player)
	}
	loser := NoTeam
	if s.known {
		loser = teamOf(s.kind)
	}
	v.killTeam(loser, now)
	if e.counts() {
		e.count(b.Player.String(), "captures")
	}
}
