package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// stranger returns the i-th of many hosts.
func stranger(i int) netip.AddrPort { return wiretest.Host(10, i, 1000) }

// liveHeap returns the size of the live heap. It measures several times, because some garbage is freed late.
func liveHeap() int64 {
	n := wiretest.Heap()
	for range 5 {
		time.Sleep(5 * time.Millisecond)
		n = min(n, wiretest.Heap())
	}
	return n
}

// TestBounds floods each list with rows. The list must stay within its memory.
func TestBounds(t *testing.T) {
	const memory, n = 2 << 20, 30_000
	server := netip.MustParseAddrPort("192.0.2.1:5154")
	for _, test := range []struct {
		name  string
		flood func(*Stats, int)
	}{
		{"conversations", func(s *Stats, i int) {
			s.Message(&decode.Message{Name: "Move", Length: 10, Place: wire.Place{Protocol: chess, Lane: uint32(2*i + 1), Src: stranger(i), Dst: server}})
		}},
		{"endpoints", func(s *Stats, i int) {
			s.Message(&decode.Message{Name: "Move", Length: 10, Place: wire.Place{Protocol: chess, Lane: uint32(2*(i/20) + 1), Src: stranger(i), Dst: stranger(-i)}})
		}},
		{"senders", func(s *Stats, i int) {
			s.Finding(&wire.TrafficFinding{Place: wire.Place{Protocol: chess, Src: stranger(i)}, Rule: rules[i%2]})
		}},
		{"counts", func(s *Stats, i int) {
			s.Value(&wire.Value{Place: wire.Place{Protocol: chess}, Table: "players", Server: stranger(i), Who: fmt.Sprint(i), What: "moves", Number: 1})
		}},
		{"numbers", func(s *Stats, i int) {
			s.Value(&wire.Value{Place: wire.Place{Protocol: chess}, Table: "players", Server: stranger(i % 3000), What: fmt.Sprint(i / 3000 % 10), Unit: "s",
				Number: float64(i*7919%9973) / 1000})
		}},
		{"states", func(s *Stats, i int) {
			s.Value(&wire.Value{Place: wire.Place{Protocol: chess, Time: int64(i)}, Table: "players", Server: stranger(i % 2000), What: "map", State: true,
				Text: fmt.Sprintf("%0*d%1000d", 20+i%30, i, 0)[:20+i%30]}) // shares memory with a longer text, as texts in a packet do
		}},
	} {
		before := liveHeap()
		s := &Stats{Memory: memory}
		for i := range n {
			test.flood(s, i)
		}
		live := liveHeap() - before
		k := s.kept
		used := k.conversations.used + k.endpoints.used + k.senders.used
		for _, of := range k.tables {
			used += of.used
		}
		if len(s.Full) == 0 || used > memory || live > memory*3/2 || int64(used) > 2*live || live > 2*int64(used) {
			t.Errorf("%s: %d KB of live heap, %d KB of %d are counted as used; full lists: %v", test.name, live>>10, used>>10, memory>>10, s.Full)
		}
		runtime.KeepAlive(s)
	}
}

// A flood of conversations must not displace players.
func TestFloodsStayApart(t *testing.T) {
	s := Stats{Memory: 1 << 20}
	for i := range 20_000 {
		m := &decode.Message{Name: "Move", Length: 10, Place: wire.Place{Protocol: chess, Src: stranger(i), Dst: stranger(i + 1)}}
		s.Message(m)
		s.Value(&wire.Value{Place: m.Place, Table: "players", Who: fmt.Sprint(i % 300), What: "moves", Number: math.NaN()})
	}
	if n := len(s.Protocols["chess"].Tables["players"]); n != 300 || s.Full["conversations"] == 0 || s.Full["endpoints"] == 0 {
		t.Errorf("%d players are listed, want 300; full lists: %v", n, s.Full)
	}
}

