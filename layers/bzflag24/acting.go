package bzflag24

import (
	"fmt"
	"math"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// fromClient takes a message of a client.
func (e *event) fromClient() {
	if _, ok := e.l.Body.(*ConnectHeader); ok {
		e.greet()
		return
	}
	e.checkBegin()
	if e.broken() {
		if e.tcp() && e.l.Truncated() {
			e.c.lostRequests(e.p.Time)
		}
		e.g.blurred(e)
		return
	}
	const off = bzflag.HeaderSize
	switch b := e.l.Body.(type) {
	case *Enter:
		e.c.typed, e.c.kind, e.c.sign = true, b.Type, callSign(b.CallSign)
	case *LinkRequest:
		e.linkRequest(b)
	case *WorldRequest:
		e.worldRequest(b)
	case *LagPing:
		e.pong(b)
	case *PlayerUpdate:
		e.moves(&b.Motion)
	case *PlayerUpdateSmall:
		e.moves(&b.Motion)
	case *ShotBegin:
		e.shoots(b)
	case *GMUpdate:
		if e.speaks(&b.Shot.Shooter, off) {
			e.checkSlot(&b.Shot, off)
		}
	case *ShotEnd:
		if v := e.c.seen(e.p.Time); v != nil {
			e.shotEnd(v, b)
		}
	case *TransferRequest:
		e.speaks(&b.From, off)
	case *Teleport:
		e.teleport(b, off)
	case *Chat:
		if e.c.player != NoPlayer && (e.c.entered || !e.c.begun) && e.to.Value != nil {
			e.chat(e.self(), b.Text)
		}
	case *Empty:
		if e.l.Code == CodeNewRabbit {
			e.rabbit()
		}
	default:
		e.asks()
	}
	if e.l.Code == CodeExit {
		e.forget()
	}
	if e.l.Code == CodeAlive {
		e.wakes()
	}
}

// asks takes what a client wants or says of its tank.
func (e *event) asks() {
	c, now := e.c, e.p.Time
	switch b := e.l.Body.(type) {
	case *FlagRequest:
		e.checkFlag(b.Number, bzflag.HeaderSize)
		e.acts("grabs a flag")
	case *DropRequest:
		c.let, c.dropTime = true, now
	case *Killed:
		if k := e.own(); k != nil && k.team == ObserverTeam {
			e.l.Report(ruleObserver, 0, bzflag.HeaderSize, "%s is an observer and dies", e.self())
		}
		c.died = true
	case *Pause:
		on := b.On.True()
		if k := e.own(); on && (c.halted || k != nil && k.paused && !c.resumed) {
			e.l.Report(rulePauseTwice, bzflag.HeaderSize, 1, "%s is paused already", e.self())
		}
		c.halted, c.resumed = on, !on
	}
}

// own is the client's tank in its own view; nil if it is not known.
func (e *event) own() *tank {
	v := e.c.seen(e.p.Time)
	if v == nil || e.c.player == NoPlayer {
		return nil
	}
	return v.tank(e.c.player)
}

// wakes takes a client's wish to spawn. It may be repeated until the answer comes.
func (e *event) wakes() {
	k := e.own()
	if k == nil || k.life != alive || e.c.died {
		return
	}
	if d := elapsed(k.since, e.p.Time); d > lagLife {
		e.l.Report(ruleAliveTwice, 0, bzflag.HeaderSize, "%s has been alive for %.3f s", e.self(), seconds(d))
	}
}

func (e *event) moves(m *Motion) {
	const off = bzflag.HeaderSize + 4
	if e.speaks(&m.Player, off) {
		e.update(m, &e.c.orders)
	}
}

// acts checks that the client's tank can do something.
func (e *event) acts(what string) {
	c := e.c
	if c.begun && c.hello && !c.accepted && c.entered {
		now := e.p.Time
		e.doubt(&doubt{rule: ruleUnborn, text: e.self().String() + " " + what + " before MsgAccept", excuse: func() bool {
			return !c.begun || c.accepted && elapsed(c.accepting, now) >= -disorder
		}}, overdue)
		return
	}
	k := e.own()
	if k == nil {
		return
	}
	switch rule, why := k.barred(e.p.Time, c.resumed); rule {
	case nil:
	case ruleObserver:
		e.l.Report(rule, 0, bzflag.HeaderSize, "%s %s%s", e.self(), what, why)
	default:
		e.suspect(k, rule, e.self().String()+" "+what+why, disorder)
	}
}

// suspect puts off that a tank may not act: what allows it may come soon, or wait for a segment that
// the capture lacks. It counts up to some time behind the act.
func (e *event) suspect(k *tank, rule *wire.Rule, text string, ahead int64) {
	now, c, v, births := e.p.Time, e.c, e.c.view, k.births
	e.doubt(&doubt{rule: rule, text: text, excuse: func() bool {
		switch {
		case c.view != v: // something was lost
			return true
		case rule == rulePaused:
			return !k.paused && elapsed(k.pauseTime, now) >= -ahead
		}
		return k.births != births && elapsed(k.born, now) >= -ahead
	}}, overdue)
}

// barred tells the rule that keeps a tank from shooting and grabbing, and why; nil if none does.
func (k *tank) barred(now int64, resumed bool) (rule *wire.Rule, why string) {
	dying, pausing := elapsed(k.since, now), elapsed(k.pauseTime, now)
	switch {
	case k.team == ObserverTeam:
		return ruleObserver, " as an observer"
	case k.life == unborn:
		return ruleUnborn, " before the first MsgAlive"
	case k.life == dead && dying > lagLife:
		return ruleDead, fmt.Sprintf(", %.3f s after its death", seconds(dying))
	case k.paused && !resumed && pausing > lagLife:
		return rulePaused, fmt.Sprintf(", %.3f s after it was paused", seconds(pausing))
	}
	return nil, ""
}

// shotKey names a shot.
type shotKey struct {
	game    uint32
	shooter PlayerID
	id      uint16
}

// shoots takes a shot of the client.
func (e *event) shoots(b *ShotBegin) {
	const off = bzflag.HeaderSize + 4
	if !e.speaks(&b.Shot.Shooter, off) {
		return
	}
	e.checkSlot(&b.Shot, off)
	e.shots.Make(shotKey{e.g.serial, b.Shot.Shooter.ID, b.Shot.ID})
	k := e.own()
	if human := e.c.typed && e.c.kind == TankPlayer || !e.c.typed && k != nil && k.present && k.kind == TankPlayer; human && e.tcp() {
		e.l.Report(ruleShotTCP, 0, bzflag.HeaderSize, "%s is no robot", &b.Shot.Shooter)
	}
	e.acts("shoots")
	if k != nil && (!e.c.let || elapsed(e.c.dropTime, e.p.Time) > lagLife) {
		e.checkLoad(k, b)
	}
	if e.to.Value != nil {
		e.count(b.Shot.Shooter.String(), "shots")
	}
}

// shotRelayed takes a shot that the server passes on. Of players who are not in the capture
// themselves it is judged; by UDP it may be ahead of what makes it right.
func (e *event) shotRelayed(v *view, b *ShotBegin) {
	const off = bzflag.HeaderSize + 4
	e.checkSlot(&b.Shot, off)
	e.shots.Make(shotKey{e.g.serial, b.Shot.Shooter.ID, b.Shot.ID})
	k := v.tank(b.Shot.Shooter.ID)
	if k == nil || e.captured(b.Shot.Shooter.ID) {
		return
	}
	if e.counts() {
		e.count(b.Shot.Shooter.String(), "shots")
	}
	e.checkLoad(k, b)
	rule, why := k.barred(max(e.p.Time, math.MinInt64+lagUDP)-lagUDP, false)
	switch {
	case rule == nil:
	case e.tcp():
		e.l.Report(rule, off, 1, "%s shoots%s", &b.Shot.Shooter, why)
	default:
		e.suspect(k, rule, b.Shot.Shooter.String()+" shoots"+why, lagUDP)
	}
}

// checkSlot checks where a shot is kept. Off is that of the shooter.
func (e *event) checkSlot(s *Shot, off int) {
	if slot := int(s.ID & 0xff); e.g.known && slot >= e.g.maxShots && s.Shooter.ID != ServerPlayer {
		e.l.Report(ruleShotLimit, off+1, 2, "slot %d, there are %d", slot, e.g.maxShots)
	}
}

// checkLoad compares the flag that a shot comes from with the one that the tank carries.
func (e *event) checkLoad(k *tank, b *ShotBegin) {
	const off = bzflag.HeaderSize + 4 + shotSize
	if k.flag == flagUnknown || k.flagType == disguise || b.FlagType == k.flagType || elapsed(k.flagTime, e.p.Time) <= lagLife {
		return
	}
	e.l.Report(ruleShotFlag, off, abbreviation, "the shot is of %s, the tank carries %s", flagName(b.FlagType), flagName(k.flagType))
}

func flagName(f FlagType) string {
	if f == (FlagType{}) {
		return "no flag"
	}
	return fmt.Sprintf("%q", f.String())
}

// longestShot is how long a shot from before the capture may still be on its way.
const longestShot = 15 * lagLife

// shotEnd checks that a shot was seen to begin, if it should have been.
func (e *event) shotEnd(v *view, b *ShotEnd) {
	k := v.tank(b.Shooter.ID)
	fresh := k != nil && k.fresh
	if b.ID < 0 || !fresh && elapsed(e.c.since, e.p.Time) <= longestShot ||
		e.g.blur && elapsed(e.g.blurTime, e.p.Time) <= longestShot {
		return
	}
	if e.shots.Get(shotKey{e.g.serial, b.Shooter.ID, uint16(b.ID)}) == nil {
		e.l.Report(ruleUnknownShot, bzflag.HeaderSize, 3, "shot %d of %s", b.ID, &b.Shooter)
	}
}
