package bzflag24_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// floods are messages from many unknown hosts, all at the same time. says is called with increasing i.
var floods = []struct {
	name  string
	times int
	says  func(k *tracked, i int)
}{
	{"hellos", 15_000, func(k *tracked, i int) {
		k.stranger(i, wire.FromServer, "BZFS0221\x05")
	}},
	{"hellos of new servers", 15_000, func(k *tracked, i int) {
		p := wire.Place{Transport: wire.TCP, Src: numbered(1<<22 + i), Dst: numbered(i), Lane: uint32(2*i + 1)}
		k.says(wire.FromServer, p, []byte("BZFS0221\x05"))
	}},
	{"pings", 37_500, func(k *tracked, i int) {
		p := wire.Place{Src: numbered(i), Dst: client, Lane: uint32(2*i + 1)}
		k.says(wire.FromServer, p, []byte(message("\x03\x04", "BZFS0221"+zeros(52))))
	}},
	{"requests before MsgEnter", 15_000, func(k *tracked, i int) {
		k.stranger(i, wire.ToServer, "BZFLAG\r\n\r\n")
		k.stranger(i, wire.ToServer, message("gw", "\x00\x00\x00\x09"))
	}},
	{"refusals", 15_000, func(k *tracked, i int) {
		k.stranger(i, wire.ToServer, message("en", zeros(4)+"a call sign of twenty-seven"+zeros(220)))
		k.stranger(i, wire.FromServer, message("rj", "\x00\x01"+"banned, for whatever the reason"+zeros(97)))
	}},
	{"refused again and again", 25_000, func(k *tracked, i int) {
		k.stranger(i/300, wire.FromServer, message("rj", zeros(130)))
	}},
	{"connections through the same ports", 15_000, func(k *tracked, i int) {
		k.conversation = i
		k.stranger(i%400, wire.FromServer, message("rj", zeros(130)))
	}},
	{"full games", 62_500, func(k *tracked, i int) {
		k.stranger(i/250, wire.FromServer, message("al", string([]byte{byte(i % 250)})+zeros(16)))
	}},
	{"flags", 375, func(k *tracked, i int) {
		k.stranger(i, wire.FromServer, message("gf", "\x05\x01\xff"+zeros(55)))
	}},
	{"shots", 200_000, func(k *tracked, i int) {
		b := []byte(shot(byte(i>>8), byte(i), "\x00\x00"))
		b[9] = byte(i >> 16)
		p := wire.Place{Transport: wire.TCP, Src: numbered(i / 8000), Dst: client}
		k.says(wire.FromServer, p, b)
	}},
	{"acts of dead players", 5_000, func(k *tracked, i int) {
		for _, m := range []string{"BZFS0221\x05", message("ac", "\x05"), added(5, 1).message} {
			k.stranger(i, wire.FromServer, m)
		}
		for range 9 {
			k.stranger(i, wire.ToServer, message("gf", "\x00\x00"))
		}
	}},
	{"new views while dead players act", 10_000, func(k *tracked, i int) {
		if i%100 == 0 {
			k.stranger(i/100, wire.FromServer, "BZFS0221\x05")
		}
		k.stranger(i/100, wire.FromServer, message("ac", "\x05"))
		k.stranger(i/100, wire.FromServer, added(5, 1).message)
		k.stranger(i/100, wire.FromServer, message("gf", "\x05\x01\xff"+zeros(55)))
		k.stranger(i/100, wire.ToServer, message("gf", "\x00\x00"))
	}},
	{"chat without an answer", 4_000, func(k *tracked, i int) {
		k.stranger(i, wire.FromServer, "BZFS0221\x05")
		for _, m := range []string{"BZFLAG\r\n\r\n", message("en", zeros(247))} {
			k.stranger(i, wire.ToServer, m)
		}
		k.stranger(i, wire.FromServer, message("ac", "\x05"))
		k.stranger(i, wire.FromServer, added(5, 1).message)
		for range 70 {
			k.stranger(i, wire.ToServer, message("mg", "\xfehello"+zeros(123)))
		}
	}},
	{"UDP links", 18_000, func(k *tracked, i int) {
		if i == 0 {
			k.stranger(0, wire.FromServer, "BZFS0221\x05")
		}
		p := wire.Place{Src: server, Dst: wiretest.Host(10, 0, uint16(1+i)), Lane: uint32(2*i + 3)}
		k.says(wire.ToServer, p, []byte(message("of", "\x05")))
	}},
	{"lag pings", 37_500, func(k *tracked, i int) {
		k.stranger(i/4, wire.FromServer, message("pi", "\x00"+string([]byte{byte(i % 4)})))
	}},
}

// stranger passes a message from or to an unknown host.
func (k *tracked) stranger(i int, way wire.Direction, said string) {
	p := wire.Place{Time: int64(time.Hour), Transport: wire.TCP, Src: server, Dst: numbered(i), Conversation: k.conversation}
	p.Lane = uint32(2*i + 1)
	if way == wire.ToServer {
		p.Lane++
	}
	k.says(way, p, []byte(said))
}

// TestTrackerBounds checks that the tracker's memory stays within the budget when many unknown hosts send messages, and
// that the budget counts this memory.
func TestTrackerBounds(t *testing.T) {
	const limit = 3 << 20
	for _, f := range floods {
		t.Run(f.name, func(t *testing.T) {
			k := newTracked()
			before := wiretest.Heap()
			k.memory = bounded.NewBudget(limit)
			k.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{Memory: k.memory, Value: func(*wire.Value) {}})
			held := func() int64 { return wiretest.Heap() - before }
			few := f.times / 20 // about this many fit into the budget
			for i := range f.times {
				f.says(k, i)
				if i == few {
					checkHonest(t, k.memory.Used(), held())
				}
			}
			k.memory.Turn()
			checkHonest(t, k.memory.Used(), held())
			if most := held(); most > limit*3/2 {
				t.Errorf("%d KB are in use, but the budget is %d KB", most>>10, limit>>10)
			}
			if len(k.memory.Forgotten()) == 0 {
				t.Errorf("%d KB are in use, but nothing was dropped", k.memory.Used()>>10)
			}
			runtime.KeepAlive(k)
		})
	}
}

// checkHonest checks that the memory use that a budget reports is close to the actual use.
func checkHonest(t *testing.T, used int, held int64) {
	t.Helper()
	t.Logf("the budget counts %d KB; %d KB are in use", used>>10, held>>10)
	if int64(used) < held/2 || int64(used) > 2*held {
		t.Errorf("the budget counts %d KB, but %d KB are in use", used>>10, held>>10)
	}
}