// traffic returns messages in both directions, and values of players, for some games.
func traffic(games int) (messages []*decode.Message, values []*wire.Value) {
	names := []string{"MsgPlayerUpdate", "MsgPlayerUpdateSmall", "MsgShotBegin", "MsgGMUpdate", "MsgLagPing", "MsgKilled"}
	for i := range games {
		server := wiretest.Host(10, i, 5154)
		for j := range 8 {
			client := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 168, byte(i), byte(j)}), 40000)
			for k, name := range names {
				m := &decode.Message{Name: name, Length: 20 + 3*k + j}
				m.Protocol, m.Transport, m.Src, m.Dst, m.Lane = chess, wire.TCP, server, client, uint32(2*(8*i+j)+1)
				if k%2 == 0 {
					m.Src, m.Dst, m.Lane = client, server, m.Lane+1
				}
				messages = append(messages, m)
			}
			values = append(values,
				&wire.Value{Place: messages[len(messages)-1].Place, Table: "players", Server: server, Who: fmt.Sprintf("%d Player", j), What: "lag", Unit: "s", Number: 0.05},
				&wire.Value{Place: messages[len(messages)-1].Place, Table: "players", Server: server, Who: fmt.Sprintf("%d Player", j), What: "kills", Number: 1},
				&wire.Value{Place: messages[len(messages)-1].Place, Table: "servers", Server: server, What: "map", State: true, Text: "one"})
		}
	}
	return messages, values
}

func TestCountingAllocatesNothing(t *testing.T) {
	var s Stats
	messages, values := traffic(20)
	all := func() {
		for _, m := range messages {
			s.Message(m)
		}
		for _, v := range values {
			s.Value(v)
		}
	}
	all()
	if n := testing.AllocsPerRun(10, all); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCount(b *testing.B) {
	for _, games := range []int{1, 100, 1000} {
		messages, values := traffic(games)
		b.Run(fmt.Sprint("message/", games), func(b *testing.B) {
			var s Stats
			for i := 0; b.Loop(); i++ {
				s.Message(messages[i%len(messages)])
			}
		})
		b.Run(fmt.Sprint("value/", games), func(b *testing.B) {
			var s Stats
			for i := 0; b.Loop(); i++ {
				s.Value(values[i%len(values)])
			}
		})
	}
}

// The default memory has room for 1,000 servers with 10,000 players, each with many series. A quarter must stay free.
func TestDefaultMemory(t *testing.T) {
	const servers, players = 1000, 10
	r := rand.New(rand.NewPCG(13, 14))
	var s Stats
	for i := range servers {
		server := wiretest.Host(10, i, 5154)
		place := wire.Place{Protocol: chess, Dst: server}
		add := func(table, who string, v wire.Value) {
			v.Place, v.Table, v.Server, v.Who = place, table, server, who
			s.Value(&v)
		}
		for j := range players {
			for k, transport := range []wire.Transport{wire.TCP, wire.UDP} {
				place.Time, place.Transport, place.Lane = int64(j), transport, uint32(4*(players*i+j)+2*k+1)
				place.Src = netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, byte(i >> 8), byte(i), byte(j)}), 40000)
				s.Message(&decode.Message{Place: place, Name: "Move", Length: 20})
			}
			who := fmt.Sprintf("%d Player %04d", j, i)
			for _, what := range []string{"captures", "chat lines", "deaths", "flags", "hits", "kills", "shots"} {
				add("players", who, wire.Value{What: what, Number: 1})
			}
			for range 50 {
				add("players", who, wire.Value{What: "lag", Unit: "s", Number: 0.05 + r.NormFloat64()*0.005})
			}
			add("players", who, wire.Value{What: "connected", State: true, Text: "yes"})
			add("players", who, wire.Value{What: "team", State: true, Text: "Purple"})
			add("servers", "", wire.Value{What: "players", State: true, Text: fmt.Sprint(j)})
		}
		add("servers", "", wire.Value{What: "game type", State: true, Text: "capture the flag"})
		add("servers", "", wire.Value{What: "options", State: true, Text: "flags, jumping, ricochet"})
	}
	k := s.kept
	t.Logf("%d KB are in use: %d for conversations, %d for endpoints, %d for tables", k.memory.used>>10, k.conversations.used>>10,
		k.endpoints.used>>10, (k.memory.used-k.conversations.used-k.endpoints.used)>>10)
	if used := k.memory.used; len(s.Full) > 0 || len(s.Conversations) != 2*servers*players || used > DefaultMemory*3/4 {
		t.Errorf("%d KB of %d are in use; full lists: %v", used>>10, DefaultMemory>>10, s.Full)
	}
}
