package live

import (
	"bytes"
	"fmt"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/print"
	"github.com/gamedissect/gamedissect/layers"
)

type valueFunc func(*wire.Value)

func (f valueFunc) Value(v *wire.Value) { f(v) }

// overviewOf runs over captures, and gives what is remembered of them at their end.
func overviewOf(t *testing.T, names ...string) (o *overview, c decode.Counters, now time.Time) {
	t.Helper()
	from := &clitest.Replayed{}
	for _, name := range names {
		f, err := capture.Open(filepath.Join(clitest.Captures, name))
		clitest.NoError(t, err)
		defer f.Close()
		from.Files = append(from.Files, f)
	}
	r := session.NewRun(decode.Options{Protocols: layers.All()}, session.NewSelection(new(session.Display)))
	r.Values = append(r.Values, valueFunc(func(v *wire.Value) {
		if o != nil {
			o.Value(v)
		}
	}))
	from.Ticks = func(now time.Time) {
		if o == nil {
			o = newOverview(now)
			r.Sinks = append(r.Sinks, o)
		}
		c = r.Engine.Counters()
	}
	clitest.NoError(t, r.Over(from, new(session.Interrupt)))
	o.turn(c, from.Now)
	return o, c, from.Now
}

// pageText is a page as it would stand on a terminal.
func pageText(lines [][]byte) string {
	return string(bytes.Join(lines, []byte("\n"))) + "\n"
}

// What stands on the screen at the usual size and at a small one.
func TestOverviewPages(t *testing.T) {
	for _, name := range []string{"bloodmasters-real", "bz24-ctf-capture", "bz17-c-violations"} {
		o, c, now := overviewOf(t, name+".pcap")
		l := &screen{overview: o, title: "eth0", begun: now.Add(-83 * time.Second)}
		for _, size := range [][2]int{{80, 24}, {40, 10}, {200, 60}, {20, 4}} {
			lines := o.page(l.head(now, c, 17, 0), new(print.Style), now, size[0], size[1])
			if len(lines) > size[1] {
				t.Errorf("%d lines on %d", len(lines), size[1])
			}
			for _, line := range lines {
				if n := runewidth.StringWidth(string(line)); n > size[0] && size[0] >= 40 {
					t.Errorf("%d columns on %d: %s", n, size[0], line)
				}
			}
			if size[0] == 40 || size[0] == 80 {
				file := fmt.Sprintf("%s.%dx%d.golden", name, size[0], size[1])
				wiretest.Golden(t, filepath.Join("testdata", file), []byte(pageText(lines)))
			}
		}
	}
}

// said is what a tracker measured, or a server said, at a time.
func said(server, who, what, text string, lag float64, at int64) *wire.Value {
	v := &wire.Value{Place: wire.Place{Protocol: layers.ByName("bzflag24"), Time: at}, Server: netip.MustParseAddrPort(server), Who: who,
		What: what, Text: text, State: text != "", Number: lag, Table: "servers"}
	if lag > 0 {
		v.Unit = "s"
	}
	return v
}

// Nothing that a stranger says moves the cursor, and wide letters are counted as the terminal counts them.
func TestOverviewHostile(t *testing.T) {
	now := time.Unix(1000, 0)
	o := newOverview(now)
	for i, name := range append(clitest.HostileNames, strings.Repeat("戦", 300), "\x1b[2J\x1b[H", "a\tb\r\nc", "\xff\xfe", "\u202ename") {
		o.Value(said("10.0.0.1:5154", fmt.Sprint(i, name), "lag", "", float64(i+1), now.UnixNano()))
		o.Value(said("10.0.0.1:5154", "", "options", name, 0, now.UnixNano()))
		o.Value(said(fmt.Sprintf("10.0.0.1:%d", i+1), "", "players", name, 0, now.UnixNano()))
		o.Finding(&wire.TrafficFinding{Place: wire.Place{Time: now.UnixNano()}, Rule: session.AllRules()[i], Text: name})
	}
	for _, width := range []int{1, 10, 40, 80, 300} {
		for _, line := range o.page([]string{"gamedissect"}, new(print.Style), now, width, 40) {
			line = term.CutLine(nil, line, width) // as a screen does
			if n := runewidth.StringWidth(string(line)); n > width {
				t.Errorf("%d columns on %d: %q", n, width, line)
			}
			if string(term.AppendPlain(nil, string(line))) != string(line) {
				t.Errorf("not plain: %q", line)
			}
		}
	}
}

// What begins like a colour and is none ends as well.
func TestCutLineEnds(t *testing.T) {
	if got := string(term.CutLine(nil, []byte("\x1b[2J"+strings.Repeat("x", 20)), 10)); got != "\x1b[2J"+strings.Repeat("x", 6)+term.CutMark+term.Colours.Reset {
		t.Errorf("%q", got)
	}
}

