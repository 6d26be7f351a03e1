package tally

import (
	"bytes"
	"fmt"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// happened makes an event of the protocol chess.
func happened(n int, server, text string) *wire.Value {
	return &wire.Value{Place: wire.Place{Frame: n, File: "a.pcap", Time: int64(n)*1e9 + 5e8, Protocol: chess}, Server: netip.MustParseAddrPort(server),
		Who: "1 Al", Whom: "2 Bo", What: "mate", Text: text, Event: true}
}

// timelineText returns what a timeline writes for the events, and how much of that it writes before the end.
func timelineText(t *testing.T, form string, width int, waits bool, room int, events ...*wire.Value) (text string, early int) {
	t.Helper()
	f, err := term.NewTableForm(form, nil, width)
	clitest.NoError(t, err)
	var b bytes.Buffer
	out := term.NewOutput(&b, 0)
	out.Eager = true
	line := NewTimeline(out, &f, &session.Clock{First: 1e9}, nil, waits, room)
	for _, v := range events {
		line.Event(v)
	}
	early = b.Len()
	line.print(&printer{Out: out, Form: &f})
	_ = out.Flush()
	return b.String(), early
}

func TestTimeline(t *testing.T) {
	one, two := "10.0.0.1:5154", "10.0.0.2:5154"
	events := []*wire.Value{happened(2, one, "Al mates \x1b[31m\"Bo\""), happened(11, two, "game over"), happened(100, one, "Al leaves")}
	const several = `
 1.500  10.0.0.1:5154          Al mates \x1b[31m"Bo"
10.500  10.0.0.2:5154          game over
99.500  10.0.0.1:5154          Al leaves
`
	for _, test := range []struct {
		name, form  string
		width, room int
		waits       bool
		events      []*wire.Value
		want        string
	}{
		{"kept back", "text", 80, 1000, false, events, several},
		{"at the end", "text", 80, 1000, true, events, several},
		{"out of order", "text", 80, 1000, false, []*wire.Value{events[1], events[0], events[2]}, several},
		{"out of order at the end", "text", 80, 1000, true, []*wire.Value{events[1], events[0], events[2]}, several},
		{"out of order after the first", "text", 80, 300, false, []*wire.Value{happened(2, one, "a"), happened(11, two, "b"),
			happened(10, two, "c"), happened(12, one, "d")}, `
 1.500  10.0.0.1:5154          a
 9.500  10.0.0.2:5154          c
10.500  10.0.0.2:5154          b
11.500  10.0.0.1:5154          d
`},
		{"one server", "text", 80, 1000, false, events[:1], "\n 1.500  Al mates \\x1b[31m\"Bo\"\n"},
		{"at once", "text", 0, 0, false, events, `
 1.500  Al mates \x1b[31m"Bo"
all lines above are about 10.0.0.1:5154
10.500  10.0.0.2:5154          game over
99.500  10.0.0.1:5154          Al leaves
`},
		{"no room", "text", 0, 250, true, events, `
 1.500  10.0.0.1:5154          Al mates \x1b[31m"Bo"

2 more events did not fit in memory: use -q to write events at once, or a larger --memory
`},
		{"narrow", "text", 24, 1000, false, events, `
 1.500  Al mates
        \x1b[31m"Bo"
10.500  game over
99.500  Al leaves
`},
		{"of servers", "text", 80, 1000, false, []*wire.Value{happened(2, one, one+" is there"), happened(3, two, two+" is there")}, `
 1.500  10.0.0.1:5154          is there
 2.500  10.0.0.2:5154          is there
`},
		{"of a server", "text", 80, 1000, false, []*wire.Value{happened(2, one, one+" is there")}, "\n 1.500  10.0.0.1:5154 is there\n"},
		{"JSON", "json", 80, 0, false, events[:1], `
{"table":"timeline","time":"1970-01-01T00:00:02.500000000Z","seconds":1.5,"frame":2,"protocol":"chess","server":"10.0.0.1:5154","event":"mate","who":"1 Al","whom":"2 Bo","text":"Al mates \u001b[31m\"Bo\""}
`},
		{"CSV", "csv", 80, 0, false, events[:2], `
time,seconds,frame,file,protocol,server,event,who,whom,text
1970-01-01T00:00:02.500000000Z,1.5,2,,chess,10.0.0.1:5154,mate,1 Al,2 Bo,"Al mates \x1b[31m""Bo"""
1970-01-01T00:00:11.500000000Z,10.5,11,,chess,10.0.0.2:5154,mate,1 Al,2 Bo,game over
`},
		{"CSV of nothing", "csv", 80, 0, true, nil, "\ntime,seconds,frame,file,protocol,server,event,who,whom,text\n"},
		{"JSON of nothing", "json", 80, 0, false, nil, "\n"},
	} {
		got, early := timelineText(t, test.form, test.width, test.waits, test.room, test.events...)
		if diff := cmp.Diff(test.want, "\n"+got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if (test.room == 0 && len(test.events) > 0 && !test.waits) != (early > 0) {
			t.Errorf("%s: %d bytes are written before the end", test.name, early)
		}
	}
}

// For any number of events, the kept events do not exceed the room, and no line is wider than the terminal.
func TestTimelineFits(t *testing.T) {
	hostile := strings.Repeat("界\u202e\x1b[2J", 30)
	for _, waits := range []bool{false, true} {
		f := term.TableForm{Name: "text", Width: 40}
		var b bytes.Buffer
		line := NewTimeline(term.NewOutput(&b, 0), &f, &session.Clock{}, nil, waits, 10_000)
		for i := range 1000 {
			line.Event(happened(i, fmt.Sprintf("10.0.0.%d:5154", i%3), hostile))
		}
		if line.size > 10_000 || len(line.kept) > 50 || !waits && len(line.kept) > 1 {
			t.Errorf("%d events are kept in %d bytes", len(line.kept), line.size)
		}
		kept := len(line.kept)
		line.print(&printer{Out: line.Out, Form: &f})
		_ = line.Out.Flush()
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		events := len(regexp.MustCompile(`(?m)^ {0,2}\d+\.\d{3}  `).FindAllString(b.String(), -1))
		if !waits && events != 1000 || waits && !strings.HasPrefix(b.String()[strings.Index(b.String(), "\n\n")+2:], fmt.Sprint(1000-kept, " more events")) {
			t.Errorf("%d events, the last line %q", events, lines[len(lines)-1])
		}
		for _, text := range lines {
			if clitest.LineWidth(text) > 40 || clitest.Unprintable(text) != "" {
				t.Fatalf("%q is %d columns wide", text, clitest.LineWidth(text))
			}
		}
	}
}
