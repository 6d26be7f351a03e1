package bzflag17

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

func (l *Layer) Carried() (wire.World, error) {
	if l.World == nil {
		return nil, nil
	}
	w, err := ReadWorld(l.World)
	return bzmap.Of{World: w}, err
}

// ReadWorld reads a world database, which consists of the joined parts of MsgGetWorld. If it fails, it returns the
// blocks before the error, too.
func ReadWorld(data []byte) (*World, error) {
	w := new(World)
	return w, wire.Read(w, data)
}

// WriteMap writes the world as a map file for current servers. It omits the walls, which servers add themselves.
func (w *World) WriteMap(t *bzmap.Text) {
	t.Begin("world")
	t.Floats("size", w.size())
	t.End("end")
	for i := range w.Blocks {
		if b := &w.Blocks[i]; b.Code == BlockStyle {
			s := b.Style.Style
			t.Options(s&Jumping != 0, s&Ricochet != 0, s&TeamFlags != 0)
			break
		}
	}
	teleporter := 0
	for i := range w.Blocks {
		b := &w.Blocks[i]
		switch b.Code {
		case BlockBase:
			t.Begin("base")
			b.Obstacle.writePlace(t, 0)
			t.Ints("color", int32(b.Team))
			t.End("end")
		case BlockBox:
			b.Obstacle.write(t, "box")
		case BlockPyramid:
			b.Obstacle.write(t, "pyramid")
		case BlockTeleporter:
			t.Begin("teleporter", teleporterName(teleporter))
			b.Obstacle.writePlace(t, b.Obstacle.Height)
			t.Floats("border", b.Obstacle.Border)
			t.End("end")
			teleporter++
		case BlockLink:
			t.Begin("link")
			t.Words("from", faceName(b.Link.From))
			t.Words("to", faceName(b.Link.To))
			t.End("end")
		}
	}
}

// size returns the distance of the walls from the centre.
func (w *World) size() float32 {
	const usual = 400
	most := float32(0)
	for i := range w.Blocks {
		if b := &w.Blocks[i]; b.Code == BlockWall {
			most = max(most, b.Obstacle.Width)
		}
	}
	if most == 0 {
		return usual
	}
	return most
}

func teleporterName(n int) string { return fmt.Sprintf("t%d", n) }

// faceName returns the name of a face in links. Even faces are front faces, odd faces are back faces.
func faceName(face uint16) string {
	return fmt.Sprintf("t%d:%c", face/2, "fb"[face%2])
}

func (o *Obstacle) write(t *bzmap.Text, kind string) {
	t.Begin(kind)
	o.writePlace(t, o.Height)
	t.End("end")
}

func (o *Obstacle) writePlace(t *bzmap.Text, height float32) {
	t.Floats("position", o.Center[:]...)
	t.Floats("size", o.Width, o.Depth, height)
	t.Floats("rotation", bzmap.Degrees(o.Angle))
}

func (w *World) Draw(p *bzmap.Plan) {
	for i := range w.Blocks {
		b := &w.Blocks[i]
		o := &b.Obstacle
		at := bzmap.At(o.Center, o.Angle, bzmap.Identity())
		size := [3]float32{o.Width, o.Depth, o.Height}
		switch b.Code {
		case BlockBase:
			p.Block(bzmap.TeamBase(int(b.Team)), at, size)
		case BlockBox:
			p.Block(bzmap.Box, at, size)
		case BlockPyramid:
			p.Tip(at, size)
		case BlockTeleporter:
			depth, height := float64(o.Depth), float64(o.Height)
			p.Line(bzmap.Teleporter, at, [3]float64{0, -depth, height}, [3]float64{0, depth, height})
		case BlockWall:
			p.Line(bzmap.Wall, at, [3]float64{0, -float64(o.Width), 0}, [3]float64{0, float64(o.Width), 0})
		}
	}
}
