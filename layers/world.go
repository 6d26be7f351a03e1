package layers

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

// A World is what a game is played in, as a client downloaded it.
type World struct {
	world bzmap.World
}

// WorldOf gives the world that the message at hand completes, nil if it completes none that can be
// read, and what is wrong with it.
func WorldOf(l wire.Layer) (*World, error) {
	carrier, ok := l.(bzmap.Carrier)
	if !ok {
		return nil, nil
	}
	world, bad := carrier.Carried()
	if world == nil {
		return nil, bad
	}
	return &World{world}, bad
}

// MapFile writes the world as the text of a map file (.bzw), which servers load, below some lines of comment. It is
// whole if it has less bytes than may be.
func (w *World) MapFile(comments ...string) (text []byte, whole bool) {
	var t bzmap.Text
	for _, c := range comments {
		t.Comment(c)
	}
	w.world.WriteMap(&t)
	return t.Bytes(), !t.Full()
}

// SVG draws the world as seen from above.
func (w *World) SVG(title string) []byte {
	plan := bzmap.Plan{Title: title}
	w.world.Draw(&plan)
	return plan.SVG()
}
