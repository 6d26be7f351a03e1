package view

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/testcapture"
)

// call sends a request, which must succeed, and decodes the answer.
func call[A any](t testing.TB, v *View, op, request string) (a A) {
	t.Helper()
	b := v.Call(op, []byte(request))
	if strings.HasPrefix(string(b), `{"error":{`) {
		t.Fatalf("%s %s: %s", op, request, b)
	}
	if err := json.Unmarshal(b, &a); err != nil {
		t.Fatalf("%s %s: %v", op, request, err)
	}
	return a
}

// Each of requests succeeds for any capture.
var requests = [][2]string{
	{"state", ""}, {"step", `{"bytes": 1}`}, {"rows", `{"count": 1000}`}, {"rows", `{"around": 7, "count": 5}`},
	{"rows", `{"filter": "finding", "ms": 10000, "around": 3}`}, {"filter", `{"text": "udp || tcp", "ms": 10000}`}, {"next", `{"row": -1}`},
	{"complete", `{"text": "bz"}`}, {"fields", `{"protocol": "tribes"}`}, {"findings", "{}"},
	{"findings", `{"filter": "udp"}`}, {"timeline", `{"from": 1, "to": 1e300}`}, {"rates", `{"by": "severity"}`},
	{"rates", `{"from": -1e300, "to": 1e300, "by": "stream"}`}, {"rates", `{"filter": "tcp", "by": "protocol"}`},
	{"sequence", "{}"}, {"sequence", `{"clients": ["all"], "hosts": ["127.0.0.1"], "around": 7, "filter": "tcp"}`},
	{"sequence", `{"apart": true, "count": 1000}`}, {"sequence", `{"around": -3, "hide": ["127.0.0.1:5154"]}`},
	{"rows", `{"only": []}`}, {"measured", ""}, {"plot", `{"field": "length", "by": "message", "ms": 10000, "points": 3}`},
	{"plot", `{"measured": {"what": "lag"}}`}, {"stats", `{"count": 3}`}, {"worlds", ""}, {"paths", ""},
	{"export", ""}, {"export", `{"filter": "tcp"}`}, {"summary", ""}, {"sequence", `{"no_moves": true}`},
	{"rates", `{"round": true}`}, {"rates", `{"from": -1e300, "to": 1e300, "round": true, "by": "stream"}`},
}

// TestCallEverything sends every request about every capture. Each answer must have a limited size, each row must be
// shown, and the filter that the page proposes for a field must match the field's message.
func TestCallEverything(t *testing.T) {
	for _, name := range testcapture.Names(t, "../../testdata/pcap/*", "../../testdata/odd/*") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			v := openFile(t, name)
			askAll(t, v)
			if most := v.rows.limit * 5 / 4; v.memory() > most {
				t.Errorf("%d bytes are kept, want at most %d", v.memory(), most)
			}
			for n := range v.rows.len() {
				if n > 100 && n%37 != 0 || !wiretest.Full() && n > 20 && n%101 != 0 {
					continue
				}
				d := call[detailAnswer](t, v, "detail", fmt.Sprintf(`{"row": %d}`, n))
				if d.Row.Row != n {
					t.Fatalf("row %d has the number %d", n, d.Row.Row)
				}
				if !d.Finding && len(d.Tree) == 0 && d.Captured > 0 {
					t.Errorf("row %d has no tree", n)
				}
				fresh, _ := v.filters.newScan("")
				x, err := fresh.subject(n)
				if err != nil {
					t.Fatal(err)
				}
				filtersMatch(t, v, n, x, d.Tree)
			}
		})
	}
}

// filtersMatch checks that the filters in a tree match the tree's message.
func filtersMatch(t *testing.T, v *View, row int, x *filter.Subject, nodes []*Node) {
	for _, n := range nodes {
		filtersMatch(t, v, row, x, n.Children)
		if n.Filter == "" {
			continue
		}
		f, err := v.filters.schema.Compile(n.Filter, nil)
		if err != nil {
			t.Errorf("row %d: %v", row, err)
			continue
		}
		if !f.Match(x) {
			t.Errorf("row %d: does not match %s", row, n.Filter)
		}
	}
}

