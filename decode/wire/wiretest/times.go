package wiretest

import (
	"math"
	"math/rand/v2"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkTimes plays the turns of all talks in random order, with times that go back, stand still and overflow. Nothing
// may panic, and Time must return.
func checkTimes(p *wire.Protocol, talks []*talk) {
	times := []int64{0, 1, -1, 1e9, 10e9, 300e9, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1e9, math.MinInt64 + 1e9}
	r := rand.New(rand.NewPCG(1, 2))
	var turns []turn
	for _, k := range talks {
		turns = append(turns, k.turns...)
	}
	for range 50 {
		k := talks[r.IntN(len(talks))]
		y := newPlayer(k, p)
		y.quiet = true
		for range 300 {
			n := turns[r.IntN(len(turns))]
			if n.what == "end" || n.what == "wait" || n.what == "jump" {
				continue
			}
			if n.when = times[r.IntN(len(times))]; r.IntN(2) == 0 {
				n.when = 1e9 * r.Int64N(1000)
			}
			y.now = math.MinInt64
			y.turn(0, &n)
		}
		y.tracker.Close(times[r.IntN(len(times))])
	}
}
