package bzflag17_test

import (
	"net/netip"
	"runtime"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// flood passes messages of many hosts to a session and a tracker that share a memory budget.
type flood struct {
	*stage
	session wire.Session
	now     int64
}

func newFlood(memory int) *flood {
	s := newStage()
	s.memory = bounded.NewBudget(memory)
	s.tracker = bzflag17.Protocol.NewTracker(&wire.Reporter{Memory: s.memory})
	return &flood{stage: s, session: bzflag17.Protocol.NewSession(s.memory)}
}

// idOf returns the id of the player who connects from an address.
func idOf(a netip.AddrPort) string {
	ip := a.Addr().As4()
	return string(ip[:]) + u16(a.Port(), 0)
}

// client and server each send a message from that side. enter sends the messages with which a client enters a game.

func (f *flood) client(c, s netip.AddrPort, code, body string) {
	f.send(f.session, f.now, c, s, wire.ToServer, message(code, []byte(body)...))
}

func (f *flood) server(s, c netip.AddrPort, code, body string) {
	f.send(f.session, f.now, s, c, wire.FromServer, message(code, []byte(body)...))
}

func (f *flood) hello(s, c netip.AddrPort, letter string, port uint16) {
	f.send(f.session, f.now, s, c, wire.FromServer, []byte("BZFS107"+letter+u16(port)))
}

func (f *flood) player(s, c netip.AddrPort, id string) {
	f.server(s, c, "ap", id+u16(0, 1, 0, 0)+"somebody with a long name"+zeros(135))
}

func (f *flood) enter(c, s netip.AddrPort) {
	f.client(c, s, "en", idOf(c)+u16(0, 1)+"somebody"+zeros(152))
	f.server(s, c, "ac", "")
	f.player(s, c, idOf(c))
}

// floods are messages with which unknown hosts can use up memory. Each function is called with i = 0, 1, 2, ...
var floods = map[string]func(f *flood, i int){
	"hellos": func(f *flood, i int) { f.hello(wiretest.Host(11, i, 5155), wiretest.Host(10, i, 4000), "c", 6000) },
	"repeated hellos": func(f *flood, i int) {
		f.hello(wiretest.Host(11, i/8, 5155), wiretest.Host(10, i/8, 4000), "c", 6000)
	},
	"hellos and connections": func(f *flood, i int) {
		f.hello(wiretest.Host(11, i, 5155), wiretest.Host(10, i, 4000), "e", 6000)
		f.client(wiretest.Host(10, i, 4001), wiretest.Host(11, i, 6000), "gw", u16(0))
	},
	"hellos of one server":                func(f *flood, i int) { f.hello(wiretest.Host(11, 0, 5155), wiretest.Host(10, i, 4000), "c", uint16(i)) },
	"hellos of one server to one client":  func(f *flood, _ int) { f.hello(wiretest.Host(11, 0, 5155), wiretest.Host(10, 0, 4000), "c", 6000) },
	"refusals":                            func(f *flood, i int) { f.hello(wiretest.Host(11, i, 5155), wiretest.Host(10, i, 4000), "c", 0) },
	"clients that request the world hash": func(f *flood, i int) { f.client(wiretest.Host(10, i, 4000), wiretest.Host(11, 0, 5155), "wh", "") },
	"games":                               func(f *flood, i int) { f.enter(wiretest.Host(10, i, 4000), wiretest.Host(11, i, 5155)) },
	"players of one game":                 func(f *flood, i int) { f.enter(wiretest.Host(10, i, 4000), wiretest.Host(11, 0, 5155)) },
	"UDP links": func(f *flood, i int) {
		f.client(wiretest.Host(10, i/9, 4000), wiretest.Host(11, 0, 5155), "of", u16(uint16(i)))
	},
	"ends of shots": func(f *flood, i int) {
		f.client(wiretest.Host(10, i, 4000), wiretest.Host(11, i, 5155), "se", ann+u16(1, 0))
	},
	"worlds":                  floodWorlds,
	"games with many players": floodPlayers,
	"players who come and go": floodLeavers,
	"games with many flags":   floodFlags,
	"games with many shots":   floodShots,
	"pending findings":        floodPending,
}

// floodWorlds sends worlds with many links.
func floodWorlds(f *flood, i int) {
	if i%50 != 0 {
		return // each world takes some time
	}
	c, s := wiretest.Host(10, i, 4000), wiretest.Host(11, i, 5155)
	data := "st" + u16(24) + zeros(24) + strings.Repeat("ln"+u16(1, 2), 1000) + "ed"
	f.client(c, s, "gw", u16(0))
	for at := 0; at < len(data); at += 1000 {
		part := data[at:min(at+1000, len(data))]
		f.server(s, c, "gw", u16(uint16(len(data)-at))+part)
		f.client(c, s, "gw", u16(uint16(at+len(part))))
	}
}

// floodPlayers plays games with more players than the tracker keeps.
func floodPlayers(f *flood, i int) {
	c, s := wiretest.Host(10, i/1000, 4000), wiretest.Host(11, i/1000, 5155)
	if i%1000 == 0 {
		f.enter(c, s)
	}
	f.player(s, c, idOf(wiretest.Host(12, i, 1)))
}

// floodLeavers plays games with many players who all leave.
func floodLeavers(f *flood, i int) {
	c, s := wiretest.Host(10, i/1000, 4000), wiretest.Host(11, i/1000, 5155)
	switch n := i % 1000; {
	case n == 0:
		f.enter(c, s)
	case n < 500:
		f.player(s, c, idOf(wiretest.Host(12, n, 1)))
	default:
		f.server(s, c, "rp", idOf(wiretest.Host(12, n-499, 1)))
	}
}

// floodFlags plays games with the maximum number of flags.
func floodFlags(f *flood, i int) {
	c, s := wiretest.Host(10, i/256, 4000), wiretest.Host(11, i/256, 5155)
	if i%256 == 0 {
		f.enter(c, s)
	}
	f.server(s, c, "fu", flagOf(uint16(i%256), 5, 1, ann))
}

// floodShots plays games with more shots at the same time than the tracker keeps.
func floodShots(f *flood, i int) {
	c, s := wiretest.Host(10, i/5000, 4000), wiretest.Host(11, i/5000, 5155)
	if i%5000 == 0 {
		f.enter(c, s)
	}
	f.server(s, c, "sb", shotOf(idOf(c), uint16(i), 0))
}

// floodPending plays games in which a client acts while its tank is not alive.
func floodPending(f *flood, i int) {
	c, s := wiretest.Host(10, i/100, 4000), wiretest.Host(11, i/100, 5155)
	if i%100 == 0 {
		f.enter(c, s)
		f.client(c, s, "of", u16(5000))
	}
	f.client(c, s, "sb", shotOf(idOf(c), 0, 0))
}

// TestMemory sends messages of many unknown hosts. The memory must stay within the budget, and the budget must count
// about as much memory as is in use. Almost no time passes, so nothing expires.
func TestMemory(t *testing.T) {
	const limit = 1 << 20
	for name, send := range floods {
		t.Run(name, func(t *testing.T) {
			n := 20_000
			if wiretest.Full() {
				n *= 4
			}
			f := newFlood(limit)
			before := wiretest.Heap()
			for i := range n {
				f.now++
				send(f, i)
			}
			grown, used := wiretest.Heap()-before, int64(f.memory.Used())
			t.Logf("%d KB are in use, the budget counts %d KB", grown>>10, used>>10)
			if grown > limit*8/5 { // tables may be two thirds empty after drops
				t.Errorf("%d KB are in use, the limit is %d KB", grown>>10, limit>>10)
			}
			if grown > 64<<10 && (used < grown*3/5 || used > grown*5/3) {
				t.Errorf("%d KB are in use, the budget counts %d KB", grown>>10, used>>10)
			}
			runtime.KeepAlive(f)
		})
	}
}

// TestTalkerMemory lets one client and its server send many messages, on one connection or on new connections.
func TestTalkerMemory(t *testing.T) {
	const most = 400 << 10
	c, s := wiretest.Host(10, 0, 4000), wiretest.Host(11, 0, 5155)
	for name, send := range map[string]func(f *flood, i int){
		"shots":   func(f *flood, i int) { f.server(s, c, "sb", shotOf(idOf(c), uint16(i), 0)) },
		"players": func(f *flood, i int) { f.player(s, c, idOf(wiretest.Host(12, i, 1))) },
		"links":   func(f *flood, i int) { f.client(c, s, "of", u16(uint16(i))) },
		"pending findings": func(f *flood, i int) { // each ping is answered at once
			f.server(s, c, "pi", u16(uint16(i)))
			f.client(c, s, "pi", u16(uint16(i)))
		},
		"hellos": func(f *flood, i int) {
			f.hello(wiretest.Host(11, 0, 5154), c, "c", 5155)
			f.place.Conversation = i
			f.client(c, s, "gw", u16(0))
		},
	} {
		f := newFlood(bounded.DefaultMemory)
		f.enter(c, s)
		for i := range 20_000 {
			f.now++
			send(f, i)
		}
		f.enter(wiretest.Host(10, 1, 4000), wiretest.Host(11, 1, 5155)) // makes the budget count the last message
		if used := f.memory.Used(); used > most {
			t.Errorf("%s: one client uses %d KB, want at most %d KB", name, used>>10, most>>10)
		}
	}
}

// TestPlayerMemory measures the memory for one player on a connection, and for the player's shots.
func TestPlayerMemory(t *testing.T) {
	const connections, players, most = 20, 200, 300
	f := newFlood(bounded.DefaultMemory)
	s := wiretest.Host(11, 0, 5155)
	before := wiretest.Heap()
	for i := range connections {
		c := wiretest.Host(10, i, 4000)
		f.enter(c, s)
		for p := range players {
			id := idOf(wiretest.Host(12, p, 1))
			f.player(s, c, id)
			f.server(s, c, "sb", shotOf(id, 1, 0))
			f.server(s, c, "sb", shotOf(id, 2, 0))
		}
	}
	each := (wiretest.Heap() - before) / (connections * players)
	t.Logf("%d bytes per player", each)
	if each > most {
		t.Errorf("a player uses %d bytes, want at most %d", each, most)
	}
	runtime.KeepAlive(f)
}
