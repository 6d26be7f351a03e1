package bzflag17

import "github.com/gamedissect/gamedissect/decode/wire/clock"

// lossNotice is how long a client may not know that its flag is gone. Real clients ask with every
// picture until something changes.
const lossNotice = second

// shakeTolerance is how much earlier than the server a client may let go of a bad flag, and dyingTime how
// soon a death explains why it did.
const (
	shakeTolerance = second / 10
	dyingTime      = second / 2
)

// Two bits of a game's style.
const (
	shakable GameStyle = 0x0040 // bad flags can be shaken off
	antidote GameStyle = 0x0080 // or end with the antidote flag
)

// checkFlagNumber reports whether the game may have flag n. If it has not, that is a finding about the bytes at off,
// the offset of the number in the message.
func (e *event) checkFlagNumber(n uint16, off int) bool {
	g := e.game()
	if g == nil || g.style == nil || n < g.style.Flags {
		return true
	}
	e.report(ruleFlagNumber, off, 2, "flag %d, the game has %d", n, g.style.Flags)
	return false
}

// flag returns what is known of flag n, nil if nothing is.
func (c *connection) flag(n uint16) *flag {
	if int(n) >= len(c.flags) {
		return nil
	}
	return &c.flags[n]
}

// setFlag takes note of what a message tells of a flag and its holder.
func (e *event) setFlag(n uint16, b *Flag, carrier PlayerID, carried bool) {
	c := e.conn
	if n >= maxFlags {
		return
	}
	for int(n) >= len(c.flags) {
		c.flags = append(c.flags, flag{})
	}
	f := c.flag(n)
	carrier = c.resolve(carrier)
	if f.carried && (!carried || f.carrier != carrier) {
		e.releaseFlag(f)
	}
	f.id, f.carried, f.carrier = b.ID, carried, carrier
	if k := c.tanks.get(carrier); carried && k != nil {
		k.carry(b.ID, e.place.Time)
	}
}

// releaseFlag takes a flag from the one who carries it.
func (e *event) releaseFlag(f *flag) {
	if k := e.conn.tanks.get(f.carrier); f.carried && k != nil && k.flagKnown && k.flag == f.id {
		k.carry(NoFlag, e.place.Time)
	}
	f.carried = false
}

// carry gives a tank a flag, or none.
func (k *tank) carry(id FlagID, now int64) {
	if k.flagKnown && k.flag == id {
		return
	}
	if k.flagKnown {
		k.previousFlag = k.flag
	}
	k.flag, k.flagKnown, k.flagChanged = id, true, clock.At(now)
}

// flagChangedWithin reports whether a tank took or lost its flag less than so many nanoseconds ago.
func (k *tank) flagChangedWithin(now, nanoseconds int64) bool {
	return k.flagChanged.Known() && clock.Elapsed(k.flagChanged.When(), now) < nanoseconds
}

// isTeamFlag reports whether a flag is that of a team.
func isTeamFlag(id FlagID) bool { return id != NoFlag && id <= PurpleFlag }

// findFlag sets what a new player carries, by what earlier messages said of the flags.
func (c *connection) findFlag(k *tank, id PlayerID) {
	k.flagKnown = c.complete && !c.isRobot()
	for i := range c.flags {
		if f := &c.flags[i]; f.carried && f.carrier == id {
			k.flag, k.flagKnown = f.id, true
		}
	}
}

// recordFlagUpdate takes note of a MsgFlagUpdate.
func (e *event) recordFlagUpdate(b *FlagUpdate) {
	if e.checkFlagNumber(b.Number, headerSize) {
		e.setFlag(b.Number, &b.Flag, b.Flag.Owner.ID, b.Flag.Status == OnTank)
	}
}

// checkGrabRequest checks a client's wish for a flag.
func (e *event) checkGrabRequest(b *GrabRequest) {
	e.checkFlagNumber(b.Number, headerSize)
	e.checkOnBoard(e.conn.clientTank(), e.conn.playerID, "a grab")
}

