package bzflag17

import (
	"math/rand/v2"
	"testing"
)

// TestTanks adds and removes tanks at random, and compares the result with a map.
func TestTanks(t *testing.T) {
	var all tanks
	model := make(map[PlayerID]Team)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 5000 {
		p := PlayerID{Port: uint16(r.IntN(3)), Number: uint16(r.IntN(20))}
		p.Host[r.IntN(4)] = byte(r.IntN(2))
		_, known := model[p]
		switch {
		case known && i%3 == 0:
			all.remove(p)
			delete(model, p)
		case !known:
			k := all.add(p)
			k.team = Team(i)
			model[p] = k.team
		}
		for id, team := range model {
			if k := all.get(id); k == nil || k.team != team {
				t.Fatalf("%s is %+v, want team %d", id, k, team)
			}
		}
		if _, known = model[p]; len(all) != len(model) || known != (all.get(p) != nil) {
			t.Fatalf("%d tanks, want %d", len(all), len(model))
		}
		if room := cap(all) - len(all); i < 20 && room > len(all)/4+2 {
			t.Fatalf("capacity for %d more than %d tanks", room, len(all))
		}
	}
}
