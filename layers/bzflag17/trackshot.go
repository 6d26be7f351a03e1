package bzflag17

import (
	"fmt"
	"net/netip"
)

// shotKey names a shot as one connection shows it.
type shotKey struct {
	view    uint32
	shooter PlayerID
	id      uint16
}

// shot is one that began.
type shot struct {
	when   int64
	guided bool
}

// shotMemory is longer than any shot lives, and longer than it takes all to learn of its end.
const shotMemory = 10 * second

// shotOf names a shot where a player is named.
func shotOf(p PlayerID, shot uint16) PlayerID {
	p.Number ^= shot
	return p
}

// lifetime is that of a plain shot. Who joins does not know those that are in the air.
const lifetime = 3600 * second / 1000

// shoot is MsgShotBegin.
func (t *tracker) shoot(b *ShotBegin) {
	v := t.v
	own := t.m.Direction == c2s
	if own && !t.speaksForItself(b.Shooter) {
		return
	}
	if !own {
		t.count(b.Shooter, "shots")
	}
	k, id, judge := t.subject(b.Shooter)
	if judge && !own && !t.present(b.Shooter, headerSize, "the shooter") {
		return
	}
	s := t.shots.Make(shotKey{v.serial, id, b.ShotID})
	echo := !own && id == v.own && before(s.when, t.p.Time, shotMemory)
	s.when = max(t.p.Time, 1)
	v.explain(ruleShot, shotOf(id, b.ShotID), t.p.Time)
	s.guided = b.FlagType == GuidedMissile || echo && s.guided // 1.07e may take the flag away
	if !judge {
		return
	}
	t.act(k, id, "a shot")
	if n := t.shotsAllowed(); n > 0 && int(b.ShotID&0xff) >= n {
		t.report(ruleShotLimit, headerSize+playerIDSize, 2, "slot %d, there are %d", b.ShotID&0xff, n)
	}
	t.loaded(k, b)
}

// loaded judges the flag of a shot.
func (t *tracker) loaded(k *tank, b *ShotBegin) {
	const off = headerSize + 38
	if k == nil || !k.known || b.FlagType > WideAngle || b.FlagType == k.flag {
		return
	}
	switch {
	case b.FlagType == NoFlag && (t.m.Direction == s2c || k.flag <= PurpleFlag):
		return // 1.07e takes flags away, and those of teams make no difference
	case before(k.changed, t.p.Time, noticeOfDeath) && k.changed != 0:
		if b.FlagType == k.before {
			return // the player did not know yet
		}
	}
	t.doubt(ruleShotFlag, t.v.own, off, 2, "the shot is of "+b.FlagType.String()+", the player carries "+k.flag.String())
}

// known judges whether a shot has begun; off is where the message names it.
func (t *tracker) known(shooter PlayerID, shotID int16, off int) *shot {
	v := t.v
	if v.stage != playing {
		return nil
	}
	id := v.id(shooter)
	if s := t.shots.Get(shotKey{v.serial, id, uint16(shotID)}); s != nil {
		return s
	}
	now := t.p.Time
	unseen := now < v.blind || now < t.blind || v.link && !v.linkHeard
	if t.m.Direction == s2c {
		unseen = unseen || v.link || before(v.joined, now, lifetime)
	}
	if !unseen && (v.roster || id == v.own) && !v.robot() {
		text := fmt.Sprintf("shot %d.%d of %s never began", uint16(shotID)&0xff, uint16(shotID)>>8, shooter)
		t.doubt(ruleShot, shotOf(id, uint16(shotID)), off, 2, text)
	}
	return nil
}

// end is MsgShotEnd.
func (t *tracker) end(b *ShotEnd) {
	if t.m.Direction == s2c {
		if hit := HitTank; !b.drawn && b.Reason == hit || b.drawn && b.Reason != hit {
			t.count(b.Shooter, "hits")
		}
	}
	if t.m.Direction == c2s {
		t.ends[t.ended%len(t.ends)] = ending{t.v.game, b.ShotID, t.p.Time}
		t.ended++
	} else if t.repeated(b.ShotID) {
		return
	}
	if b.ShotID == NoShot {
		return
	}
	if t.present(b.Shooter, headerSize, "the shooter") {
		t.known(b.Shooter, b.ShotID, headerSize+playerIDSize)
	}
}

// ending is the end of a shot as a client told it. Nothing in what the server makes of it says which.
type ending struct {
	game netip.AddrPort
	shot int16
	when int64
}

// repeated reports whether the end of a shot is what a client told just before.
func (t *tracker) repeated(shot int16) bool {
	for i := range t.ends {
		e := &t.ends[i]
		if e.game == t.v.game && e.shot == shot && before(e.when, t.p.Time, noticeOfDeath) {
			return true
		}
	}
	return false
}

// steer is MsgGMUpdate.
func (t *tracker) steer(b *GuidedUpdate) {
	t.relayed()
	if t.m.Direction == c2s {
		if !t.speaksForItself(b.Shooter) {
			return
		}
	} else if t.observed(b.Shooter) || !t.present(b.Shooter, headerSize, "the shooter") {
		return
	}
	const target = headerSize + 38
	if s := t.known(b.Shooter, int16(b.ShotID), headerSize+playerIDSize); s != nil && !s.guided {
		t.report(ruleNotGuided, headerSize+playerIDSize, 2, "shot %d.%d is no guided missile", b.ShotID&0xff, b.ShotID>>8)
	}
	t.present(b.Target, target, "the target")
}