// checkGrab checks the server's consent, and gives the player the flag.
func (e *event) checkGrab(b *GrabFlag) {
	c, now := e.conn, e.place.Time
	if !e.checkFlagNumber(b.Number, headerSize+playerIDSize) {
		return
	}
	if e.isNew() {
		e.recordGrab(b)
	}
	e.setFlag(b.Number, &b.Flag, b.Player.ID, true)
	id := c.resolve(b.Player.ID)
	if id == c.playerID {
		c.settle(ruleDrop, id, now)
		c.settle(ruleCapture, id, now)
		c.settle(ruleShotFlag, id, now)
		c.grabbed, c.winsAtGrab = clock.At(now), c.score.wins
	}
	if !e.isCaptured(b.Player.ID) && e.checkPresent(b.Player.ID, headerSize, "player") {
		e.checkOnBoard(c.tanks.get(id), id, "a grab")
	}
}

// checkDropRequest checks a client's wish to drop its flag.
func (e *event) checkDropRequest() {
	c := e.conn
	k := c.clientTank()
	switch {
	case k == nil || !k.flagKnown:
	case k.flag == NoFlag:
		if !k.flagChangedWithin(e.place.Time, lossNotice) {
			e.reportOrPostpone(ruleDrop, c.playerID, 0, headerSize, "the player carries no flag")
		}
	case k.flag.Type() == Sticky && k.life == alive:
		e.checkSticky(k)
	}
}

// checkSticky checks that a bad flag may be dropped already. Real clients drop theirs as well when they
// die, just before they tell of it.
func (e *event) checkSticky(k *tank) {
	c := e.conn
	g := e.game()
	if g == nil || g.style == nil || !c.grabbed.Known() || g.style.Style&antidote != 0 {
		return
	}
	carried := max(e.since(c.grabbed.When()), 0)
	wins := int(int16(c.score.wins - c.winsAtGrab))
	if s := g.style; s.Style&shakable != 0 {
		if s.ShakeTimeout > 0 && clock.Add(carried, shakeTolerance) >= int64(s.ShakeTimeout)*second/10 {
			return
		}
		if s.ShakeWins > 0 && (wins >= int(s.ShakeWins) || !c.score.known) {
			return
		}
	}
	text := k.flag.String() + " is dropped " + seconds(carried) + " after it was taken"
	e.postpone(pendingFinding{rule: ruleSticky, player: c.playerID, text: text}, dyingTime)
}

// recordDrop takes note of a server's MsgDropFlag.
func (e *event) recordDrop(b *DropFlag) {
	if !e.checkFlagNumber(b.Number, headerSize+playerIDSize) {
		return
	}
	if e.isNew() {
		e.tellDrop(b)
	}
	if k := e.conn.tank(b.Player.ID); k != nil {
		if !k.flagKnown {
			k.flag, k.flagKnown = b.Flag.ID, true
		}
		k.carry(NoFlag, e.place.Time)
	}
	e.setFlag(b.Number, &b.Flag, b.Player.ID, false)
}

// checkCaptureRequest checks a client's claim of a capture.
func (e *event) checkCaptureRequest() {
	k := e.conn.clientTank()
	if k == nil || !k.flagKnown || isTeamFlag(k.flag) {
		return
	}
	if isTeamFlag(k.previousFlag) && k.flagChangedWithin(e.place.Time, lossNotice) {
		return
	}
	e.reportOrPostpone(ruleCapture, e.conn.playerID, 0, headerSize, "the player carries "+k.flag.String())
}

// recordCapture takes note of a server's MsgCaptureFlag: the flag's team is dead, and nothing else tells
// that.
func (e *event) recordCapture(b *CaptureFlag) {
	c, now := e.conn, e.place.Time
	if !e.checkFlagNumber(b.Number, headerSize+playerIDSize) {
		return
	}
	f, team := c.flag(b.Number), NoTeam
	if f != nil && isTeamFlag(f.id) {
		team = Team(f.id)
	}
	if e.isNew() {
		e.tellCapture(b, team)
	}
	for i := range c.tanks {
		k := &c.tanks[i]
		switch {
		case team == NoTeam: // whose flag it was is not known
			k.life = lifeUnknown
		case k.team == team:
			k.die(now, true)
			c.settle(ruleSticky, k.id, now)
			c.settle(ruleTwice, k.id, now)
		}
	}
	if f != nil {
		e.releaseFlag(f)
	}
	if k := c.tank(b.Player.ID); k != nil && k.flagKnown {
		k.carry(NoFlag, now)
	}
}
