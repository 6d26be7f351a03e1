package main

import (
	"bytes"
	"fmt"
	"maps"
	"net/netip"
	"strconv"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers"
)

// Who is shot at whose server is counted there, with as many servers and players at once as there are.
func TestLeague(t *testing.T) {
	servers, size, rounds := 20, 10, 8
	if wiretest.Full() {
		servers = 1000
	}
	var file bytes.Buffer
	r, err := newRecorder(&file, maxSize)
	if err != nil {
		t.Fatal(err)
	}
	l, err := newLeague(r, servers, size)
	if err != nil {
		t.Fatal(err)
	}
	want, got := make(map[string]int), make(map[string]int)
	key := func(server netip.Addr, who, what string) string { return fmt.Sprintf("%v %s %s", server, who, what) }
	l.join()
	for range rounds {
		l.round(func(killer, victim *player) {
			server, _ := netip.AddrFromSlice(victim.server)
			want[key(server, victim.name, "deaths")]++
			want[key(server, killer.name, "kills")]++
		})
	}
	playing := len(l.players)
	if l.err != nil {
		t.Fatal(l.err)
	}
	players := make(map[netip.Addr]string)
	e := decode.New(decode.Options{
		Protocols: layers.All(), Parallel: true,
		Message: func(m *decode.Message) {
			for _, f := range m.Findings {
				if f.Rule.Severity > wire.Note {
					t.Errorf("packet %d, %s: %s: %s", m.Frame, m.Name, f.Rule.ID, f.Text)
				}
			}
		},
		Finding: func(f *wire.TrafficFinding) {
			if f.Rule.Severity > wire.Note {
				t.Errorf("packet %d: %s: %s", f.Frame, f.Rule.ID, f.Text)
			}
		},
		Value: func(v *wire.Value) {
			switch {
			case v.Table == "players" && (v.What == "deaths" || v.What == "kills"):
				got[key(v.Server.Addr(), v.Who, v.What)] += int(v.Number)
			case v.What == "players":
				players[v.Server.Addr()] = v.Text
			}
		},
	})
	feed(t, e, &file)
	e.Close()
	if !maps.Equal(got, want) || len(want) < servers {
		n := 0
		for k, v := range want {
			if got[k] != v && n < 5 {
				n++
				t.Errorf("%s: %d, want %d", k, got[k], v)
			}
		}
		t.Errorf("%d players have deaths or kills, want %d", len(got), len(want))
	}
	for server, n := range players {
		if n != strconv.Itoa(size) {
			t.Errorf("%v has %s players, want %d", server, n, size)
		}
	}
	if len(players)*size != playing {
		t.Errorf("%d servers have players, want %d", len(players), servers)
	}
}
