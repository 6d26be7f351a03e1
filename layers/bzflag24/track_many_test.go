package bzflag24_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// games are several games at the same time, each between its own hosts. They share one session and one tracker.
type games struct {
	layer   *bzflag24.Layer
	session wire.Session
	tracker wire.Tracker
	memory  *bounded.Budget
	found   [][]string // results for each game

	// The current message.
	place    wire.Place
	datagram wire.Datagram
	data     []byte
}

// newGames returns n games.
func newGames(t *testing.T, n int) *games {
	g := &games{
		layer:  bzflag24.Protocol.New().(*bzflag24.Layer),
		memory: bounded.NewBudget(bounded.DefaultMemory), found: make([][]string, n),
	}
	game := func(server netip.AddrPort) *[]string {
		for i := range g.found {
			if numbered(i) == server {
				return &g.found[i]
			}
		}
		t.Fatalf("no game is at %s", server)
		return nil
	}
	g.session = bzflag24.Protocol.NewSession(g.memory)
	g.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{
		Memory: g.memory,
		Finding: func(f *wire.TrafficFinding) {
			server := f.Dst
			if server.Port() != bzflag24.Port {
				server = f.Src
			}
			to := game(server)
			*to = append(*to, fmt.Sprintf("%d %s %s", f.Time, f.Rule.ID, f.Text))
		},
		Value: func(v *wire.Value) {
			to := game(v.Server)
			text := strings.ReplaceAll(v.Text, clientOf(v.Server).String(), "the client")
			who := strings.ReplaceAll(v.Who, clientOf(v.Server).String(), "the client")
			*to = append(*to, fmt.Sprintf("%d %s: %s > %s %s %g %q", v.Time, v.Table, who, v.Whom, v.What, v.Number, text))
		},
	})
	return g
}

// clientOf returns the address of a server's clients.
func clientOf(server netip.AddrPort) netip.Addr {
	host := server.Addr().As4()
	host[1] = 16
	return netip.AddrFrom4(host)
}

// hear plays a message in a game.
func (g *games) hear(game int, s said) {
	p := &g.place
	*p = wire.Place{Time: int64(time.Hour + s.at), Transport: wire.TCP, Src: numbered(game), Conversation: 2 * game}
	p.Dst = netip.AddrPortFrom(clientOf(p.Src), 40_000)
	lane := 8 * game
	if s.other {
		p.Dst, p.Conversation = netip.AddrPortFrom(p.Dst.Addr(), 40_001), p.Conversation+1
		lane += 4
	}
	if s.udp {
		p.Transport = wire.UDP
		lane += 2
	}
	p.Lane = uint32(lane + 1)
	way := wire.FromServer
	if s.toServer {
		p.Src, p.Dst, p.Lane, way = p.Dst, p.Src, wire.ReverseLane(p.Lane), wire.ToServer
	}
	g.memory.Turn()
	g.tracker.Time(p.Time)
	g.data = append(g.data[:0], s.message...)
	d := &g.datagram
	*d = wire.Datagram{Src: p.Src, Dst: p.Dst, Payload: g.data, Lane: p.Lane}
	g.layer.Context = wire.Context{Direction: way, Transport: p.Transport}
	g.session.Before(g.layer, d)
	_ = g.layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback)
	g.session.After(g.layer, d)
	g.tracker.Message(g.layer, p)
	for _, f := range g.layer.Findings() {
		g.found[game] = append(g.found[game], fmt.Sprintf("%s %d+%d %s", f.Rule.ID, f.Off, f.Size, f.Text))
	}
}

// TestSteadyState checks that updates, the most frequent messages, do not allocate, for any number of players.
func TestSteadyState(t *testing.T) {
	const many = 300
	g := newGames(t, many)
	own, relayed := update(1), bySrv(message("ps", zeros(4)+"\x06"+zeros(22))).overUDP()
	for game := range many {
		for _, s := range slices.Concat(joined, []said{added(6, 1), born(6)}) {
			g.hear(game, s)
		}
	}
	n := testing.AllocsPerRun(20, func() {
		for game := range many {
			g.hear(game, own)
			g.hear(game, relayed)
		}
	})
	if n > 0 {
		t.Errorf("%g allocations for %d messages", n, 2*many)
	}
}

// TestThousandServers plays ten players on each of a thousand servers. The tracker's state must fit into half of the
// default memory, since the session and other state need the rest.
func TestThousandServers(t *testing.T) {
	const servers, players, flags = 1000, 10, 40
	memory := bounded.NewBudget(96 << 20)
	counts := make(map[string]int)
	k := newTracked()
	k.memory = memory
	k.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{Memory: memory, Value: func(v *wire.Value) {
		counts[strings.TrimPrefix(v.Table, "players")+v.What+" "+v.Text]++
	}})
	var sent []string // messages from the server to each client
	sent = append(sent, "", message("ac", "\x00"))
	for id := range byte(players) {
		sent = append(sent, added(id, 1).message, born(id).message)
	}
	for number := range byte(flags) {
		sent = append(sent, updated(number, "GM", 1, 255).message)
	}
	sent = append(sent, message("kl", "\x01\x02\x00\x01\x00\x01\x00\x00"))
	for i := range sent {
		for at := range servers * players {
			p := wire.Place{Transport: wire.TCP, Src: numbered(at / players), Dst: numbered(1<<20 + at), Lane: uint32(2*at + 1)}
			text := []byte(sent[i])
			switch i {
			case 0:
				text = append([]byte("BZFS0221"), byte(at%players))
			case 1:
				text[4] = byte(at % players)
			}
			p.Time, p.Conversation = int64(i), at
			k.says(wire.FromServer, p, text)
		}
	}
	memory.Turn()
	t.Logf("%d MB are in use", memory.Used()>>20)
	if n := memory.Forgotten(); n != nil {
		t.Errorf("%v was dropped", n)
	}
	for _, what := range []string{"deaths ", "kills ", "hits ", "serversplayers 10"} {
		if counts[what] != servers {
			t.Errorf("%q was reported %d times, want %d", what, counts[what], servers)
		}
	}
}