// TestFilterPauses checks that the matches of a filter do not depend on how often the work pauses, and that rows lists
// them.
func TestFilterPauses(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/bz24-ctf-capture.pcap")
	calls := 0
	var a filterAnswer
	for !a.Done {
		a = call[filterAnswer](t, v, "filter", `{"text": "bzflag24.killed", "ms": 0}`)
		calls++
	}
	if a.Matches != 8 || a.Of != v.rows.len() || calls < 100 {
		t.Errorf("%d of %d rows match after %d calls", a.Matches, a.Of, calls)
	}
	rows := call[rowsAnswer](t, v, "rows", `{"filter": "bzflag24.killed", "from": 6}`)
	if len(rows.Rows) != 2 || rows.Total != 8 || rows.Rows[1].Name != "MsgKilled" {
		t.Errorf("%+v", rows)
	}
	around := call[rowsAnswer](t, v, "rows", fmt.Sprintf(`{"filter": "bzflag24.killed", "count": 3, "around": %d}`,
		rows.Rows[0].Row))
	if around.From != 5 || len(around.Rows) != 3 || around.Rows[1].Row != rows.Rows[0].Row {
		t.Errorf("%+v", around)
	}
}

// TestCallErrors checks that errors are answers in JSON, and that errors in filters have a position.
func TestCallErrors(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/bz24-ctf-players.pcap")
	for _, q := range [][3]string{
		{"nothing", "{}", `{"error":{"text":"no such operation: \"nothing\""}}`},
		{"rows", "[]", `{"error":{"text":"invalid request: `},
		{"rows", `{"form": 3}`, `{"error":{"text":"invalid request: unknown field \"form\""}}`},
		{"rows", `{} {}`, `{"error":{"text":"invalid request: more text follows it"}}`},
		{"detail", `{"row": -1}`, `{"error":{"text":"no such row: -1"}}`},
		{"detail", `{"row": 100000}`, `{"error":{"text":"no such row: 100000"}}`},
		{"filter", `{"text": "udp && bzflag24.kiled"}`, `"offset":7,"size":14,"meant":["bzflag24.killed`},
		{"plot", `{"field": "message"}`, `{"error":{"text":"message is text, which cannot be plotted"}}`},
		{"rates", `{"by": "day"}`, `{"error":{"text":"by must be name, protocol, stream or severity"}}`},
		{"world", `{"world": 64}`, `{"error":{"text":"no such world: 64"}}`},
	} {
		if b := string(v.Call(q[0], []byte(q[1]))); !strings.Contains(b, q[2]) {
			t.Errorf("%s %s: %s, want %s", q[0], q[1], b, q[2])
		}
	}
}

// TestComplete checks that complete proposes names and, after a comparison operator, the values of the field.
func TestComplete(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/bz24-ctf-players.pcap")
	for _, c := range []struct {
		text     string
		from, to int
		first    string
	}{
		{"bzflag24.killed.rea", 0, 19, "bzflag24.killed.reason"},
		{"udp && !(tribes.pi", 9, 18, "tribes.ping"},
		{`bzflag24.killed.reason == "GotS`, 26, 31, `"GotShot"`},
		{`bzflag24.killed.reason != gots`, 26, 30, `"GotShot"`},
		{"Killed", 0, 6, "bzflag24.killed"},
		{"udp && wh", 7, 9, "who"},
		{`direction == `, 13, 13, `"c2s"`},
	} {
		q, _ := json.Marshal(completeRequest{Text: c.text})
		a := call[completeAnswer](t, v, "complete", string(q))
		if len(a.Names) == 0 || a.From != c.from || a.To != c.to || !strings.HasPrefix(a.Names[0].Name, c.first) {
			t.Errorf("%s: %+v", c.text, a)
		}
	}
}
