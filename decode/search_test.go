package decode

import (
	"math"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// seeking is a splitter whose Seek returns a wrong offset.
type seeking int

func (seeking) Next(wire.Direction, []byte, bool, *wire.Progress) int { return wire.NoMessage }
func (seeking) Plausible(wire.Direction, []byte, *wire.Progress) int  { return wire.NoMessage }
func (seeking) Lost(wire.Direction)                                   {}
func (s seeking) Seek([]byte) int                                     { return int(s) }

// Whatever Seek returns, a search stays within the stream and terminates.
func TestSeekNonsense(t *testing.T) {
	data := make([]byte, 100)
	for _, place := range []int{-1, -50, math.MinInt, 101, 1000, math.MaxInt} {
		var x search
		at := int64(7)
		for range 3 {
			found, kept := x.next(seeking(place), wire.ToServer, data, at, false)
			if found != nil || kept < at || kept > at+int64(len(data)) {
				t.Fatalf("Seek returns %d: found %v, kept %d, want %d to %d", place, found, kept, at, at+int64(len(data)))
			}
			at += int64(len(data))
		}
	}
}
