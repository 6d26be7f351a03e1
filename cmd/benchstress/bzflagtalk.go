package main

import (
	"math"
	"math/rand/v2"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

const (
	flags     = 30
	worldEdge = 390 // walls stand at 400
	tankSpeed = 25
	shotSpeed = 100
)

// A topic is something that is said now and then, with what belongs to it.
type topic struct {
	weight int
	say    func(*bzflag, *player)
}

type topics []topic

func (t topics) choose(rng *rand.Rand) func(*bzflag, *player) {
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

// What a client says of itself.
var clientSays = topics{
	{200, func(b *bzflag, p *player) {
		p.tank.move(b.rng)
		b.tell(&p.game, client, bzflag17.CodePlayerUpdate, p.tank.update(p.id))
	}},
	{20, func(b *bzflag, p *player) { b.tell(&p.game, client, bzflag17.CodeShotBegin, b.shoot(p)) }},
	{6, func(b *bzflag, p *player) { b.tell(&p.game, client, bzflag17.CodeShotEnd, b.end(b.other(p))) }},
	{3, (*bzflag).die},
	{4, func(b *bzflag, p *player) {
		b.tell(&p.game, client, bzflag17.CodeGrabFlag, &bzflag17.GrabRequest{Number: b.flagNumber()})
	}},
	{2, func(b *bzflag, p *player) {
		b.tell(&p.game, client, bzflag17.CodeDropFlag, &bzflag17.DropRequest{Position: p.tank.position()})
	}},
	{2, func(b *bzflag, p *player) {
		b.tell(&p.game, client, bzflag17.CodeTeleport, b.teleport(bzflag17.PlayerID{}))
	}},
	{3, func(b *bzflag, p *player) { b.tell(&p.game, client, bzflag17.CodeGMUpdate, b.steer(p)) }},
	{1, func(b *bzflag, p *player) { b.tell(&p.game, client, bzflag17.CodeMessage, b.chat(bzflag17.PlayerID{})) }},
}

// What a server says of the others, and of the game.
var serverSays = topics{
	{300, func(b *bzflag, p *player) {
		o := b.other(p)
		b.tell(&p.game, server, bzflag17.CodePlayerUpdate, o.tank.update(o.id))
	}},
	{30, func(b *bzflag, p *player) { b.tell(&p.game, server, bzflag17.CodeShotBegin, b.shoot(b.other(p))) }},
	{15, func(b *bzflag, p *player) { b.tell(&p.game, server, bzflag17.CodeShotEnd, b.end(b.other(p))) }},
	{5, (*bzflag).tellDeath},
	{5, func(b *bzflag, p *player) {
		o := b.other(p)
		b.tell(&p.game, server, bzflag17.CodeAlive, o.tank.spawn(o.id))
	}},
	{5, func(b *bzflag, p *player) { b.tell(&p.game, server, bzflag17.CodeFlagUpdate, b.flagUpdate()) }},
	{4, func(b *bzflag, p *player) {
		o := b.other(p)
		number, flag := b.flag(o.id, bzflag17.OnTank, o.tank.position())
		b.tell(&p.game, server, bzflag17.CodeGrabFlag, &bzflag17.GrabFlag{Player: o.id, Number: number, Flag: flag})
	}},
	{3, (*bzflag).tellDrop},
	{3, func(b *bzflag, p *player) { b.tell(&p.game, server, bzflag17.CodeTeleport, b.teleport(b.other(p).id)) }},
	{4, func(b *bzflag, p *player) { b.tell(&p.game, server, bzflag17.CodeGMUpdate, b.steer(b.other(p))) }},
	{3, func(b *bzflag, p *player) { b.tell(&p.game, server, bzflag17.CodeMessage, b.chat(b.other(p).id)) }},
	{2, func(b *bzflag, p *player) { b.tell(&p.game, server, bzflag17.CodeAddPlayer, b.other(p).introduced()) }},
	{1, func(b *bzflag, p *player) {
		b.tell(&p.game, server, bzflag17.CodeRemovePlayer, &bzflag17.RemovePlayer{Player: b.other(p).id})
	}},
	{3, func(b *bzflag, p *player) {
		b.tell(&p.game, server, bzflag17.CodeTeamUpdate, b.teamUpdate(p.team(), len(b.others(p))))
	}},
	{1, func(b *bzflag, p *player) {
		b.tell(&p.game, server, bzflag17.CodeTimeLeft, &bzflag17.TimeLeft{Seconds: uint16(b.rng.IntN(1800))})
	}},
}

// other gives somebody of the same game.
func (b *bzflag) other(p *player) *player {
	all := b.others(p)
	return &all[b.rng.IntN(len(all))]
}

// die is what a client says when it is hit, and then plays on.
func (b *bzflag) die(p *player) {
	by := b.other(p)
	b.tell(&p.game, client, bzflag17.CodeShotEnd, &bzflag17.ShotEnd{Shooter: by.id, ShotID: by.tank.shot, Reason: bzflag17.HitTank})
	b.tell(&p.game, client, bzflag17.CodeKilled, &bzflag17.Killed{Killer: by.id, ShotID: by.tank.shot})
	p.tank.losses++
	b.tell(&p.game, client, bzflag17.CodeScore, &bzflag17.Score{Wins: p.tank.wins, Losses: p.tank.losses})
	b.tell(&p.game, client, bzflag17.CodeAlive, p.tank.spawn(bzflag17.PlayerID{}))
}

// tellDeath tells that somebody was hit, and the scores of both.
func (b *bzflag) tellDeath(p *player) {
	victim, by := b.other(p), b.other(p)
	by.tank.wins++
	b.tell(&p.game, server, bzflag17.CodeKilled, &bzflag17.Killed{Victim: victim.id, Killer: by.id, ShotID: by.tank.shot})
	for _, o := range []*player{victim, by} {
		b.tell(&p.game, server, bzflag17.CodeScore, &bzflag17.Score{Player: o.id, Wins: o.tank.wins, Losses: o.tank.losses})
	}
}

// tellDrop tells of a dropped flag, as servers do with two messages.
func (b *bzflag) tellDrop(p *player) {
	o := b.other(p)
	number, flag := b.flag(o.id, bzflag17.InAir, o.tank.position())
	b.tell(&p.game, server, bzflag17.CodeDropFlag, &bzflag17.DropFlag{Player: o.id, Number: number, Flag: flag})
	b.tell(&p.game, server, bzflag17.CodeFlagUpdate, &bzflag17.FlagUpdate{Number: number, Flag: flag})
}

func (b *bzflag) shoot(p *player) wire.Body {
	p.tank.shot += 0x100
	p.tank.shot &= 0x7fff
	return &bzflag17.ShotBegin{
		Shooter: p.id, ShotID: uint16(p.tank.shot),
		Position: p.tank.position(), Velocity: p.tank.ahead(shotSpeed), Lifetime: 3.5,
	}
}

func (b *bzflag) end(p *player) wire.Body {
	return &bzflag17.ShotEnd{Shooter: p.id, ShotID: p.tank.shot, Reason: bzflag17.EndReason(b.rng.IntN(2))}
}

func (b *bzflag) steer(p *player) wire.Body {
	return &bzflag17.GuidedUpdate{
		Shooter: p.id, ShotID: uint16(p.tank.shot), Position: p.tank.position(), Velocity: p.tank.ahead(shotSpeed),
		Time: b.rng.Float32(), Target: b.other(p).id,
	}
}

func (b *bzflag) teleport(id bzflag17.PlayerID) wire.Body {
	from := uint16(b.rng.IntN(2 * teleporters))
	return &bzflag17.Teleport{Player: id, From: from, To: from ^ 1}
}

var lines = []string{"hi all", "nice shot", "where is the red flag?", "Red team, to the base", "lag", "good game"}

func (b *bzflag) chat(from bzflag17.PlayerID) wire.Body {
	return &bzflag17.Message{From: from, Team: bzflag17.RogueTeam, Text: []byte(lines[b.rng.IntN(len(lines))])}
}

func (b *bzflag) teamUpdate(team bzflag17.Team, players int) wire.Body {
	size := uint16(b.rng.IntN(players + 1))
	return &bzflag17.TeamUpdate{Team: team, Size: size, Active: size, Wins: uint16(b.rng.IntN(100)), Losses: uint16(b.rng.IntN(100))}
}

func (b *bzflag) flagNumber() uint16 { return uint16(b.rng.IntN(flags)) }

// flag gives one of the flags somewhere.
func (b *bzflag) flag(owner bzflag17.PlayerID, status bzflag17.FlagStatus, at [3]float32) (number uint16, f bzflag17.Flag) {
	number = b.flagNumber()
	f.ID = 1 + bzflag17.FlagID(number)
	f.Type, f.Status, f.Owner = f.ID.Type(), status, owner
	f.Position, f.Launch, f.Landing = at, at, at
	f.FlightEnd, f.InitialVelocity = 2, 20
	return number, f
}

func (b *bzflag) flagUpdate() wire.Body {
	place := placed(b.rng)
	number, flag := b.flag(bzflag17.PlayerID{}, bzflag17.OnGround, place.position())
	return &bzflag17.FlagUpdate{Number: number, Flag: flag}
}

func (p *player) team() bzflag17.Team { return bzflag17.Team(p.number % 5) }

func (p *player) introduced() wire.Body {
	return &bzflag17.AddPlayer{
		Player: p.id, Team: p.team(), Wins: p.tank.wins, Losses: p.tank.losses,
		CallSign: []byte(p.name), Email: []byte("somebody@example.com"),
	}
}

// A tank drives around.
type tank struct {
	x, y, azimuth, speed float32
	shot                 int16
	wins, losses         uint16
}

func placed(rng *rand.Rand) tank {
	return tank{
		x: worldEdge * (2*rng.Float32() - 1), y: worldEdge * (2*rng.Float32() - 1),
		azimuth: 2 * math.Pi * rng.Float32(), speed: tankSpeed * rng.Float32(),
	}
}

// move drives on for a moment, and turns.
func (t *tank) move(rng *rand.Rand) {
	v := t.ahead(t.speed / 10)
	t.x = min(max(t.x+v[0], -worldEdge), worldEdge)
	t.y = min(max(t.y+v[1], -worldEdge), worldEdge)
	t.azimuth += rng.Float32() - 0.5
	t.speed = tankSpeed * rng.Float32()
}

func (t *tank) position() [3]float32 { return [3]float32{t.x, t.y, 0} }

// ahead gives a vector of some length in the direction in which the tank looks.
func (t *tank) ahead(length float32) [3]float32 {
	sin, cos := math.Sincos(float64(t.azimuth))
	return [3]float32{length * float32(cos), length * float32(sin), 0}
}

func (t *tank) spawn(id bzflag17.PlayerID) wire.Body {
	return &bzflag17.Spawn{Player: id, Position: t.position(), Forward: t.ahead(1)}
}

func (t *tank) update(id bzflag17.PlayerID) wire.Body {
	return &bzflag17.PlayerUpdate{
		Player: id, Status: bzflag17.Alive, Position: t.position(), Velocity: t.ahead(t.speed), Azimuth: t.azimuth,
	}
}

const teleporters = 6

// makeWorld writes the database of a world.
func makeWorld(rng *rand.Rand) ([]byte, error) {
	const obstacles = 60
	w := bzflag17.World{Blocks: []bzflag17.Block{{Code: bzflag17.BlockStyle, Style: bzflag17.Style{
		Length: 24, Style: 0x000f, Players: gameSize, Shots: 5, Flags: flags, ServerTime: 988718400,
	}}}}
	add := func(code bzflag17.BlockCode, times int) {
		for range times {
			at := placed(rng)
			w.Blocks = append(w.Blocks, bzflag17.Block{Code: code, Obstacle: bzflag17.Obstacle{
				Center: at.position(), Angle: at.azimuth, Width: 10, Depth: 10, Height: 8,
			}})
		}
	}
	add(bzflag17.BlockWall, 4)
	add(bzflag17.BlockBox, obstacles)
	add(bzflag17.BlockPyramid, obstacles)
	add(bzflag17.BlockTeleporter, teleporters)
	for face := range uint16(2 * teleporters) {
		w.Blocks = append(w.Blocks, bzflag17.Block{Code: bzflag17.BlockLink, Link: bzflag17.Link{From: face, To: face ^ 1}})
	}
	w.Blocks = append(w.Blocks, bzflag17.Block{Code: bzflag17.BlockEnd})
	base := wire.Base{Body: &w}
	buf := gopacket.NewSerializeBuffer()
	err := base.Encode(&w, buf, gopacket.SerializeOptions{FixLengths: true})
	return buf.Bytes(), err
}
