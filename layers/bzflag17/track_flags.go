package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// flagTracker follows how players take, drop and capture flags.
type flagTracker struct {
	values  *valueTracker
	news    *newsTracker
	pending pendingFindings
	acts    *actTracker
}

// lossNotice is the delay until a client knows that its flag is gone. Until then, real clients repeat a request with
// every frame.
const lossNotice = second

const (
	shakeTolerance = second / 10 // a bad flag may be dropped this much too early without a finding
	dyingTime      = second / 2  // if the tank dies within this time after an early drop, the death explains the drop
)

// Two bits of a game's style.
const (
	shakable GameStyle = 0x0040 // bad flags can be shaken off
	antidote GameStyle = 0x0080 // the antidote flag removes bad flags
)

// recordUpdate records a MsgFlagUpdate.
func (t *flagTracker) recordUpdate(e *event, b *FlagUpdate) {
	if e.game.checkFlagNumber(&e.message, b.Number, headerSize) {
		e.conn.setFlag(b.Number, b.Flag.ID, e.conn.resolve(b.Flag.Owner.ID), b.Flag.Status == OnTank, e.place.Time)
	}
}

// checkGrabRequest checks a client's request for a flag.
func (t *flagTracker) checkGrabRequest(e *event, b *GrabRequest) {
	e.game.checkFlagNumber(&e.message, b.Number, headerSize)
	t.acts.checkOnBoard(e, e.conn.clientTank(), e.conn.playerID, "a grab")
}

// checkGrab checks a server's MsgGrabFlag, and assigns the flag to the player's tank.
func (t *flagTracker) checkGrab(e *event, b *GrabFlag) {
	c, now := e.conn, e.place.Time
	if !e.game.checkFlagNumber(&e.message, b.Number, headerSize+playerIDSize) {
		return
	}
	if t.news.isNew(e) {
		t.countGrab(e, b)
	}
	e.conn.setFlag(b.Number, b.Flag.ID, e.conn.resolve(b.Player.ID), true, e.place.Time)
	id := c.resolve(b.Player.ID)
	if id == c.playerID {
		c.outcomes.settle(ruleDrop, id, now)
		c.outcomes.settle(ruleCapture, id, now)
		c.outcomes.settle(ruleShotFlag, id, now)
		c.grabbed, c.winsAtGrab = clock.At(now), c.score.wins
	}
	if !isCaptured(e, b.Player.ID) && t.acts.checkPresent(e, b.Player.ID, headerSize, "player") {
		t.acts.checkOnBoard(e, c.tanks.get(id), id, "a grab")
	}
}

// checkDropRequest checks a client's request to drop its flag.
func (t *flagTracker) checkDropRequest(e *event) {
	c := e.conn
	k := c.clientTank()
	switch {
	case k == nil || !k.flagKnown:
	case k.flag == NoFlag:
		if !k.flagChangedWithin(e.place.Time, lossNotice) {
			t.pending.report(e, ruleDrop, c.playerID, 0, headerSize, "the player carries no flag")
		}
	case k.flag.Type() == Sticky && k.life == alive:
		t.checkSticky(e, k)
	}
}

// checkSticky checks that a bad flag may already be dropped. When their tank dies, real clients also drop its flag,
// just before they report the death.
func (t *flagTracker) checkSticky(e *event, k *tank) {
	c := e.conn
	s := e.game.worldStyle()
	if s == nil || !c.grabbed.Known() || s.Style&antidote != 0 {
		return
	}
	carried := max(e.since(c.grabbed.When()), 0)
	wins := int(int16(c.score.wins - c.winsAtGrab))
	if s.Style&shakable != 0 {
		if s.ShakeTimeout > 0 && clock.Add(carried, shakeTolerance) >= int64(s.ShakeTimeout)*second/10 {
			return
		}
		if s.ShakeWins > 0 && (wins >= int(s.ShakeWins) || !c.score.known) {
			return
		}
	}
	text := k.flag.String() + " is dropped " + seconds(carried) + " after it was taken"
	t.pending.add(e, pendingFinding{rule: ruleSticky, player: c.playerID, text: text, wait: dyingTime})
}

