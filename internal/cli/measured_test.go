package cli

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// chess is a protocol with tables that are known here.
var chess = &wire.Protocol{Name: "chess", Tables: []wire.Table{
	{Name: "players", Columns: []string{"kills", "team", "lag", "address"}, Steps: []string{"seated"}},
	{Name: "servers", Columns: []string{"map"}},
	{Name: "kills", Columns: []string{"kills", "by rooks"}},
}}

// byServer has players and texts of some servers, and what had no room.
func byServer(servers ...string) *tally.Totals {
	t := &tally.Totals{Clock: new(session.Clock), Files: message.NewFileNames(nil), Form: table.Form{Name: "text"}}
	give := func(v wire.Value) {
		v.Protocol = chess
		t.Stats.Value(&v)
	}
	for i, server := range servers {
		at := netip.MustParseAddrPort(server)
		give(wire.Value{Table: "players", Server: at, Who: "3 Al\x07ice", What: "kills", Number: float64(i + 1)})
		give(wire.Value{Table: "servers", Server: at, What: "map", State: true, Text: "one"})
		give(wire.Value{Place: wire.Place{Time: 1e9}, Table: "players", Server: at, Who: "3 Al\x07ice", What: "team", State: true, Text: "Red"})
	}
	give(wire.Value{Table: "players", What: "kills", Number: 1000})
	give(wire.Value{Table: "players", What: "team", State: true, Text: "Blue"})
	return t
}

