package bzflag17

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestShots adds shots at random, and compares the shots that are kept with a list of all shots.
func TestShots(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s shots
	var all []shot
	now, gone := int64(0), 0 // gone: number of shots that are no longer kept
	for i := range 20_000 {
		step := second // few shots at first, then more than the limit, then few again
		if i > 200 && i < 15_000 {
			step = second / 1000
		}
		now += r.Int64N(step)
		if i == 200 && s.count > fewShots {
			t.Fatalf("%d shots are kept, want at most fewShots", s.count)
		}
		k := shot{shooter: PlayerID{Number: uint16(r.IntN(3))}, id: uint16(r.IntN(3000)), flag: FlagID(r.IntN(2))}
		lost := s.add(k, now)
		k.when = now
		all = append(all, k)
		if dropped := len(all) - s.count - gone; dropped != 0 {
			old := all[gone]
			if gone++; dropped != 1 || lost != (now-old.when < shotMemory) {
				t.Fatalf("%d shots were dropped, the oldest after %s; lost is %t", dropped, seconds(now-old.when), lost)
			}
			if recent := now-old.when < shotMemory; s.count < fewShots || recent && s.count < manyShots {
				t.Fatalf("a shot was dropped after %s, with %d shots kept", seconds(now-old.when), s.count)
			}
		} else if lost {
			t.Fatal("lost is true, but no shot was dropped")
		}
		want := all[gone+r.IntN(len(all)-gone)]
		for _, later := range all[gone:] {
			if later.shooter == want.shooter && later.id == want.id {
				want = later
			}
		}
		if got := s.get(want.shooter, want.id); got == nil || *got != want {
			t.Fatalf("got %v, want %v", got, want)
		}
		if got := s.get(PlayerID{Port: 1}, want.id); got != nil {
			t.Fatalf("got %v for an unknown shooter", got)
		}
	}
	if s.count > manyShots || gone == 0 {
		t.Errorf("%d shots are kept, %d were dropped", s.count, gone)
	}
}

// TestPlayers checks that the last maxPlayers players are known, and that at most twice as many are stored.
func TestPlayers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s players
	var last []uint16 // sorted by last use
	for i := range 20_000 {
		number := uint16(i / 8) // about every eighth round names a new player
		if len(last) > 0 && r.IntN(8) > 0 {
			number = last[r.IntN(len(last))]
		}
		p := PlayerID{Number: number}
		n := s.make(p)
		if at := slices.Index(last, number); at >= 0 {
			last = slices.Delete(last, at, at+1)
			if n.serial != uint32(number)+1 {
				t.Fatalf("player %d was dropped, after %d other players", number, len(last)-at)
			}
		}
		n.serial = uint32(number) + 1
		last = append(last, number)
		last = last[max(0, len(last)-maxPlayers):]
		if n := len(s.recent) + len(s.older); n > 2*maxPlayers {
			t.Fatalf("%d players are stored", n)
		}
	}
	if s.get(PlayerID{}) != nil {
		t.Error("the first player is still known")
	}
}
