package cli

import (
	"encoding/json"
	"net/netip"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/layers"
)

// countedThings are the statistics that --stats writes.
type countedThings struct {
	Protocols map[string]struct {
		Tables map[string]any
	}
	Conversations map[string]countedTalk
}

type countedTalk struct {
	CommunityID string `json:"community_id"`
	Protocol    string
	Stream      int
	First       int64      `json:"first_ns"`
	Last        int64      `json:"last_ns"`
	AB          countedWay `json:"a_to_b"`
	BA          countedWay `json:"b_to_a"`
}

type countedWay struct{ Messages, Bytes int64 }

// compareValues checks three things: that the statistics computed from values.parquet equal the program's statistics,
// that the events in values.parquet equal the timeline, and that conversations.parquet has the conversations.
func compareValues(t *testing.T, d *duckdb, file, dir string) {
	t.Helper()
	statsFile := filepath.Join(t.TempDir(), "stats.json")
	timeline, _, _ := dissect("-r", file, "-q", "-z", "timeline", "-T", "json", "--stats", statsFile)
	text := clitest.ReadFile(t, statsFile)
	want, counts := parseCounted(t, text), new(stats.Stats)
	var happened []*wire.Value
	for _, row := range d.rows(filepath.Join(dir, "values.parquet")) {
		v := valueOf(t, row)
		counts.Value(v)
		if v.Event {
			happened = append(happened, v)
		}
	}
	slices.SortStableFunc(happened, func(a, b *wire.Value) int { return int(min(max(a.Time-b.Time, -1), 1)) })
	var events []string
	for _, v := range happened {
		events = append(events, eventText(v.Time, int64(v.Frame), v.Protocol.Name, v.What, v.Who, v.Whom, v.Text))
	}
	text, err := counts.MarshalJSON()
	clitest.NoError(t, err)
	got := parseCounted(t, text)
	for protocol := range want.Protocols {
		if diff := cmp.Diff(want.Protocols[protocol].Tables, got.Protocols[protocol].Tables); diff != "" {
			t.Errorf("%s: %s: counted from the table (+) and by the program (-):\n%s", file, protocol, diff)
		}
	}
	if diff := cmp.Diff(timelineEvents(t, timeline), events); diff != "" {
		t.Errorf("%s: events of the table (+) and of the timeline (-):\n%s", file, diff)
	}
	if talks := talksOf(t, d, dir); !reflect.DeepEqual(want.Conversations, talks) {
		t.Errorf("%s: conversations of the table (+) and of the program (-):\n%s", file, cmp.Diff(want.Conversations, talks))
	}
}

func parseCounted(t *testing.T, text []byte) (c countedThings) {
	t.Helper()
	clitest.NoError(t, json.Unmarshal(text, &c))
	return c
}

// valueOf converts a row of values.parquet back to a value.
func valueOf(t *testing.T, row map[string]any) *wire.Value {
	t.Helper()
	text := func(name string) string {
		s, _ := row[name].(string)
		return s
	}
	at, err := time.Parse("2006-01-02 15:04:05.999999999", text("time"))
	clitest.NoError(t, err)
	kind := text("kind")
	v := &wire.Value{
		Place: wire.Place{Frame: int(row["frame"].(float64)), Time: at.UnixNano()},
		Table: text("about"), Who: text("who"), Whom: text("whom"), What: text("what"), Unit: text("unit"),
		Text: text("text"), State: kind == "state", Answer: kind == "answer", Event: kind == "event",
	}
	v.Number, _ = row["value"].(float64)
	for _, p := range layers.All() {
		if p.Name == text("protocol") {
			v.Protocol = p
		}
	}
	if s := text("server"); s != "" {
		if v.Server, err = netip.ParseAddrPort(s); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// eventText returns an event as one text, for comparison.
func eventText(at, frame int64, words ...string) string {
	b, _ := json.Marshal([]any{at, frame, words}) // cannot fail
	return string(b)
}

func timelineEvents(t *testing.T, lines string) (events []string) {
	t.Helper()
	for line := range strings.Lines(lines) {
		var e struct {
			Time                             time.Time
			Frame                            int64
			Protocol, Event, Who, Whom, Text string
		}
		clitest.NoError(t, json.Unmarshal([]byte(line), &e))
		events = append(events, eventText(e.Time.UnixNano(), e.Frame, e.Protocol, e.Event, e.Who, e.Whom, e.Text))
	}
	return events
}

// talksOf converts the rows of conversations.parquet to the form in which --stats writes conversations.
func talksOf(t *testing.T, d *duckdb, dir string) map[string]countedTalk {
	t.Helper()
	talks := make(map[string]countedTalk)
	for _, row := range d.rows(filepath.Join(dir, "conversations.parquet")) {
		number := func(name string) int64 { return int64(row[name].(float64)) }
		var c countedTalk
		c.CommunityID, c.Protocol, c.Stream = row["community_id"].(string), row["protocol"].(string), int(number("stream"))
		for name, to := range map[string]*int64{"time": &c.First, "last_time": &c.Last} {
			at, err := time.Parse("2006-01-02 15:04:05.999999999", row[name].(string))
			clitest.NoError(t, err)
			*to = at.UnixNano()
		}
		ends := []netip.AddrPort{endOf(row, "src"), endOf(row, "dst")}
		c.AB = countedWay{number("src_messages"), number("src_bytes")}
		c.BA = countedWay{number("dst_messages"), number("dst_bytes")}
		if ends[1].Compare(ends[0]) < 0 {
			slices.Reverse(ends)
			c.AB, c.BA = c.BA, c.AB
		}
		name := row["transport"].(string) + " " + ends[0].String() + " " + ends[1].String()
		if _, twice := talks[name]; twice {
			t.Errorf("%s occurs twice", name)
		}
		talks[name] = c
	}
	return talks
}

func endOf(row map[string]any, name string) netip.AddrPort {
	return netip.AddrPortFrom(netip.MustParseAddr(row[name].(string)), uint16(row[name+"_port"].(float64)))
}