// Players of several servers stand beside their servers; those of one do not.
func TestTablesByServer(t *testing.T) {
	one, two := byServer("10.0.0.9:5154"), byServer("10.0.0.10:5154", "10.0.0.9:5154")
	for _, test := range []struct {
		of   *tally.Totals
		name string
		want string
	}{
		{one, "players", `
chess players
who        kills  team
3 Al\aice      1  Red
others     1,000
`},
		{two, "players", `
chess players
server          who        kills  team
10.0.0.9:5154   3 Al\aice      2  Red
10.0.0.10:5154  3 Al\aice      1  Red
others                     1,000
`},
		{two, "servers", `
chess servers
server          map
10.0.0.9:5154   one
10.0.0.10:5154  one
`},
	} {
		out := term.NewOutput(nil, 0)
		p := &tally.Printer{Out: out, Form: &test.of.Form, Files: test.of.Files}
		for _, of := range test.of.MeasuredTables(chess, test.name) {
			p.Table(of)
		}
		got := "\n" + string(out.Buf)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Names of strangers are no secret code in the order of tables.
func TestNamesAreOrdered(t *testing.T) {
	var n tally.Naming
	list := []stats.Subject{{}, {Who: "b"}, {Who: "a"}, {Server: netip.MustParseAddrPort("10.0.0.9:1")}, {Server: netip.MustParseAddrPort("10.0.0.10:1"), Who: "z"}}
	for _, who := range list {
		n.Meet(who)
	}
	slices.SortFunc(list, n.Compare)
	want := []string{"a", "b", "", "z", ""}
	for i, who := range list {
		if who.Who != want[i] {
			t.Errorf("%d is %v", i, who)
		}
	}
	if list[4] != (stats.Subject{}) {
		t.Errorf("the others are not last: %v", list)
	}
}

// played gives totals with what was measured of chess at some servers.
func played(form string, width int, values ...wire.Value) *tally.Totals {
	o := message.TextOptions{Form: form}
	o.Settle(false)
	f, err := table.NewForm(o.Tables, o.Fields.Options, width)
	option.Must(err)
	t := &tally.Totals{Clock: &session.Clock{First: 1e9}, Files: message.NewFileNames(nil), Form: f}
	for _, v := range values {
		v.Protocol = chess
		if !v.Server.IsValid() {
			v.Server = netip.MustParseAddrPort("10.0.0.1:5154")
		}
		t.Stats.Value(&v)
	}
	return t
}

// measuredText gives a table of chess as it is written.
func measuredText(t *tally.Totals, name string) string {
	var b bytes.Buffer
	p := &tally.Printer{Out: term.NewOutput(&b, 0), Form: &t.Form, Files: t.Files}
	for _, of := range t.MeasuredTables(chess, name) {
		p.Table(of)
	}
	option.Must(p.Out.Flush())
	return "\n" + b.String()
}

// Servers of one host differ in their ports alone: however little room there is, these stay.
func TestServersAreWhole(t *testing.T) {
	var values []wire.Value
	for _, at := range []string{"10.200.200.100:28000", "10.200.200.100:28001"} {
		values = append(values, wire.Value{Table: "servers", Server: netip.MustParseAddrPort(at), What: "map", State: true,
			Text: "a name that is longer than all the rest"})
	}
	want := `
chess servers
server                map
10.200.200.100:28000  a name that is
                      longer than all
                      the rest
10.200.200.100:28001  a name that is
                      longer than all
                      the rest
`
	if diff := cmp.Diff(want, measuredText(played("tree", 40, values...), "servers")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Columns come in the order of the protocol: steps behind the others, with the time of each; one number alone, of several the median and
// the most.
func TestMeasuredColumns(t *testing.T) {
	lag := func(who string, seconds float64) wire.Value {
		return wire.Value{Table: "players", Who: who, What: "lag", Number: seconds, Unit: "s"}
	}
	seated := wire.Value{Table: "players", Who: "10 Bo", What: "seated", State: true, Text: "yes"}
	seated.Time = 3_250_000_000
	again := seated
	again.Time, again.Text = 9e9, "again"
	kills := wire.Value{Table: "players", Who: "2 Al", What: "kills", Number: 3}
	one := []wire.Value{lag("2 Al", 0.0125), seated, again, kills}
	for _, test := range []struct {
		form   string
		values []wire.Value
		want   string
	}{
		{"tree", one, `
chess players
who    kills     lag  seated
2 Al       3  12.5ms
10 Bo                  2.250
`},
		{"tree", append(one, lag("10 Bo", 0.1), lag("10 Bo", 2)), `
chess players
who    kills  lag p50/max  seated
2 Al       3       12.5ms
10 Bo            100ms 2s   2.250
`},
		{"json", append(one, lag("2 Al", 2)), `
{"table":"players","protocol":"chess","server":"10.0.0.1:5154","who":"2 Al","kills":3,"lag_count":2,"lag_p50":0.0125,"lag_p90":1.996488703,"lag_p99":1.996488703,"lag_max":2}
{"table":"players","protocol":"chess","server":"10.0.0.1:5154","who":"10 Bo","seated":2.25}
`},
		{"csv", one, `
protocol,server,who,kills,lag_count,lag_p50,lag_p90,lag_p99,lag_max,seated
chess,10.0.0.1:5154,2 Al,3,1,0.0125,0.0125,0.0125,0.0125,
chess,10.0.0.1:5154,10 Bo,,,,,,,2.25
`},
	} {
		if diff := cmp.Diff(test.want, measuredText(played(test.form, 0, test.values...), "players")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.form, diff)
		}
	}
}

// killed says how often somebody takes somebody.
func killed(server, who, whom string, times int) wire.Value {
	return wire.Value{Table: "kills", Server: netip.MustParseAddrPort(server), Who: who, Whom: whom, What: "kills", Number: float64(times)}
}

// Who takes whom is a matrix where there is room for it, with sums that are those of the rows and columns, and else a list.
func TestKills(t *testing.T) {
	const one, two = "10.0.0.1:5154", "10.0.0.2:5154"
	values := []wire.Value{killed(one, "10 Al", "2 Bo\x07", 12), killed(one, "2 Bo\x07", "10 Al", 3), killed(one, "3 Cy", "2 Bo\x07", 1),
		killed(one, "2 Bo\x07", "2 Bo\x07", 1000)}
	for _, test := range []struct {
		form   string
		width  int
		values []wire.Value
		want   string
	}{
		{"tree", 80, values, `
chess kills
who > whom  2 Bo\a  10 Al  total
2 Bo\a       1,000      3  1,003
3 Cy             1             1
10 Al           12            12
total        1,013      3  1,016
`},
		{"tree", 30, values, `
chess kills
who > whom       kills
2 Bo\a > 2 Bo\a  1,000
10 Al > 2 Bo\a      12
2 Bo\a > 10 Al       3
3 Cy > 2 Bo\a        1
`},
		{"tree", 80, append(values, killed(two, "1 Di", "2 Ed", 5)), `
chess kills at 10.0.0.1:5154
who > whom  2 Bo\a  10 Al  total
2 Bo\a       1,000      3  1,003
3 Cy             1             1
10 Al           12            12
total        1,013      3  1,016

chess kills at 10.0.0.2:5154
who > whom  2 Ed  total
1 Di           5      5
total          5      5
`},
		{"json", 80, values[:2], `
{"table":"kills","protocol":"chess","server":"10.0.0.1:5154","who":"10 Al","whom":"2 Bo\u0007","kills":12}
{"table":"kills","protocol":"chess","server":"10.0.0.1:5154","who":"2 Bo\u0007","whom":"10 Al","kills":3}
`},
	} {
		if diff := cmp.Diff(test.want, measuredText(played(test.form, test.width, test.values...), "kills")); diff != "" {
			t.Errorf("%s, %d columns (-want +got):\n%s", test.form, test.width, diff)
		}
	}
}

// A hundred players at each of several servers, some of them with names made to do harm, take no more room than there is.
func TestKillsOfMany(t *testing.T) {
	var values []wire.Value
	for server := range 3 {
		for i := range 100 {
			who, whom := fmt.Sprint(i, " ", strings.Repeat("\u754c\u202e", i%40)), fmt.Sprint((i*7+server)%100, " \x1b[31m")
			values = append(values, killed(fmt.Sprintf("10.0.0.%d:5154", server+1), who, whom, i+1))
		}
	}
	for _, width := range []int{40, 80, 0} {
		got := measuredText(played("tree", width, values...), "kills")
		if n := strings.Count(got, "\n"); n < 302 || n > 304 || unprintable(got) != "" {
			t.Errorf("%d lines in a list of 300\n%s", n, got)
		}
		for line := range strings.Lines(got) {
			if n := lineWidth(strings.TrimSuffix(line, "\n")); width > 0 && n > width {
				t.Fatalf("%q is %d columns wide", line, n)
			}
		}
	}
}

// The senders of what breaks rules stand with the names of players, the gravest and most frequent first.
func TestSenders(t *testing.T) {
	at := netip.MustParseAddrPort
	address := wire.Value{Table: "players", Who: "2 A\x07l", What: "address", State: true, Text: "10.0.0.7:4000"}
	for _, test := range []struct{ form, want string }{
		{"tree", `
rule        who            count  first  last  player  severity
chess.move  10.0.0.7:4000      2      7     9  2 A\al  error
chess.move  10.0.0.8:4000      1      8     8          error
chess.time                     1      6     6          note
`},
		{"json", `
{"table":"findings,who","rule":"chess.move","who":"10.0.0.7:4000","count":2,"first_frame":7,"last_frame":9,"first_file":"a.pcap","last_file":"a.pcap","player":"2 A\u0007l","severity":"error"}
{"table":"findings,who","rule":"chess.move","who":"10.0.0.8:4000","count":1,"first_frame":8,"last_frame":8,"first_file":"a.pcap","last_file":"a.pcap","severity":"error"}
{"table":"findings,who","rule":"chess.time","count":1,"first_frame":6,"last_frame":6,"first_file":"a.pcap","last_file":"a.pcap","severity":"note"}
`},
	} {
		of := played(test.form, 80, address)
		for i, who := range []netip.AddrPort{{}, at("10.0.0.7:4000"), at("10.0.0.8:4000"), at("10.0.0.7:4000")} {
			f := &wire.TrafficFinding{Rule: &wire.Rule{ID: "chess.move", Severity: wire.Error}}
			if i == 0 {
				f.Rule = &wire.Rule{ID: "chess.time", Severity: wire.Note}
			}
			f.Frame, f.File, f.Time, f.Src = 6+i, "a.pcap", int64(i), who
			of.Finding(f)
		}
		out := term.NewOutput(nil, 0)
		(&tally.Printer{Out: out, Form: &of.Form, Files: of.Files}).Table(of.SenderTable())
		if diff := cmp.Diff(test.want, "\n"+string(out.Buf)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.form, diff)
		}
	}
}
