package main

import (
	"math/rand/v2"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

const (
	flags     = 30
	shotSpeed = 100
	gameTime  = 65000 * time.Second
)

// A topic is something that is said now and then, with what belongs to it. It reports whether there was
// anything to say.
type topic struct {
	weight int
	say    func(*bzflag, *player) bool
}

type topics []topic

func (t topics) choose(rng *rand.Rand) func(*bzflag, *player) bool {
	sum := 0
	for i := range t {
		sum += t[i].weight
	}
	at := rng.IntN(sum)
	for i := range t {
		if at -= t[i].weight; at < 0 {
			return t[i].say
		}
	}
	return nil // not reached
}

// What a client says of itself while it lives.
var clientSays = topics{
	{200, (*bzflag).drive},
	{20, func(b *bzflag, p *player) bool { return b.shoot(p, client, p, p.self()) }},
	{6, func(b *bzflag, p *player) bool { return b.endShot(p, client) }},
	{3, (*bzflag).die},
	{4, (*bzflag).grab},
	{2, (*bzflag).drop},
	{2, func(b *bzflag, p *player) bool { return b.teleport(p, client, bzflag17.PlayerID{}) }},
	{3, func(b *bzflag, p *player) bool { return b.steer(p, client, p, p.self()) }},
	{1, func(b *bzflag, p *player) bool { return b.chat(p, client, bzflag17.PlayerID{}) }},
}

// What a server says of the others, and of the game.
var serverSays = topics{
	{300, (*bzflag).update},
	{30, func(b *bzflag, p *player) bool {
		o, s := b.pick(p, isAlive)
		return b.shoot(p, server, o, s)
	}},
	{15, func(b *bzflag, p *player) bool { return b.endShot(p, server) }},
	{5, (*bzflag).tellDeath},
	{5, (*bzflag).tellLife},
	{5, func(b *bzflag, p *player) bool {
		at := placed(b.rng)
		number, flag := flagAt(b.freeFlag(p, flags), bzflag17.PlayerID{}, bzflag17.OnGround, at.position())
		return b.tell(&p.game, server, bzflag17.CodeFlagUpdate, &bzflag17.FlagUpdate{Number: number, Flag: flag})
	}},
	{4, (*bzflag).tellGrab},
	{3, (*bzflag).tellDrop},
	{3, func(b *bzflag, p *player) bool {
		_, s := b.pick(p, isAlive)
		return s != nil && b.teleport(p, server, s.id)
	}},
	{4, func(b *bzflag, p *player) bool {
		o, s := b.pick(p, b.isGuiding)
		return b.steer(p, server, o, s)
	}},
	{3, func(b *bzflag, p *player) bool {
		_, s := b.pick(p, isHere)
		return s != nil && b.chat(p, server, s.id)
	}},
	{2, (*bzflag).tellNew},
	{1, (*bzflag).tellLeft},
	{3, func(b *bzflag, p *player) bool { return b.teamUpdate(p, p.team()) }},
	{1, func(b *bzflag, p *player) bool {
		left := gameTime - b.recorder.now.Sub(firstPacket)
		return b.tell(&p.game, server, bzflag17.CodeTimeLeft, &bzflag17.TimeLeft{Seconds: uint16(max(left.Seconds(), 1))})
	}},
}

func (b *bzflag) drive(p *player) bool {
	p.tank.move(b.rng)
	return b.tell(&p.game, client, bzflag17.CodePlayerUpdate, p.tank.update(p.id))
}

func (b *bzflag) update(p *player) bool {
	o, s := b.pick(p, isAlive)
	return o != nil && b.tell(&p.game, server, bzflag17.CodePlayerUpdate, o.tank.update(s.id))
}

// die is what a client says when it is hit.
func (b *bzflag) die(p *player) bool {
	me := p.self()
	_, by := b.pick(p, b.isFlying)
	if by == nil || me.flag != noFlag {
		return false
	}
	b.tell(&p.game, client, bzflag17.CodeShotEnd, &bzflag17.ShotEnd{
		Shooter: who(by.id), ShotID: int16(by.shot), Reason: bzflag17.HitTank,
	})
	b.tell(&p.game, client, bzflag17.CodeKilled, &bzflag17.Killed{Killer: who(by.id), ShotID: int16(by.shot)})
	b.dies(me)
	return b.tell(&p.game, client, bzflag17.CodeScore, &bzflag17.Score{Wins: me.wins, Losses: me.losses})
}

// revive is what a client says when it comes back.
func (b *bzflag) revive(p *player) {
	p.self().alive = true
	b.tell(&p.game, client, bzflag17.CodeAlive, p.tank.spawn(bzflag17.PlayerID{}))
}

// tellDeath tells that somebody was hit, and the scores of both.
func (b *bzflag) tellDeath(p *player) bool {
	_, by := b.pick(p, b.isFlying)
	_, victim := b.pick(p, func(s *seen) bool { return s != by && isBare(s) })
	if by == nil || victim == nil {
		return false
	}
	b.dies(victim)
	by.wins++
	b.tell(&p.game, server, bzflag17.CodeKilled, &bzflag17.Killed{
		Victim: who(victim.id), Killer: who(by.id), ShotID: int16(by.shot),
	})
	for _, s := range []*seen{victim, by} {
		b.tell(&p.game, server, bzflag17.CodeScore, &bzflag17.Score{Player: who(s.id), Wins: s.wins, Losses: s.losses})
	}
	return true
}

func (b *bzflag) tellLife(p *player) bool {
	o, s := b.pick(p, b.isGone)
	if o == nil {
		return false
	}
	s.alive = true
	return b.tell(&p.game, server, bzflag17.CodeAlive, o.tank.spawn(s.id))
}

// tellNew tells of somebody who comes while others play. Those who are there are told first to who enters.
func (b *bzflag) tellNew(p *player) bool {
	return b.recorder.now.Sub(p.entered) > settling && b.introduce(p)
}

// introduce tells of somebody who is there.
func (b *bzflag) introduce(p *player) bool {
	o, s := b.pick(p, isAbsent)
	if o == nil {
		return false
	}
	*s = seen{
		id: o.id, here: true, died: s.died, flag: noFlag,
		wins: uint16(b.rng.IntN(20)), losses: uint16(b.rng.IntN(20)),
	}
	return b.tell(&p.game, server, bzflag17.CodeAddPlayer, o.introduced(s))
}

func (b *bzflag) tellLeft(p *player) bool {
	_, s := b.pick(p, func(s *seen) bool { return s.here && s.flag == noFlag })
	if s == nil {
		return false
	}
	s.here = false
	return b.tell(&p.game, server, bzflag17.CodeRemovePlayer, &bzflag17.RemovePlayer{Player: who(s.id)})
}

// grab asks for a flag, and gets it.
func (b *bzflag) grab(p *player) bool {
	me := p.self()
	if me.flag != noFlag {
		return false
	}
	me.flag = b.freeFlag(p, goodFlags)
	number, flag := flagAt(me.flag, p.id, bzflag17.OnTank, p.tank.position())
	b.tell(&p.game, client, bzflag17.CodeGrabFlag, &bzflag17.GrabRequest{Number: number})
	return b.tell(&p.game, server, bzflag17.CodeGrabFlag, &bzflag17.GrabFlag{
		Player: who(p.id), Number: number, Flag: flag,
	})
}

func (b *bzflag) tellGrab(p *player) bool {
	o, s := b.pick(p, isBare)
	if o == nil {
		return false
	}
	s.flag = b.freeFlag(p, goodFlags)
	number, flag := flagAt(s.flag, s.id, bzflag17.OnTank, o.tank.position())
	return b.tell(&p.game, server, bzflag17.CodeGrabFlag, &bzflag17.GrabFlag{
		Player: who(s.id), Number: number, Flag: flag,
	})
}

func (b *bzflag) drop(p *player) bool {
	if p.self().flag == noFlag {
		return false
	}
	b.tell(&p.game, client, bzflag17.CodeDropFlag, &bzflag17.DropRequest{Position: p.tank.position()})
	return b.tellDropOf(p, p, p.self())
}

func (b *bzflag) tellDrop(p *player) bool {
	o, s := b.pick(p, hasFlag)
	return o != nil && b.tellDropOf(p, o, s)
}

// tellDropOf tells of a dropped flag, as servers do with two messages.
func (b *bzflag) tellDropOf(p, o *player, s *seen) bool {
	number, flag := flagAt(s.flag, s.id, bzflag17.InAir, o.tank.position())
	s.flag = noFlag
	b.tell(&p.game, server, bzflag17.CodeDropFlag, &bzflag17.DropFlag{Player: who(s.id), Number: number, Flag: flag})
	return b.tell(&p.game, server, bzflag17.CodeFlagUpdate, &bzflag17.FlagUpdate{Number: number, Flag: flag})
}

// shoot tells of a shot of o, whom the connection of p sees as s.
func (b *bzflag) shoot(p *player, from int, o *player, s *seen) bool {
	if o == nil {
		return false
	}
	o.tank.shot = (o.tank.shot + 0x100) & 0x7fff
	s.shot, s.shotAt, s.guided = o.tank.shot, b.recorder.now, s.flag == guidedFlag
	return b.tell(&p.game, from, bzflag17.CodeShotBegin, &bzflag17.ShotBegin{
		Shooter: who(s.id), ShotID: s.shot, FlagType: s.carries(),
		Position: o.tank.position(), Velocity: o.tank.ahead(shotSpeed), Lifetime: 3.5,
	})
}

func (b *bzflag) endShot(p *player, from int) bool {
	_, s := b.pick(p, b.isFlying)
	if s == nil {
		return false
	}
	s.shotAt = time.Time{}
	return b.tell(&p.game, from, bzflag17.CodeShotEnd, &bzflag17.ShotEnd{
		Shooter: who(s.id), ShotID: int16(s.shot), Reason: bzflag17.EndReason(b.rng.IntN(2)),
	})
}

func (b *bzflag) steer(p *player, from int, o *player, s *seen) bool {
	_, target := b.pick(p, isHere)
	if o == nil || target == nil || !b.isGuiding(s) {
		return false
	}
	return b.tell(&p.game, from, bzflag17.CodeGMUpdate, &bzflag17.GuidedUpdate{
		Shooter: who(s.id), ShotID: s.shot, Position: o.tank.position(), Velocity: o.tank.ahead(shotSpeed),
		Time: b.rng.Float32(), Target: who(target.id),
	})
}

func (b *bzflag) teleport(p *player, from int, id bzflag17.PlayerID) bool {
	face := uint16(b.rng.IntN(2 * teleporters))
	return b.tell(&p.game, from, bzflag17.CodeTeleport, &bzflag17.Teleport{Player: who(id), From: face, To: face ^ 1})
}

var lines = []string{"hi all", "nice shot", "where is the red flag?", "Red team, to the base", "lag", "good game"}

func (b *bzflag) chat(p *player, from int, id bzflag17.PlayerID) bool {
	return b.tell(&p.game, from, bzflag17.CodeMessage, &bzflag17.Message{
		From: who(id), Team: bzflag17.RogueTeam, Text: []byte(lines[b.rng.IntN(len(lines))]),
	})
}

func (b *bzflag) teamUpdate(p *player, team bzflag17.Team) bool {
	size := uint16(b.rng.IntN(len(b.others(p)) + 1))
	return b.tell(&p.game, server, bzflag17.CodeTeamUpdate, &bzflag17.TeamUpdate{
		Team: team, Size: size, Active: size, Wins: uint16(b.rng.IntN(100)), Losses: uint16(b.rng.IntN(100)),
	})
}

// flagAt gives a flag somewhere.
func flagAt(number int, owner bzflag17.PlayerID, status bzflag17.FlagStatus, at [3]float32) (uint16, bzflag17.Flag) {
	f := bzflag17.Flag{ID: bzflag17.FlagID(number + 1)}
	f.Type, f.Status, f.Owner = f.ID.Type(), status, who(owner)
	f.Position, f.Launch, f.Landing = at, at, at
	f.FlightEnd, f.InitialVelocity = 2, 20
	return uint16(number), f
}

func (p *player) team() bzflag17.Team { return bzflag17.Team(p.number % 5) }

func (p *player) introduced(s *seen) wire.Body {
	return &bzflag17.AddPlayer{
		Player: who(s.id), Team: p.team(), Wins: s.wins, Losses: s.losses,
		CallSign: []byte(p.name), Email: []byte("somebody@example.com"),
	}
}
