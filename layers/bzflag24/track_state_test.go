package bzflag24

import (
	"math/bits"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// TestShots compares the set of known shots with a map of all shots and the times of their last use.
func TestShots(t *testing.T) {
	type shot struct {
		shooter PlayerID
		id      uint16
	}
	var s shots
	used := make(map[shot]int)
	random := rand.New(rand.NewPCG(1, 2))
	const again = 100 // number of shots that begin first and then end repeatedly
	for i := range 100_000 {
		k := shot{PlayerID(random.IntN(3)), uint16(random.IntN(64))<<8 | uint16(random.IntN(200))}
		if i < again || random.IntN(4) == 0 {
			k = shot{9, uint16(i % again)}
		}
		if last, ok := used[k]; i >= again && (k.shooter == 9 || random.IntN(4) == 0) {
			has := s.has(k.shooter, k.id)
			if has && !ok || !has && ok && i-last < maxShots {
				t.Fatalf("%d: %v is in the set: %t, it was used: %t, at %d", i, k, has, ok, last)
			}
			if !has {
				continue
			}
		} else {
			s.add(k.shooter, k.id)
		}
		used[k] = i
		if i%1000 == 0 {
			n := 0
			for _, known := range s.recent {
				for _, word := range known {
					n += bits.OnesCount64(word)
				}
			}
			if n != s.count || n > maxShots {
				t.Fatalf("%d: %d are recent, but %d are counted", i, n, s.count)
			}
		}
	}
	for id := range uint16(2*maxShots + 1) {
		s.add(10, id)
	}
	for k := range used {
		if s.has(k.shooter, k.id) {
			t.Fatalf("%v is still in the set", k)
		}
	}
}

// TestNumbers compares the players in a view and the clients of a game with maps.
func TestNumbers(t *testing.T) {
	v, g := newView(true, 0), new(game)
	tanks, clients := make(map[PlayerID]*tank), make(map[PlayerID]netip.AddrPort)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 {
		id := PlayerID(random.IntN(256))
		client := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(random.IntN(2))}), 5154)
		switch random.IntN(4) {
		case 0:
			if k := v.tank(id); k != nil {
				tanks[id] = k
			}
			g.setClient(id, client)
			clients[id] = client
		case 1:
			v.remove(id)
			delete(tanks, id)
			c := new(connection)
			if c.Client, c.player = client, id; clients[id] == client {
				delete(clients, id)
			}
			g.remove(c)
		}
		if k := v.known(id); k != tanks[id] {
			t.Fatalf("%d: the tank of player %d is %v, want %v", i, id, k, tanks[id])
		}
		got, ok := g.client(id)
		if want, wantOK := clients[id]; got != want || ok != wantOK || len(v.tanks) != len(tanks) || len(g.clients) != len(clients) {
			t.Fatalf("%d: the client of player %d is %v, %t, want %v; %d tanks, %d clients", i, id, got, ok, want, len(v.tanks), len(g.clients))
		}
	}
}

// TestOfPlayer looks up the connection of a player before and after another connection replaces it.
func TestOfPlayer(t *testing.T) {
	server, client := netip.MustParseAddrPort("192.0.2.1:5154"), netip.MustParseAddrPort("192.0.2.2:1024")
	table := newConnectionTable(bounded.NewBudget(bounded.DefaultMemory))
	r, place := bzflag.Route{Client: client, Server: server}, &wire.Place{Src: server, Dst: client}
	g := table.game(0, server)
	e := event{message: message{place: place}, game: g}
	if c := table.ofPlayer(e, 3); c != nil {
		t.Errorf("player 3 has the connection %v before a client has this number", c)
	}
	g.setClient(3, client)
	var last *connection
	for i := range 3 {
		last = table.add(e.message, g, r, last)
		for range 2 {
			if c := table.ofPlayer(e, 3); c != last {
				t.Fatalf("connection %d: found %v, want %v", i, c, last)
			}
		}
	}
	table.remove(last)
	if c := table.ofPlayer(e, 3); c != nil {
		t.Errorf("a removed connection is found: %v", c)
	}
}
