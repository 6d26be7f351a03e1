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
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/screen"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/layers"
)

// shownOf makes the screen of a run. page returns the latest page.
func shownOf(width, height int, r *session.Run) (l *screenDisplay, totals *tally.Totals, page func() string) {
	var out bytes.Buffer
	s := &term.Screen{Out: &out, Size: func() (int, int, error) { return width, height, nil },
		Raw: func() (func(), error) { return func() {}, nil }, Foreground: func() bool { return true }}
	failed := s.Enter()
	totals = &tally.Totals{Clock: r.Clock}
	l = newScreenDisplay(s, &out, "eth0", print.Style{}, time.Time{})
	l.summary = screen.NewLive(totals, r)
	return l, totals, func() string {
		if failed != nil {
			return failed.Error()
		}
		page := out.String()[strings.LastIndex(out.String(), term.HomeCursor)+len(term.HomeCursor):]
		return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(page, term.ClearLine, ""), term.ClearBelow, "\n"), "\r\n", "\n")
	}
}

// TestScreenPages plays back captures, and checks that the screen fits terminals of several sizes.
func TestScreenPages(t *testing.T) {
	for _, name := range []string{"bloodmasters-real", "bz24-ctf-capture", "bz17-c-violations", "iceball-real-session"} {
		for _, size := range [][2]int{{80, 24}, {40, 10}, {200, 60}, {20, 4}} {
			f, err := capture.Open(filepath.Join(clitest.Captures, name+".pcap"))
			clitest.NoError(t, err)
			defer f.Close()
			from := &clitest.Replayed{Files: []*capture.File{f}}
			r := session.NewRun(decode.Options{Protocols: layers.All()}, session.Selection{})
			l, totals, page := shownOf(size[0], size[1], r)
			r.Add(totals.Sink(false))
			var c decode.Counters
			from.Ticks = func(time.Time) { c = r.Engine.Counters() }
			clitest.NoError(t, r.Over(from, new(session.Interrupt)))
			l.begun = from.Now.Add(-83 * time.Second)
			l.rates.at = from.Now.Add(-10 * time.Second)
			l.update(from.Now, c, totals.FindingCount, 0)
			got := page()
			if n := strings.Count(got, "\n"); n > size[1] {
				t.Errorf("%d lines, want at most %d", n, size[1])
			}
			for line := range strings.Lines(got) {
				if n := runewidth.StringWidth(line); n > size[0] {
					t.Errorf("%d columns, want at most %d: %s", n, size[0], line)
				}
			}
			if size[0] == 40 || size[0] == 80 {
				wiretest.Golden(t, filepath.Join("testdata", fmt.Sprintf("%s.%dx%d.golden", name, size[0], size[1])), []byte(got))
			}
		}
	}
}

// Names cannot move the cursor. Wide letters count as many columns as on the terminal.
func TestScreenHostile(t *testing.T) {
	for _, width := range []int{1, 10, 40, 80, 300} {
		r := session.NewRun(decode.Options{Protocols: layers.All()}, session.Selection{})
		l, totals, page := shownOf(width, 40, r)
		for i, name := range append(clitest.HostileNames, strings.Repeat("戦", 300), "\x1b[2J\x1b[H", "a\tb\r\nc", "\xff\xfe", "\u202ename") {
			v := wire.Value{Place: wire.Place{Protocol: layers.ByName("bzflag24")}, Server: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}), 1),
				Table: "servers", What: "game type", State: true, Text: name}
			totals.Stats.Value(&v)
			v.Table, v.What, v.Who = "players", "team", fmt.Sprint(i, name)
			totals.Stats.Value(&v)
			totals.Stats.Finding(&wire.TrafficFinding{Rule: session.AllRules()[i], Text: name})
		}
		l.update(time.Unix(1000, 0), decode.Counters{}, totals.FindingCount, 0)
		for line := range strings.Lines(page()) {
			if line = strings.TrimSuffix(line, "\n"); runewidth.StringWidth(line) > width {
				t.Errorf("wider than %d: %q", width, line)
			}
			if string(format.AppendPlain(nil, line)) != line {
				t.Errorf("not plain: %q", line)
			}
		}
	}
}

// A text that begins like a colour sequence but is not one is cut like any other text.
func TestCutLineEnds(t *testing.T) {
	if got := string(term.CutLine(nil, []byte("\x1b[2J"+strings.Repeat("x", 20)), 10)); got != "\x1b[2J"+strings.Repeat("x", 6)+term.CutMark+term.Colours.Reset {
		t.Errorf("%q", got)
	}
}

// A page stays for a second, unless there is a reason to redraw it. The next page shows the latest error, and End
// prints all errors.
func TestLiveScreenUpdates(t *testing.T) {
	var out bytes.Buffer
	restored := 0
	s := &term.Screen{Out: &out, Size: func() (int, int, error) { return 80, 5, nil }, Raw: func() (func(), error) { return func() { restored++ }, nil },
		Foreground: func() bool { return true }}
	clitest.NoError(t, s.Enter())
	begun := time.Unix(1000, 0)
	var printed bytes.Buffer
	l := newScreenDisplay(s, &printed, "lo", print.Style{}, begun)
	l.summary = screen.NewLive(new(tally.Totals), session.NewRun(decode.Options{}, session.Selection{}))
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
	if n := strings.Count(printed.String(), "trouble"); n != 20 || !strings.Contains(printed.String(), "10 more errors") {
		t.Errorf("%d times trouble:\n%s", n, &printed)
	}
	end := out.Len()
	l.update(begun.Add(time.Minute), decode.Counters{}, func() int64 { return 0 }, 0)
	s.Aside(func() {})
	if out.Len() != end || restored != 1 || !strings.HasSuffix(out.String(), term.LeaveScreen) {
		t.Errorf("restored %d times, then %q", restored, out.String()[end:])
	}
}
