package cli

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// TestIntervals holds -z io against what -T json has of the messages.
func TestIntervals(t *testing.T) {
	file := filepath.Join(clitest.Captures, "bz24-ctf-capture.pcap")
	out, _, _ := dissect("-r", file, "-T", "json")
	type counts struct{ packets, messages, length, findings int }
	want := make(map[int]counts)
	last, first := 0, time.Time{}
	for line := range strings.Lines(out) {
		var m struct {
			Frame, Length int
			Time          time.Time
			Message       string
			Findings      []any
		}
		clitest.NoError(t, json.Unmarshal([]byte(line), &m))
		if m.Message == "" {
			continue
		}
		if first.IsZero() {
			if first = m.Time; m.Frame != 4 { // the packets before are of the connection that begins
				t.Fatal("the first message is of frame", m.Frame)
			}
		}
		n := int(m.Time.Sub(first).Seconds() / 7)
		c := want[n]
		if m.Frame != last {
			c.packets++
			last = m.Frame
		}
		c.messages++
		c.length += m.Length
		c.findings += len(m.Findings)
		want[n] = c
	}
	rows := ioRows(t, "-r", file, "-Y", "frame.number >= 4", "-z", "io,7,count(length),avg(length),max(length)")
	if len(rows) < 20 {
		t.Fatalf("%d rows", len(rows))
	}
	for n, row := range rows {
		c := want[n]
		got := counts{packets: int(row["packets"]), messages: int(row["messages"]), length: int(row["bytes"])}
		if got.packets != c.packets || got.messages != c.messages || got.length != c.length || int(row["count(length)"]) != c.messages ||
			c.messages > 0 && math.Abs(row["avg(length)"]*float64(c.messages)-float64(c.length)) > 0.01 || row["from"] != float64(7*n) {
			t.Errorf("from %d s there are %+v, want %+v", 7*n, row, c)
		}
		delete(want, n)
	}
	if len(want) > 0 {
		t.Errorf("missing are %v", want)
	}
}

// ioRows gives the numbers of the rows of -z io.
func ioRows(t *testing.T, args ...string) (rows []map[string]float64) {
	t.Helper()
	out := shown(t, append(args, "-q", "-T", "json")...)
	for line := range strings.Lines(out) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil || object["table"] != "io" {
			t.Fatal(err, line)
		}
		row := make(map[string]float64)
		for key, v := range object {
			if n, ok := v.(float64); ok {
				row[key] = n
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// What a tracker measures has the same sum over all intervals as in its table.
func TestIntervalsOfMeasured(t *testing.T) {
	file := filepath.Join(clitest.Captures, "bz17-c-scorelimit.pcap")
	sum := 0.0
	for _, row := range ioRows(t, "-r", file, "-z", "io,3,sum(bzflag17.deaths)") {
		sum += row["sum(bzflag17.deaths)"]
	}
	want := int64(0)
	for _, row := range readStats(t, "-r", file).Protocols["bzflag17"].Tables["players"] {
		want += total(row.Find("deaths"))
	}
	if sum != float64(want) || want == 0 {
		t.Errorf("%v deaths in all intervals, want %d", sum, want)
	}
}

// Empty intervals have rows, those that there are too many of are told, and times before the first packet are in the
// first one.
func TestIntervalsHaveBounds(t *testing.T) {
	at := func(seconds float64) *decode.Message {
		return &decode.Message{Place: wire.Place{Protocol: chess, Time: int64(seconds * 1e9), Frame: int(seconds)}, Length: 10}
	}
	o, ok, err := tally.ParseIO("io,0.5")
	if err != nil || !ok {
		t.Fatal(err)
	}
	of, err := tally.NewIntervals(o, &session.Clock{}, new(session.Display), nil)
	clitest.NoError(t, err)
	for _, seconds := range []float64{-5, 0, 0.6, 0.7, 2, 1e9, math.MaxInt64 / 1e9 / 2} {
		of.Message(at(seconds))
	}
	out := term.NewOutput(nil, 0)
	of.Print(&tally.Printer{Out: out, Form: &table.Form{Name: "text", Width: 60}})
	const want = `
from  packets  messages  bytes  findings  bar
   0        2         2     20         0  ################
 0.5        1         2     20         0  ################
   1        0         0      0         0
 1.5        0         0      0         0
   2        1         1     10         0  ########
5000                  2

2 messages came behind 10,000 intervals, which is as many as
there are: take longer ones
`
	if diff := cmp.Diff(want, "\n"+string(out.Buf)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
