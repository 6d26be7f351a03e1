package bzflag24

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
)

// TestShots holds shots against a list of them in the order of their use.
func TestShots(t *testing.T) {
	type shot struct {
		shooter PlayerID
		id      uint16
	}
	var s shots
	var list []shot // used longest ago first
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 40_000 {
		k := shot{PlayerID(random.IntN(3)), uint16(random.IntN(64))<<8 | uint16(random.IntN(200))}
		if i >= 100 && random.IntN(4) == 0 {
			k = shot{9, uint16(i % 100)} // these end again and again
		} else if i < 100 {
			k = shot{9, uint16(i)}
		}
		at := slices.Index(list[max(0, len(list)-2*maxShots-1):], k)
		if at >= 0 {
			at += max(0, len(list)-2*maxShots-1)
		}
		begins := random.IntN(4) > 0
		if begins && (k.shooter != 9 || i < 100) {
			s.add(k.shooter, k.id)
		} else if had := s.has(k.shooter, k.id); had && at < 0 || !had && at >= max(0, len(list)-maxShots) {
			t.Fatalf("%d: %v is there: %t, it is at %d of %d", i, k, had, at, len(list))
		} else if !had {
			continue
		}
		if at >= 0 {
			list = slices.Delete(list, at, at+1)
		}
		list = append(list, k)
		if s.count > maxShots || len(s.recent)+len(s.before) > 2*maxShots {
			t.Fatalf("%d: %d shots, %d and %d slots", i, s.count, len(s.recent), len(s.before))
		}
	}
	if s.before == nil {
		t.Error("none were old enough to be set aside")
	}
}

// TestNumbers holds those who have numbers in a view and a game against maps.
func TestNumbers(t *testing.T) {
	v, g := newView(true, 0), new(game)
	tanks, owners := make(map[PlayerID]*tank), make(map[PlayerID]netip.AddrPort)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 {
		id := PlayerID(random.IntN(256))
		client := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(random.IntN(2))}), 5154)
		switch random.IntN(4) {
		case 0:
			if k := v.tank(id); k != nil {
				tanks[id] = k
			}
			g.own(id, client)
			owners[id] = client
		case 1:
			v.remove(id)
			delete(tanks, id)
			c := &connection{player: id}
			if c.Client = client; owners[id] == client {
				delete(owners, id)
			}
			g.forget(c)
		}
		if k := v.known(id); k != tanks[id] {
			t.Fatalf("%d: %d is %v, want %v", i, id, k, tanks[id])
		}
		owner, ok := g.owner(id)
		if want, wantOK := owners[id]; owner != want || ok != wantOK || len(v.tanks) != len(tanks) || len(g.owners) != len(owners) {
			t.Fatalf("%d: %d is of %v, %t, want %v; %d tanks, %d owners", i, id, owner, ok, want, len(v.tanks), len(g.owners))
		}
	}
}
