package bzflag17

import "github.com/gamedissect/gamedissect/decode/wire"

// How long a player is dead at least. What a server tells may come late, its own word does not.
const (
	explodeOwn    = 4900 * second / 1000
	explodeCopy   = 4700 * second / 1000
	sameInstant   = second / 10 // real robots shoot a moment before they tell that they live
	noticeOfDeath = second      // until a client knows what only the server tells

	never = -1 // when a player died who was not yet on the board
)

// subject is the player that a message is about and whether this connection has to judge it: what
// the server makes of a message that was captured on its way to it is not judged again.
func (t *tracker) subject(p PlayerID) (k *tank, id PlayerID, judge bool) {
	v := t.v
	if t.m.Direction == c2s {
		return v.ownTank(), v.own, true
	}
	id = v.id(p)
	return v.tanks[id], id, !t.observed(id)
}

// behind is the offset behind the id that a server puts in front of what a client said.
func (t *tracker) behind() int {
	if t.m.Direction == c2s {
		return headerSize
	}
	return headerSize + playerIDSize
}

// live is MsgAlive.
func (t *tracker) live(b *Spawn) {
	v := t.v
	k, id, judge := t.subject(b.Player)
	if t.m.Direction == s2c && judge && !t.present(b.Player, headerSize, "player") {
		return
	}
	if k == nil {
		return
	}
	if !judge && id == v.own && k.life != unsure {
		return // an echo
	}
	now := t.p.Time
	if judge {
		t.mayLive(k, now)
	}
	v.lives(id, now)
	k.life, k.server = alive, false
}

func (t *tracker) mayLive(k *tank, now int64) {
	v := t.v
	size := t.m.Size()
	if v.over && !before(v.overAt, now, crossing) {
		t.report(ruleOver, 0, headerSize, "the game ended %s ago", seconds(passed(v.overAt, now)))
	}
	switch {
	case k.life == alive:
		t.doubt(ruleTwice, v.own, 0, headerSize, "the player is alive already")
	case k.life == dead && k.died != never:
		limit := explodeOwn
		if k.server {
			limit = explodeCopy
		}
		if before(k.died, now, limit) {
			t.report(ruleTooEarly, 0, size, "%s after its death", seconds(passed(k.died, now)))
		}
	}
}

// die notes a death. One who is dead already stays dead since then.
func (k *tank) die(now int64, server bool) {
	if k.life == dead && k.died != never {
		return
	}
	k.life, k.died, k.server = dead, max(now, 0), server
}

// kill is MsgKilled.
func (t *tracker) kill(b *Killed) {
	v, now := t.v, t.p.Time
	if t.m.Direction == c2s {
		if k := v.ownTank(); k != nil {
			k.die(now, false)
			v.killedAt, v.didDie = now, true
			v.explain(ruleSticky, v.own, now)
		}
		if t.present(b.Killer, headerSize, "the killer") && b.ShotID != NoShot {
			t.known(b.Killer, b.ShotID, headerSize+playerIDSize)
		}
		return
	}
	t.count(b.Victim, "deaths")
	if b.Killer != b.Victim {
		t.count(b.Killer, "kills")
	}
	k, id, judge := t.subject(b.Victim)
	echo := id == v.own && v.spoke && v.didDie && before(v.killedAt, now, explodeOwn)
	if k != nil && !echo {
		k.die(now, true)
	}
	if !judge || !t.present(b.Victim, headerSize, "the victim") {
		return
	}
	if t.present(b.Killer, headerSize+playerIDSize, "the killer") && b.ShotID != NoShot {
		t.known(b.Killer, b.ShotID, headerSize+2*playerIDSize)
	}
}

// act judges whether a player is on the board; off and size are where the message shows that it acts.
func (t *tracker) act(k *tank, id PlayerID, what string) {
	v, now := t.v, t.p.Time
	if k == nil || k.life != dead {
		return
	}
	// A client learns from others that it is dead, and on the way from the server updates and
	// deaths may pass each other.
	late := k.server || t.m.Direction == s2c || v.link
	if late && k.died != never && before(k.died, now, noticeOfDeath) {
		return
	}
	wait := sameInstant
	if v.link {
		wait = arrival
	}
	t.suspect(ruleActing, id, wait, what+", and its player is not on the board")
}

// lives explains what a player did before MsgAlive or just after it.
func (v *view) lives(who PlayerID, now int64) {
	rest := v.suspicions[:0]
	for i := range v.suspicions {
		if s := &v.suspicions[i]; s.rule != ruleActing || s.who != who || !before(s.place.Time, now, sameInstant) {
			rest = append(rest, *s)
		}
	}
	v.suspicions = rest
}

// update is MsgPlayerUpdate.
func (t *tracker) update(b *PlayerUpdate) {
	v := t.v
	t.relayed()
	if t.m.Direction == c2s {
		if !t.speaksForItself(b.Player) {
			return
		}
		if b.Status&Alive != 0 && !v.watches() {
			t.act(v.ownTank(), v.own, "an update with the bit Alive")
		}
		return
	}
	if t.observed(b.Player) || !t.present(b.Player, headerSize, "player") {
		return
	}
	if id := v.id(b.Player); b.Status&Alive != 0 {
		t.act(v.tanks[id], id, "an update with the bit Alive")
	}
}

// watches reports whether the player is an observer of 1.07e.
func (v *view) watches() bool { return v.kind == JAFOPlayer || v.sign != "" && v.sign[0] == '@' }

// speaksForItself judges the id that a client gives.
func (t *tracker) speaksForItself(p PlayerID) bool {
	v := t.v
	switch {
	case v.stage != playing:
		return false // it is not known who it is
	case v.isOwn(p):
		return true
	}
	t.report(ruleForeign, headerSize, playerIDSize, "it is %s's, the client is %s", p, v.entered)
	return false
}

// relayed judges whether updates may go over the connection at all.
func (t *tracker) relayed() {
	v := t.v
	way := 0
	if t.m.Direction == c2s {
		way = 1
	}
	if t.p.Transport != wire.TCP || v.relay || v.stage != playing || v.told[way] {
		return
	}
	if way == 0 && !v.spoke || v.robot() {
		return // a robot's client may have asked on a connection of its own
	}
	v.told[way] = true
	t.note(suspicion{rule: ruleRelay, due: later(t.p.Time, arrival), place: *t.p, crossing: true,
		text: t.m.Message.Name + ", and neither side sent MsgNetworkRelay"})
}

// captured is MsgCaptureFlag from the server: the flag's team is dead, and nothing else tells that.
func (t *tracker) captured(b *CaptureFlag) {
	v := t.v
	if !t.numbered(b.Number, headerSize+playerIDSize) {
		return
	}
	team := NoTeam
	if f := v.flagAt(b.Number); f != nil && f.id <= PurpleFlag {
		team = Team(f.id)
	}
	for id, k := range v.tanks {
		switch {
		case team <= RogueTeam: // whose flag it was is not known
			k.life = unsure
		case k.team == team:
			k.die(t.p.Time, true)
			v.explain(ruleSticky, id, t.p.Time)
			v.explain(ruleTwice, id, t.p.Time)
		}
	}
	if f := v.flagAt(b.Number); f != nil {
		t.release(f)
	}
	if k := v.tank(b.Player); k != nil && k.known {
		t.carry(k, NoFlag)
	}
}