// recordDrop records a server's MsgDropFlag.
func (t *flagTracker) recordDrop(e *event, b *DropFlag) {
	if !e.game.checkFlagNumber(&e.message, b.Number, headerSize+playerIDSize) {
		return
	}
	if t.news.isNew(e) {
		t.reportDrop(e, b)
	}
	if k := e.conn.tank(b.Player.ID); k != nil {
		if !k.flagKnown {
			k.flag, k.flagKnown = b.Flag.ID, true
		}
		k.carry(NoFlag, e.place.Time)
	}
	e.conn.setFlag(b.Number, b.Flag.ID, e.conn.resolve(b.Player.ID), false, e.place.Time)
}

// checkCaptureRequest checks a client's claim of a capture.
func (t *flagTracker) checkCaptureRequest(e *event) {
	k := e.conn.clientTank()
	if k == nil || !k.flagKnown || isTeamFlag(k.flag) {
		return
	}
	if isTeamFlag(k.previousFlag) && k.flagChangedWithin(e.place.Time, lossNotice) {
		return
	}
	t.pending.report(e, ruleCapture, e.conn.playerID, 0, headerSize, "the player carries "+k.flag.String())
}

// recordCapture records a server's MsgCaptureFlag. A capture kills all players of the flag's team. No other message
// reports their deaths.
func (t *flagTracker) recordCapture(e *event, b *CaptureFlag) {
	c, now := e.conn, e.place.Time
	if !e.game.checkFlagNumber(&e.message, b.Number, headerSize+playerIDSize) {
		return
	}
	f, team := c.flag(b.Number), NoTeam
	if f != nil && isTeamFlag(f.id) {
		team = Team(f.id)
	}
	if t.news.isNew(e) {
		t.reportCapture(e, b, team)
	}
	for i := range c.tanks {
		k := &c.tanks[i]
		switch {
		case team == NoTeam: // the flag's team is not known
			k.life = lifeUnknown
		case k.team == team:
			k.die(now, true)
			c.outcomes.settle(ruleSticky, k.id, now)
			c.outcomes.settle(ruleTwice, k.id, now)
		}
	}
	if f != nil {
		c.releaseFlag(f, now)
	}
	if k := c.tank(b.Player.ID); k != nil && k.flagKnown {
		k.carry(NoFlag, now)
	}
}

// countGrab counts a grab. Only the grab of a team's flag is an event.
func (t *flagTracker) countGrab(e *event, b *GrabFlag) {
	id := e.conn.resolve(b.Player.ID)
	t.values.recorder(e).Count(nameOf(e, id), "flags")
	if isTeamFlag(b.Flag.ID) {
		t.values.event(e, id, bzflag.Grab, "grabs "+bzflag.TeamFlag(int64(b.Flag.ID)))
	}
}

// reportDrop reports the drop of a team's flag. If the player has left, the server took the flag, so this is not a
// drop.
func (t *flagTracker) reportDrop(e *event, b *DropFlag) {
	id := e.conn.resolve(b.Player.ID)
	if n := e.game.player(id); n != nil && n.Gone {
		return
	}
	if isTeamFlag(b.Flag.ID) && b.Flag.Status != OnTank {
		t.values.event(e, id, bzflag.Drop, "drops "+bzflag.TeamFlag(int64(b.Flag.ID)))
	}
}

// reportCapture reports a capture; flag is the flag's team, or NoTeam if it is not known.
func (t *flagTracker) reportCapture(e *event, b *CaptureFlag, flag Team) {
	id := e.conn.resolve(b.Player.ID)
	c := bzflag.CaptureTeams{Team: int64(NoTeam), Flag: int64(flag), Base: int64(b.Team)}
	if n := e.game.player(id); n != nil && n.Who != "" {
		c.Team = int64(n.team)
	}
	t.values.recorder(e).Capture(nameOf(e, id), called(e, id), c)
}
