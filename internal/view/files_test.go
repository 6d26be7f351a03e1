package view

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gamedissect/gamedissect/internal/summary"
	"github.com/gamedissect/gamedissect/layers"
)

// opened opens files of testdata/pcap and reads all of them.
func opened(t *testing.T, names ...string) *View {
	t.Helper()
	var all []File
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "pcap", name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, File{bytes.NewReader(b), int64(len(b)), name})
	}
	v, err := OpenAll(all, Options{Protocols: layers.All()})
	if err != nil {
		t.Fatal(err)
	}
	for v.Step(1<<20, 1<<30) {
	}
	return v
}

// TestSeveralFiles checks that each row comes from its own file, and that an export contains the packets of all files.
func TestSeveralFiles(t *testing.T) {
	const first, second, third = "bz24-ctf-capture.pcap", "bz17-c-violations.pcap", "tribes-x-control.pcap"
	all := newFiles([]File{{Name: "a"}, {Name: "b"}, {Name: "a"}}).all
	if all[2].Name != "a (2)" {
		t.Errorf("%+v", all)
	}
	want := int64(0)
	for _, name := range []string{first, second, third} {
		want += opened(t, name).State().Packets
	}
	both := opened(t, first, second, third)
	if got := both.State(); got.Packets != want || got.Name != first+" and 2 more" {
		t.Errorf("%d packets of %s, want %d", got.Packets, got.Name, want)
	}
	files := map[string]int{}
	for n := range both.rows.len() {
		m, err := both.rows.message(n)
		if err != nil {
			t.Fatal(err)
		}
		if m != nil {
			files[m.File]++
		}
	}
	s := call[summary.Summary](t, both, "summary", "{}")
	for i, name := range []string{first, second, third} {
		if f := s.Files[i]; f.Name != name || int(f.Messages) != files[name] || f.Messages == 0 || f.Packets == 0 {
			t.Errorf("%+v, rows: %d", f, files[name])
		}
	}
	exported := []byte{}
	for next, done := 0, false; !done; {
		request, _ := json.Marshal(exportRequest{Next: next})
		a := call[exportAnswer](t, both, "export", string(request))
		exported, next, done = append(exported, a.Data...), a.Next, a.Done
	}
	again, err := Open(bytes.NewReader(exported), int64(len(exported)), "all.pcapng", Options{Protocols: layers.All()})
	if err != nil {
		t.Fatal(err)
	}
	for again.Step(1<<20, 1<<30) {
	}
	if got, want := again.State(), both.State(); got.Packets != want.Packets || got.Messages != want.Messages {
		t.Errorf("the export has %d packets, %d messages; want %d, %d", got.Packets, got.Messages, want.Packets, want.Messages)
	}
}

// TestSummaryMatchesState compares the summary with the state.
func TestSummaryMatchesState(t *testing.T) {
	v := opened(t, "bz17-c-violations.pcap")
	s, state := call[summary.Summary](t, v, "summary", "{}"), v.State()
	if s.Packets != state.Packets || s.Messages != state.Messages || s.Health.Errors != state.Findings["error"] ||
		s.Health.Warnings != state.Findings["warning"] || s.Health.Notes != state.Findings["note"] || len(s.Servers) == 0 {
		t.Errorf("summary %+v\nstate %+v", s, state)
	}
}

// TestRoundIntervals checks that intervals have round lengths, begin at multiples of their length, and count the same
// messages.
func TestRoundIntervals(t *testing.T) {
	v := opened(t, "bz24-ctf-capture.pcap")
	count := func(request string) (a ratesAnswer, n int) {
		a = call[ratesAnswer](t, v, "rates", request)
		for _, r := range a.Series {
			for _, c := range r.Counts {
				n += c
			}
		}
		return a, n
	}
	_, want := count(`{"intervals": 100}`)
	a, got := count(`{"intervals": 100, "round": true}`)
	if a.Interval != 2 || a.From != 0 || a.Intervals > 101 || len(a.Bytes) != a.Intervals || got != want || len(a.Series) != maxRates+1 {
		t.Errorf("%d intervals of %g s from %g: %d messages, want %d", a.Intervals, a.Interval, a.From, got, want)
	}
	if a, _ := count(`{"intervals": 100, "round": true, "from": 31.4, "to": 41}`); a.Interval != 0.1 || a.From < 31.39 || a.From > 31.41 {
		t.Errorf("from %g in steps of %g", a.From, a.Interval)
	}
}

// TestSequenceOfPlayers checks that ends have the names of players. It also checks that position reports are omitted on
// request, except those with findings.
func TestSequenceOfPlayers(t *testing.T) {
	v := opened(t, "bz24-ctf-capture.pcap")
	all := call[sequenceAnswer](t, v, "sequence", `{"count": 1000, "apart": true, "ms": 10000}`)
	still := call[sequenceAnswer](t, v, "sequence", `{"count": 1000, "apart": true, "no_moves": true, "ms": 10000}`)
	names := ""
	for _, e := range all.Ends {
		names += e.Name + ","
	}
	if names != ",0 root,1 erin,2 frank," {
		t.Errorf("ends: %s", names)
	}
	moves := 0
	for _, l := range still.Lines {
		if l.Move && l.Severity == "" {
			moves++
		}
	}
	if still.Arrows >= all.Arrows || still.Arrows == 0 || moves > 0 {
		t.Errorf("%d of %d arrows, %d moves", still.Arrows, all.Arrows, moves)
	}
}
