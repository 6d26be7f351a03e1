package view

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/internal/stats"
)

// TestTimeline checks that the timeline has the events of -z timeline, each with the message that shows the event, and
// the times at which players were present.
func TestTimeline(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/bz24-ctf-capture.pcap")
	a := call[timelineAnswer](t, v, "timeline", "{}")
	kill := Event{
		Row: 709, Time: 20.279412, Protocol: "bzflag24", Server: "127.0.0.1:5154", Event: "kill", Who: "2 frank",
		Whom: "1 erin",
	}
	kills := 0
	for _, e := range a.Events {
		if e.Event == "kill" {
			if e.Text = ""; kills == 0 && e != kill {
				t.Errorf("%+v, want %+v", e, kill)
			}
			kills++
		}
		if e.Row < 0 && e.Event != "leave" && e.Event != "unanswered" || e.Row >= v.rows.len() { // a connection may end without a message
			t.Errorf("%+v", e)
		}
	}
	if len(a.Events) != 12 || kills != 2 || a.Kinds["kill"] != 2 {
		t.Errorf("%d events, %d kills, %v", len(a.Events), kills, a.Kinds)
	}
	want := map[string]Life{
		"":        {Kind: "server", From: 0, To: 152.861535},
		"0 root":  {Kind: "player", From: 0.253283, To: 151.609, Began: true, Ended: true},
		"1 erin":  {Kind: "player", From: 2.718646, To: 41.465631, Began: true, Ended: true},
		"2 frank": {Kind: "player", From: 8.320709, To: 152.861476, Began: true, Ended: true},
	}
	for _, l := range a.Lives {
		w := want[l.Who]
		w.Who, w.Server, w.Protocol = l.Who, "127.0.0.1:5154", "bzflag24"
		if *l != w {
			t.Errorf("%+v, want %+v", *l, w)
		}
	}
	if len(a.Lives) != len(want) {
		t.Errorf("%d lives", len(a.Lives))
	}
	filtered := call[timelineAnswer](t, v, "timeline", `{"filter": "bzflag24.killed", "ms": 10000}`)
	if len(filtered.Events) != 2 || filtered.Kinds["kill"] != 2 || len(filtered.Lives) != len(a.Lives) || !filtered.Done {
		t.Errorf("%+v", filtered)
	}
	some := call[timelineAnswer](t, v, "timeline", `{"from": 10, "to": 40, "count": 1}`)
	if len(some.Events) != 1 || some.LeftOut == 0 || some.Events[0].Time < 10 {
		t.Errorf("%+v", some)
	}
}

// TestNumbers checks sums: the rates must add up to the number of messages, and a plot must have a point for each
// message.
func TestNumbers(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/bz24-ctf-capture.pcap")
	for _, by := range []string{"name", "protocol", "stream", "severity"} {
		sum, total := 0, 0
		for _, s := range call[ratesAnswer](t, v, "rates", `{"intervals": 7, "by": "`+by+`"}`).Series {
			total += s.Total
			for _, n := range s.Counts {
				sum += n
			}
		}
		if sum != v.rows.len() || total != v.rows.len() {
			t.Errorf("by %s: the counts add up to %d and %d, want %d", by, sum, total, v.rows.len())
		}
	}
	plot := call[plotAnswer](t, v, "plot", `{"field": "bzflag24.player_update_small.position", "points": 10, "ms": 10000,
		"by": "bzflag24.player_update_small.player"}`)
	line := plot.Lines[0]
	if !plot.Done || len(plot.Lines) != 9 || line.Name != "1 erin x" || line.Count != 629 || len(line.Times) > 10 {
		t.Errorf("%d lines, %+v", len(plot.Lines), line)
	}
	lag := call[plotAnswer](t, v, "plot", `{"measured": {"table": "players", "what": "lag", "who": "1 erin"}}`)
	if len(lag.Lines) != 1 || lag.Unit != "s" || lag.Lines[0].Max != 0.00717 || lag.Lines[0].Rows[0] != 113 ||
		math.Abs(lag.Lines[0].Mean-0.005312) > 1e-9 {
		t.Errorf("%+v", lag)
	}
	counted := call[tablesAnswer](t, v, "stats", "{}")
	kills := &Matrix{
		Name: "kills", Title: "BZFlag 2.4: kills", Protocol: "bzflag24", Server: "127.0.0.1:5154", Who: []stats.NameCount{{Name: "2 frank", Count: 2}},
		Whom: []stats.NameCount{{Name: "1 erin", Count: 2}}, Counts: [][]int{{2}}, Total: 2,
	}
	if diff := cmp.Diff([]*Matrix{kills}, counted.Matrices); diff != "" {
		t.Errorf("matrices (-want +got):\n%s", diff)
	}
	for _, table := range counted.Tables {
		headings := map[string]bool{}
		for _, c := range table.Columns {
			if headings[c.Name] {
				t.Errorf("%s: two columns are called %s", table.Name, c.Name)
			}
			headings[c.Name] = true
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Errorf("%s: %d cells, %d columns", table.Name, len(row), len(table.Columns))
			}
			for i, cell := range row {
				if _, isText := cell.(string); cell != nil && isText == table.Columns[i].Number {
					t.Errorf("%s: %v in the column %+v", table.Name, cell, table.Columns[i])
				}
			}
		}
	}
}

// TestWorld checks that world returns the world of a game, and that paths returns the tanks' positions in that world.
func TestWorld(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/bz24-ctf-capture.pcap")
	worlds := call[worldsAnswer](t, v, "worlds", "{}").Worlds
	if len(worlds) != 1 || worlds[0].Server != "127.0.0.1:5154" {
		t.Fatalf("%+v", worlds)
	}
	w := call[worldAnswer](t, v, "world", `{"world": 0}`)
	if !w.Whole || !strings.HasPrefix(w.SVG, "<svg ") || !strings.Contains(w.Text, "base") {
		t.Errorf("%+v", w)
	}
	places, next, calls := 0, 0, 0
	for done := false; !done; calls++ {
		request := fmt.Sprintf(`{"server": "127.0.0.1:5154", "ms": 0, "start": %d}`, next)
		a := call[pathsAnswer](t, v, "paths", request)
		for _, tank := range a.Tanks {
			places += len(tank.Times)
		}
		next, done = a.Next, a.Done
	}
	all := call[pathsAnswer](t, v, "paths", `{"ms": 10000}`)
	together := 0
	for _, tank := range all.Tanks {
		together += len(tank.X)
	}
	if places < together || together < 800 || calls < 50 { // an answer may begin with an unnoticed copy
		t.Errorf("%d positions in %d calls, but %d in one call", places, calls, together)
	}
}

// TestMaskSecrets checks that secrets are masked only if the Options say so.
func TestMaskSecrets(t *testing.T) {
	data := bytesOf(t, "../../testdata/pcap/bz24-admin.pcap")
	for _, masked := range []bool{false, true} {
		v := readAll(begin(t, data, "admin", Options{MaskSecrets: masked}))
		stars := 0
		for n := range v.rows.len() {
			b := v.Call("detail", fmt.Appendf(nil, `{"row": %d}`, n))
			if bytes.Contains(b, []byte(hex.EncodeToString([]byte("****")))) {
				stars++
			}
		}
		if masked != (stars > 0) {
			t.Errorf("masked: %v; %d rows have asterisks", masked, stars)
		}
	}
}
