package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const maxWorld = 1 << 16 // offsets have 16 bits

// came takes a part of a world and returns the world when it is whole with it. `remaining` counts
// the part itself for real servers, and what follows it in the document; under both readings the
// world has to add up. It is tried on try, whose memory serves all.
func came(w *bzflag.Downloads, r bzflag.Route, p *WorldPart, try *World) []byte {
	data := w.Came(r, p.Data)
	if data == nil || len(p.Data) == 0 || int(p.Remaining) != len(p.Data) && p.Remaining != 0 || !wire.Fits(try, data) {
		return nil
	}
	return data
}
