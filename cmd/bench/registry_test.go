package main

import (
	"bytes"
	"fmt"
	"maps"
	"net/netip"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// Each of the servers that announce themselves at once has a name, players, and a time between heartbeats.
func TestRegistry(t *testing.T) {
	servers, rounds := 500, 3
	if wiretest.Full() {
		servers = 10_000
	}
	var file bytes.Buffer
	r, err := newRecorder(&file, maxSize)
	if err != nil {
		t.Fatal(err)
	}
	m := newTribesMaster(1)
	players := make(map[netip.Addr]string)
	m.onMessage = func(x *exchange, body wire.Body) {
		if b, ok := body.(*tribes.GameInfoReply); ok {
			players[netip.AddrFrom4(x.ip)] = fmt.Sprintf("%d/%d", b.Players, b.MaxPlayers)
		}
	}
	for range rounds {
		if err := m.register(r, servers); err != nil {
			t.Fatal(err)
		}
		r.now = r.now.Add(betweenHeartbeats)
	}
	got, names, numbers := make(map[netip.Addr]string), make(map[netip.Addr]string), make(map[string]map[netip.Addr]int)
	messages := 0
	e := decode.New(decode.Options{
		Protocols: layers.All(), Parallel: true,
		Message: func(m *decode.Message) {
			messages++
			for _, f := range m.Findings {
				if f.Rule.Severity > wire.Note {
					t.Errorf("packet %d, %s: %s: %s", m.Frame, m.Name, f.Rule.ID, f.Text)
				}
			}
		},
		Finding: func(f *wire.TrafficFinding) {
			if forgotten := f.Rule == decode.RuleForgotten && servers > 8192; !forgotten && f.Rule.Severity > wire.Note {
				t.Errorf("packet %d: %s: %s", f.Frame, f.Rule.ID, f.Text)
			}
		},
		Value: func(v *wire.Value) {
			at := v.Server.Addr()
			switch v.What {
			case "players":
				got[at] = v.Text
			case "name":
				names[at] = v.Text
			default:
				if numbers[v.What] == nil {
					numbers[v.What] = make(map[netip.Addr]int)
				}
				numbers[v.What][at]++
			}
		},
	})
	feed(t, e, &file)
	e.Close()
	if messages != 3*rounds*servers {
		t.Errorf("%d messages, want %d", messages, 3*rounds*servers)
	}
	if !maps.Equal(got, players) || len(got) != servers {
		t.Errorf("%d servers have players, not as they said, or not %d", len(got), len(players))
	}
	for at := range players {
		if want := "Server of " + at.String(); names[at] != want {
			t.Errorf("%v is called %q", at, names[at])
		}
	}
	for what, want := range map[string]int{"heartbeat interval": rounds - 1, "ping": rounds} {
		for at := range players {
			if n := numbers[what][at]; n != want {
				t.Errorf("%v has %d times a %s, want %d", at, n, what, want)
			}
		}
	}
}