// Of a hundred servers those stand first that say most, all are counted, and who is silent for a minute is forgotten.
func TestOverviewOfManyServers(t *testing.T) {
	now := time.Unix(1000, 0)
	o := newOverview(now)
	for i := range 100 {
		server := fmt.Sprintf("10.0.0.%d:5154", i)
		o.Value(said(server, "", "players", fmt.Sprintf("%d/20", i%4), 0, now.UnixNano()))
		o.Value(said(server, fmt.Sprint("player ", i), "lag", "", 0.001*float64(i+1), now.UnixNano()))
		for range i {
			o.Message(&decode.Message{Place: wire.Place{Protocol: layers.ByName("bzflag24"), Dst: netip.MustParseAddrPort(server), Time: now.UnixNano()},
				Direction: wire.ToServer})
		}
	}
	now = now.Add(2 * time.Second)
	o.turn(decode.Counters{Packets: 500, Bytes: 9000}, now)
	got := pageText(o.page([]string{"head"}, new(print.Style), now, 80, 8))
	want := `head
100 servers     messages/s  players  protocol
10.0.0.99:5154          50  3/20     bzflag24
10.0.0.98:5154          49  2/20     bzflag24
10.0.0.95:5154          48  3/20     bzflag24
  lag  worst  of whom    server
100ms  100ms  player 99  10.0.0.99:5154
 99ms   99ms  player 98  10.0.0.98:5154
`
	if got != want || o.playing() != 150 || o.packets != 250 {
		t.Errorf("%d players, %.0f packets/s\n%s\nwant\n%s", o.playing(), o.packets, got, want)
	}
	o.turn(decode.Counters{}, now.Add(time.Minute))
	if len(o.servers)+len(o.lags) != 0 {
		t.Errorf("%d servers and %d players after a minute of silence", len(o.servers), len(o.lags))
	}
}

// A flood of servers takes no more room than there is.
func TestOverviewIsBounded(t *testing.T) {
	o := newOverview(time.Unix(0, 0))
	for i := range maxNow + 500 {
		a := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		o.Value(said(a.String()+":1", "x", "lag", "", 1, 0))
	}
	if len(o.servers) != maxNow || len(o.lags) != maxNow {
		t.Errorf("%d servers, %d who lag; want %d", len(o.servers), len(o.lags), maxNow)
	}
}

// A page stays for a second, unless there is reason for another; what is said meanwhile stands on it and is kept.
func TestLiveScreenUpdates(t *testing.T) {
	var out bytes.Buffer
	restored := 0
	s := &term.Screen{Out: &out, Size: func() (int, int, error) { return 80, 5, nil }, Raw: func() (func(), error) { return func() { restored++ }, nil },
		Foreground: func() bool { return true }}
	clitest.NoError(t, s.Enter())
	begun := time.Unix(1000, 0)
	var told bytes.Buffer
	l := newScreen(s, &told, "lo", print.Style{}, begun)
	pages := func() int { return strings.Count(out.String(), term.HomeCursor) }
	for i, test := range []struct {
		after   time.Duration
		changed bool
		pages   int
	}{{0, false, 1}, {999 * time.Millisecond, false, 1}, {time.Second, false, 2}, {1100 * time.Millisecond, true, 3}, {1200 * time.Millisecond, false, 3}} {
		l.changed.Store(test.changed)
		if l.update(begun.Add(test.after), decode.Counters{}, func() int64 { return 0 }, 0); pages() != test.pages {
			t.Errorf("%d: %d pages, want %d", i, pages(), test.pages)
		}
	}
	for i := range 30 {
		l.say(fmt.Errorf("trouble %d \x1b[2J", i))
	}
	l.update(begun.Add(5*time.Second), decode.Counters{}, func() int64 { return 0 }, 0)
	if page := out.String()[strings.LastIndex(out.String(), term.HomeCursor):]; !strings.Contains(page, `trouble 29 \x1b[2J`) {
		t.Errorf("%q", page)
	}
	l.End()
	l.End()
	if n := strings.Count(told.String(), "trouble"); n != 20 || !strings.Contains(told.String(), "10 more was said") {
		t.Errorf("%d times trouble:\n%s", n, &told)
	}
	end := out.Len()
	l.update(begun.Add(time.Minute), decode.Counters{}, func() int64 { return 0 }, 0)
	s.Aside(func() {})
	if out.Len() != end || restored != 1 || !strings.HasSuffix(out.String(), term.LeaveScreen) {
		t.Errorf("restored %d times, then %q", restored, out.String()[end:])
	}
}
