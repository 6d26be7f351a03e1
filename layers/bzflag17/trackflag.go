package bzflag17

// noticeOfLoss is how long a client may not know that its flag is gone. Real clients ask with every
// picture until something changes.
const noticeOfLoss = second

// stickyTime is how much earlier than the server a client may let go of a bad flag, and how soon a
// death explains why it did.
const (
	stickyTime = second / 10
	dyingTime  = second / 2
)

// Two bits of a game's style.
const (
	shakable GameStyle = 0x0040 // bad flags can be shaken off
	antidote GameStyle = 0x0080 // or end with the antidote flag
)

// numbered judges the number of a flag.
func (t *tracker) numbered(n uint16, off int) bool {
	g := t.games.Get(t.v.game)
	if g == nil || g.style == nil || n < g.style.Flags {
		return true
	}
	t.report(ruleFlagNumber, off, 2, "flag %d, the game has %d", n, g.style.Flags)
	return false
}

// flagAt gives what is known of a flag, nil if nothing is.
func (v *view) flagAt(n uint16) *flag {
	if int(n) >= len(v.flags) {
		return nil
	}
	return &v.flags[n]
}

// flagState notes where a flag is now.
func (t *tracker) flagState(n uint16, b *Flag, holder PlayerID, held bool) {
	v := t.v
	if n >= maxFlags {
		return
	}
	for int(n) >= len(v.flags) {
		v.flags = append(v.flags, flag{})
	}
	f := &v.flags[n]
	holder = v.id(holder)
	if f.held && (!held || f.holder != holder) {
		t.release(f)
	}
	f.id, f.held, f.holder = b.ID, held, holder
	if k := v.tanks[holder]; held && k != nil && (!k.known || k.flag != b.ID) {
		t.carry(k, b.ID)
	}
}

// release takes a flag from the one who carries it.
func (t *tracker) release(f *flag) {
	if k := t.v.tanks[f.holder]; f.held && k != nil && k.known && k.flag == f.id {
		t.carry(k, NoFlag)
	}
	f.held = false
}

// carry gives a tank a flag, or none.
func (t *tracker) carry(k *tank, id FlagID) {
	if k.known && k.flag == id {
		return
	}
	if k.known {
		k.before = k.flag
	}
	k.flag, k.known, k.changed = id, true, max(t.p.Time, 1)
}

// load tells what a player carries that was just told of: the flags were told before.
func (v *view) load(k *tank, id PlayerID) {
	k.known = v.roster && !v.robot()
	for i := range v.flags {
		if f := &v.flags[i]; f.held && f.holder == id {
			k.flag, k.known = f.id, true
		}
	}
}

// flagUpdate is MsgFlagUpdate.
func (t *tracker) flagUpdate(b *FlagUpdate) {
	if t.numbered(b.Number, headerSize) {
		t.flagState(b.Number, &b.Flag, b.Flag.Owner, b.Flag.Status == OnTank)
	}
}

// askGrab is a client's wish for a flag.
func (t *tracker) askGrab(b *GrabRequest) {
	t.numbered(b.Number, headerSize)
	t.act(t.v.ownTank(), t.v.own, "a grab")
}

// grabbed is the server's consent.
func (t *tracker) grabbed(b *GrabFlag) {
	v := t.v
	if !t.numbered(b.Number, headerSize+playerIDSize) {
		return
	}
	t.count(b.Player, "flags")
	t.flagState(b.Number, &b.Flag, b.Player, true)
	id := v.id(b.Player)
	if id == v.own {
		v.explain(ruleDrop, id, t.p.Time)
		v.explain(ruleCapture, id, t.p.Time)
		v.explain(ruleShotFlag, id, t.p.Time)
		v.grab, v.grabWins = t.p.Time, v.score.wins
	}
	if !t.observed(b.Player) && t.present(b.Player, headerSize, "player") {
		t.act(v.tanks[id], id, "a grab")
	}
}

// askDrop is a client's wish to be rid of its flag.
func (t *tracker) askDrop() {
	v := t.v
	k := v.ownTank()
	switch {
	case k == nil || !k.known:
	case k.flag == NoFlag:
		if k.changed == 0 || !before(k.changed, t.p.Time, noticeOfLoss) {
			t.doubt(ruleDrop, v.own, 0, headerSize, "the player carries no flag")
		}
	case k.flag.Type() == Sticky && k.life == alive:
		t.letGo(k)
	}
}

// letGo judges whether a bad flag may be dropped already. Real clients drop theirs as well when they
// die, just before they tell of it.
func (t *tracker) letGo(k *tank) {
	v := t.v
	g := t.games.Get(v.game)
	if g == nil || g.style == nil || v.grab == 0 || g.style.Style&antidote != 0 {
		return
	}
	held := passed(v.grab, t.p.Time)
	wins := int(int16(v.score.wins - v.grabWins))
	if s := g.style; s.Style&shakable != 0 {
		if s.ShakeTimeout > 0 && later(held, stickyTime) >= int64(s.ShakeTimeout)*second/10 {
			return
		}
		if s.ShakeWins > 0 && (wins >= int(s.ShakeWins) || !v.score.known) {
			return
		}
	}
	t.suspect(ruleSticky, v.own, dyingTime, k.flag.String()+" is dropped "+seconds(held)+" after it was taken")
}

// dropped is MsgDropFlag from the server.
func (t *tracker) dropped(b *DropFlag) {
	if !t.numbered(b.Number, headerSize+playerIDSize) {
		return
	}
	v := t.v
	if k := v.tank(b.Player); k != nil {
		if !k.known {
			k.flag, k.known = b.Flag.ID, true
		}
		t.carry(k, NoFlag)
	}
	t.flagState(b.Number, &b.Flag, b.Player, false)
}

// askCapture is a client's claim of a capture.
func (t *tracker) askCapture() {
	k := t.v.ownTank()
	if k == nil || !k.known || k.flag != NoFlag && k.flag <= PurpleFlag {
		return
	}
	if k.changed != 0 && k.before != NoFlag && k.before <= PurpleFlag && before(k.changed, t.p.Time, noticeOfLoss) {
		return
	}
	t.doubt(ruleCapture, t.v.own, 0, headerSize, "the player carries "+k.flag.String())
}
