package bzflag24_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// TestSessionBounds checks that the session's memory stays within its budget when many unknown hosts send messages, and
// that the budget counts this memory.
func TestSessionBounds(t *testing.T) {
	name := func(i int) string { return strings.Repeat(string(rune('a'+i%26)), 25) }
	part := message("gw", "\x00\x00\x00\x09"+zeros(900))
	for _, f := range []struct {
		name  string
		times int
		says  func(says func(way wire.Direction, server, client int, message string), i int)
	}{
		{"hellos", 25_000, func(says func(wire.Direction, int, int, string), i int) {
			says(wire.FromServer, i, i, "BZFS0221\x03")
		}},
		{"names", 75_000, func(says func(wire.Direction, int, int, string), i int) {
			says(wire.FromServer, i/50, i, addPlayer(byte(i%50), name(i)))
		}},
		{"names far apart", 20_000, func(says func(wire.Direction, int, int, string), i int) {
			says(wire.FromServer, i/4, i, addPlayer(byte(i%4*60), name(i)))
		}},
		{"clients of one server", 25_000, func(says func(wire.Direction, int, int, string), i int) {
			says(wire.FromServer, 0, i, "BZFS0221\x03")
			says(wire.ToServer, 0, i, message("en", zeros(4)+name(i)+zeros(222)))
		}},
		{"worlds", 15_000, func(says func(wire.Direction, int, int, string), i int) {
			offset := string([]byte{0, 0, byte(i % 20 * 900 >> 8), byte(i % 20 * 900 & 0xff)})
			says(wire.ToServer, 0, i/20, message("gw", offset))
			says(wire.FromServer, 0, i/20, part)
		}},
	} {
		t.Run(f.name, func(t *testing.T) {
			const limit = 3 << 20
			layer := bzflag24.Protocol.New().(*bzflag24.Layer)
			before := wiretest.Heap()
			memory := bounded.NewBudget(limit)
			session := bzflag24.Protocol.NewSession(memory)
			says := func(way wire.Direction, server, client int, message string) {
				src, dst := numbered(server), numbered(1<<22+client)
				d := &wire.Datagram{Src: src, Dst: dst, Payload: []byte(message), Lane: uint32(2*client + 1)}
				if way == wire.ToServer {
					d.Src, d.Dst, d.Lane = dst, src, d.Lane+1
				}
				layer.Context = wire.Context{Direction: way, Transport: wire.TCP}
				memory.Turn()
				session.Before(layer, d)
				_ = layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback)
				session.After(layer, d)
			}
			held := func() int64 { layer.Release(); return wiretest.Heap() - before }
			for i := range f.times {
				f.says(says, i)
				if i == f.times/20 {
					checkHonest(t, memory.Used(), held())
				}
			}
			memory.Turn()
			checkHonest(t, memory.Used(), held())
			if most := held(); most > limit*3/2 {
				t.Errorf("%d KB are in use, but the budget is %d KB", most>>10, limit>>10)
			}
			if len(memory.Forgotten()) == 0 {
				t.Errorf("%d KB are in use, but nothing was dropped", memory.Used()>>10)
			}
			runtime.KeepAlive(session)
			runtime.KeepAlive(layer)
		})
	}
}

// TestRoster changes names and checks that existing rosters do not change.
func TestRoster(t *testing.T) {
	k := newTalk(t)
	var rosters []wire.Roster
	want := [][256]string{{}}
	k.says(server, client, wire.TCP, "BZFS0221\xff")
	for i := range 2000 {
		now := want[len(want)-1]
		id, name := byte(i*7919%251), strings.Repeat("x", i%5)
		now[id] = name
		k.says(server, client, wire.TCP, message("ap", string([]byte{id})+zeros(10)+name+zeros(160-len(name))))
		k.says(server, client, wire.TCP, message("nR", "\x03"))
		rosters, want = append(rosters, k.layer.Context.Roster), append(want, now)
	}
	for i, r := range rosters {
		for id, name := range want[i+1] {
			if got := r.Name(uint64(id)); got != name {
				t.Fatalf("after %d names, player %d is %q, want %q", i+1, id, got, name)
			}
		}
		if r.Name(256) != "" || r.Name(1<<40) != "" {
			t.Fatal("a number above the maximum has a name")
		}
	}
}
