package cli

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// TestIntervalsBar checks that the bar shows the requested measure. If none was requested, it shows messages.
func TestIntervalsBar(t *testing.T) {
	file := filepath.Join(clitest.Captures, "bz24-ctf-capture.pcap")
	for measure, want := range map[string]string{"": "#", ",count(bzflag24.killed)": ""} {
		lines := strings.Split(shown(t, "-r", file, "-q", "-z", "io,20"+measure), "\n")
		if first := strings.TrimLeft(lines[1], " 0123456789,"); strings.Trim(first, "#") != "" || (first == "") != (want == "") {
			t.Errorf("io,20%s: the first bar is %q", measure, first)
		}
		if !strings.HasSuffix(lines[2], strings.Repeat("#", 16)) {
			t.Errorf("io,20%s: the longest bar is not in %q", measure, lines[2])
		}
	}
}

// A value that a tracker measures is not a field of a message. The errors of -Y and -e say where to find it.
func TestMeasuredIsNoField(t *testing.T) {
	file := filepath.Join(clitest.Captures, "bz24-query.pcap")
	for _, args := range [][]string{{"-Y", "bzflag24.lag > 1"}, {"-T", "csv", "-e", "bzflag24.lag"}, {"-Y", "bzflag24.players.lag > 1"}} {
		_, stderr, code := dissect(append(args, "-r", file)...)
		if code != term.ExitTrouble || !strings.Contains(stderr, "is measured") || !strings.Contains(stderr, "-z players") {
			t.Errorf("%q: exit code %d, %s", args, code, stderr)
		}
	}
}

// TestIntervals compares -z io with the messages of -T json.
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
			if first = m.Time; m.Frame != 4 { // earlier packets only open the connection
				t.Fatal("the first message is in frame", m.Frame)
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

// ioRows returns the numbers in the rows of -z io.
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

// The sum of a measured value over all intervals equals the sum in the value's table.
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
