package main

import (
	"math"
	"math/rand/v2"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

const (
	worldEdge = 390 // walls stand at 400
	tankSpeed = 25
)

// A tank drives around.
type tank struct {
	x, y, azimuth, speed float32
	shot                 uint16 // the number of the last one
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
	return &bzflag17.Spawn{Player: who(id), Position: t.position(), Forward: t.ahead(1)}
}

func (t *tank) update(id bzflag17.PlayerID) wire.Body {
	return &bzflag17.PlayerUpdate{
		Player: who(id), Status: bzflag17.Alive, Position: t.position(), Velocity: t.ahead(t.speed), Azimuth: t.azimuth,
	}
}

const teleporters = 6

// makeWorld writes the database of a world with so many boxes and as many pyramids.
func makeWorld(rng *rand.Rand, obstacles int) ([]byte, error) {
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

// who is a player as messages have it.
func who(id bzflag17.PlayerID) bzflag17.Player { return bzflag17.Player{ID: id} }
