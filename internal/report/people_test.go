package report

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// chess is a protocol with known tables.
var chess = &wire.Protocol{Name: "chess", Title: "Chess", Tables: []wire.Table{
	{Name: "players", Columns: []string{"kills", "team", "lag", "address"}, Steps: []string{"seated"}},
	{Name: "servers", Columns: []string{"map", "players"}},
	{Name: "kills", Columns: []string{"kills", "by rooks"}},
}}

const (
	one = "10.0.0.9:5154"
	two = "10.0.0.10:5154"
)

// played returns a source with values of the protocol chess. They are from one server, unless they name another.
func played(values ...wire.Value) *Source {
	s := &Source{Stats: new(stats.Stats), Protocols: []*wire.Protocol{chess}, First: 1e9, Brief: true}
	for _, v := range values {
		v.Protocol = chess
		s.Stats.Value(&v)
	}
	return s
}

func value(server, who, what string) wire.Value {
	v := wire.Value{Table: "players", Who: who, What: what}
	if server != "" {
		v.Server = netip.MustParseAddrPort(server)
	}
	return v
}

func number(server, who, what string, n float64) wire.Value {
	v := value(server, who, what)
	v.Number = n
	return v
}

func state(server, who, what, text string) wire.Value {
	v := value(server, who, what)
	v.State, v.Text, v.Time = true, text, 3_250_000_000
	return v
}

func lag(server, who string, seconds float64) wire.Value {
	v := number(server, who, "lag", seconds)
	v.Unit = "s"
	return v
}

func killed(server, who, whom string, n float64) wire.Value {
	v := number(server, who, "kills", n)
	v.Table, v.Whom = "kills", whom
	return v
}

// forPeople returns tables as people see them, with bars between cells.
func forPeople(list []*Table) string {
	var b strings.Builder
	for _, t := range list {
		fmt.Fprintln(&b, t.Caption)
		for n := -1; n < len(t.Rows); n++ {
			var cells []string
			for i, c := range t.Columns {
				switch {
				case c.Only == Programs:
				case n < 0:
					cells = append(cells, c.Name)
				default:
					cells = append(cells, c.Text(t.Rows[n][i]))
				}
			}
			fmt.Fprintln(&b, strings.Join(cells, "|"))
		}
	}
	return "\n" + b.String()
}

// People see only columns that distinguish rows, in suitable units. The row for all others comes last.
func TestPeople(t *testing.T) {
	servers := []wire.Value{state(one, "", "map", "one\x07"), state(two, "", "map", "two")}
	for i := range servers {
		servers[i].Table = "servers"
	}
	for _, test := range []struct {
		name   string
		values []wire.Value
		want   string
	}{
		{"players", []wire.Value{number(one, "3 Al\x07ice", "kills", 1), state(one, "3 Al\x07ice", "team", "Red"),
			number("", "", "kills", 1000), state("", "", "team", "Blue"), state("", "", "seated", "yes")}, `
chess players
who|kills|team|seated
3 Al\aice|1|Red|
others|1,000||
`},
		{"players", []wire.Value{number(one, "3 Al", "kills", 2), number(two, "3 Al", "kills", 1), number("", "", "kills", 3)}, `
chess players
server|who|kills
10.0.0.9:5154|3 Al|2
10.0.0.10:5154|3 Al|1
others||3
`},
		{"servers", servers, `
chess servers
server|map
10.0.0.9:5154|one\a
10.0.0.10:5154|two
`},
		{"players", []wire.Value{lag(one, "2 Al", 0.0125), state(one, "10 Bo", "seated", "yes"), lag(one, "10 Bo", 0.1), lag(one, "10 Bo", 2)}, `
chess players
who|lag p50/max|seated
2 Al|12.5ms|
10 Bo|100ms 2s|2.250
`},
		{"players", []wire.Value{lag(one, "2 Al", 0.0000004)}, `
chess players
who|lag
2 Al|0.4us
`},
		{"kills", []wire.Value{killed(one, "10 Al", "2 Bo\x07", 12), killed(one, "2 Bo\x07", "10 Al", 3)}, `
chess kills
who > whom|kills
10 Al > 2 Bo\a|12
2 Bo\a > 10 Al|3
`},
		{"kills", []wire.Value{killed(one, "1 Al", "2 Bo", 1), killed(two, "3 Cy", "4 Di", 2), killed("", "", "", 9)}, `
chess kills
who > whom|server|kills
3 Cy > 4 Di|10.0.0.10:5154|2
1 Al > 2 Bo|10.0.0.9:5154|1
others||9
`},
	} {
		if diff := cmp.Diff(test.want, forPeople(played(test.values...).Tables(test.name))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// A matrix has the counts of pairs, and the totals of its rows and columns.
func TestMatrices(t *testing.T) {
	values := []wire.Value{killed(one, "10 Al", "2 Bo\x07", 12), killed(one, "2 Bo\x07", "10 Al", 3), killed(one, "2 Bo\x07", "2 Bo\x07", 1000)}
	const first = `who > whom|2 Bo\a|10 Al|total
2 Bo\a|1,000|3|1,003
10 Al|12||12
total|1,012|3|1,015
`
	show := func(values []wire.Value) string {
		return forPeople(played(values...).Tables("kills")[0].MatrixTables())
	}
	if diff := cmp.Diff("\nchess kills\n"+first, show(values)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	values = append(values, killed(two, "1 Di", "2 Ed", 5))
	want := "\nchess kills at 10.0.0.9:5154\n" + first + `chess kills at 10.0.0.10:5154
who > whom|2 Ed|total
1 Di|5|5
total|5|5
`
	if diff := cmp.Diff(want, show(values)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := show(append(values, killed("", "", "", 1))); got != "\n" {
		t.Errorf("a matrix shows others:\n%s", got)
	}
}

// If a list is full, there are too many kinds of traffic, or the engine dropped something, one row counts the rest.
func TestOthers(t *testing.T) {
	s := played()
	s.Counters.Forgotten = []bounded.Forgotten{
		{Kind: bounded.Kind{Name: "few"}, Count: 2}, {Kind: bounded.Kind{Name: "many"}, Count: 3000},
	}
	rule := &wire.Rule{ID: "chess.move", Severity: wire.Error}
	for i, file := range []string{"a.pcap", "b.pcap"} {
		place := wire.Place{Frame: 7 + i, File: file, Time: int64(i), Protocol: chess, Src: netip.MustParseAddrPort("10.0.0.7:4000")}
		s.Stats.Finding(&wire.TrafficFinding{Place: place, Rule: rule, Text: `the move \x07`})
	}
	s.Stats.Senders[stats.Sender{}] = &stats.Broken{Severity: wire.Error, Count: 9}
	s.Stats.Conversations[stats.ConversationKey{}] = &stats.Conversation{Protocol: "chess"}
	s.Stats.Endpoints[stats.EndpointKey{}] = &stats.Endpoint{Protocol: "chess"}
	var all []decode.OtherTraffic
	for i := range maxOthers + 10 {
		o := decode.OtherTraffic{Packets: int64(1000 - i), Bytes: 1, First: 100 - i, File: "a.pcap"}
		o.Port = uint16(2000 + i)
		all = append(all, o)
	}
	s.Stats.Count(decode.Counters{Others: all})
	others := s.Tables("other")[0]
	rest := others.Rows[maxOthers]
	if got := fmt.Sprintln(others.Columns[0].Text(rest[0]), rest[3], rest[4], rest[5], others.Rows[0][2]); len(others.Rows) != maxOthers+1 ||
		got != "and 10 more 9455 10 {a.pcap 41} 2000\n" {
		t.Errorf("%d rows, %s", len(others.Rows), got)
	}
	for _, test := range []struct {
		of   *Table
		want string
	}{
		{s.Tables("conv")[0], "\n\nstream|a|b|a>b|bytes|b>a|bytes|from|to|protocol\n|others||0|0|0|0|-1.000|-1.000|chess\n"},
		{s.Tables("endpoints")[0], "\n\nendpoint|sent|bytes|received|bytes|transport|protocol\nothers|0|0|0|0||chess\n"},
		{s.Tables("findings")[0], "\n\nseverity|rule|count|frame|example|who\nerror|chess.move|2|7|the move \\x07|10.0.0.7:4000\n"},
		{s.Tables("findings,who")[0], "\n\nrule|who|count|first|last|player|severity\n" +
			"chess.move|10.0.0.7:4000|2|7|8||error\nothers||9|0|0||error\n"},
		{s.forgotten(), "\n\nwhat|count\nmany|3,000\nfew|2\n"},
	} {
		if diff := cmp.Diff(test.want, forPeople([]*Table{test.of})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.of.Name, diff)
		}
	}
	if s.Brief = false; len(s.Tables("other")[0].Rows) != maxOthers+10 {
		t.Error("the table for programs lacks some kinds of other traffic")
	}
	row := s.Tables("findings,who")[0].Rows[0]
	if row[5] != "a.pcap" || row[6] != "b.pcap" {
		t.Errorf("files %v", row[5:7])
	}
}

// Empty intervals have rows, messages after the last interval are counted, and times before the first packet are in the
// first interval.
func TestIntervalsHaveBounds(t *testing.T) {
	intervals := newIntervals(t, "io,0.5")
	for _, seconds := range []float64{-5, 0, 0.6, 0.7, 2, 1e9, 4e9} {
		place := wire.Place{Protocol: chess, Time: int64(seconds * 1e9), Frame: int(seconds)}
		intervals.Message(&decode.Message{Place: place, Length: 10}, 0)
	}
	const want = `

from|packets|messages|bytes|findings|bar
0|2|2|20|0|################
0.5|1|2|20|0|################
1|0|0|0|0|
1.5|0|0|0|0|
2|1|1|10|0|########
5000||2|||
`
	if diff := cmp.Diff(want, forPeople([]*Table{intervals.Table()})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := intervals.Late(); !strings.HasPrefix(got, "2 messages came after 10,000 intervals") {
		t.Error(got)
	}
}

// A level is the sum of what the servers last reported. It continues in later intervals, but not in intervals without
// messages.
func TestLevels(t *testing.T) {
	protocols := []*wire.Protocol{chess}
	intervals, err := ParseIntervals("io,10,min(chess.servers.players),max(chess.players),avg(chess.players),count(chess.players),sum(chess.players)")
	if err == nil {
		err = intervals.Compile(filter.NewSchema(nil), protocols)
	}
	if err != nil {
		t.Fatal(err)
	}
	update := func(second int64, server, players string) {
		at := wire.Place{Time: second * 1e9, Protocol: chess}
		if server != "" {
			intervals.Value(&wire.Value{Place: at, Table: "servers", Server: netip.MustParseAddrPort(server), What: "players", State: true, Text: players}, 0)
			intervals.Value(&wire.Value{Place: at, Table: "players", Server: netip.MustParseAddrPort(server), What: "map", State: true, Text: "9"}, 0)
		}
		intervals.Message(&decode.Message{Place: at}, 0)
	}
	one, two := "10.0.0.1:5154", "10.0.0.2:5154"
	update(1, "", "")
	update(12, one, "2/6")
	update(17, two, "4")
	update(19, one, "")
	update(25, "", "")
	update(47, two, "a lot")
	update(52, one, "1/6")
	var got strings.Builder
	for _, row := range intervals.Table().Rows {
		for _, cell := range row[3:8] {
			fmt.Fprint(&got, (&Column{Kind: Figures}).Text(cell), ";")
		}
		got.WriteString(" ")
	}
	// 2 players from second 12 to 17, 6 until 19, then 4; no messages from 30 to 40
	if want := ";;;0;; 2;6;3.14286;3;; 4;4;4;0;; ;;;0;; 0;4;4;1;; 0;1;0;1;; "; got.String() != want {
		t.Errorf("%s, want %s", got.String(), want)
	}
}

// The error for a name that -z does not know lists the known names.
func TestLookup(t *testing.T) {
	protocols := []*wire.Protocol{chess}
	for _, name := range Names(protocols) {
		if _, err := Lookup(protocols, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"": "no such table", "go": "no such table", "chess,": "no such table", "io": "no such table", "chess,flags": "chess has the tables players, servers, kills",
	} {
		if _, err := Lookup(protocols, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	for name, want := range map[string]Needs{
		"conv": {Rows: true}, "endpoints": {Rows: true}, "protocols": {Rows: true}, "other": {Others: true}, "findings,who": {Values: true, Rows: true}, "players": {Values: true}, "chess": {Values: true},
		"chess,kills": {Values: true}, "messages": {},
	} {
		if got, _ := Lookup(protocols, name); got != want {
			t.Errorf("%s needs %+v, want %+v", name, got, want)
		}
	}
	list := Specs(protocols)
	if got := list[len(list)-2]; got.Name != "players" || got.Meaning != "kills, team, lag, address, seated" || got.Protocols[0] != "chess" {
		t.Errorf("%+v", got)
	}
}

// Numbers have different forms for people and for programs.
func TestText(t *testing.T) {
	for _, test := range []struct {
		kind         Kind
		cell         Cell
		text, number string
	}{
		{Count, int64(1234567), "1,234,567", "1234567"}, {Count, int64(-123), "-123", "-123"}, {Count, int64(-1234), "-1,234", "-1234"},
		{Number, int64(27960), "27960", "27960"}, {Seconds, int64(-1_234_567_000), "-1.234", "-1.234567"}, {Seconds, int64(2e9), "2.000", "2"},
		{Duration, int64(1_234_567), "1.23ms", "0.001234567"}, {Rate, 1234.56, "1234.6", "1234.56"}, {Frame, Packet{"a", 7}, "7", "7"},
		{Count, nil, "", ""}, {Figures, Shown{"x", 0.5}, "x", "0.5"}, {Word, Shown{Text: "-"}, "-", ""}, {File, "", "", ""},
	} {
		c := Column{Kind: test.kind}
		if number, isText := c.Value(test.cell); c.Text(test.cell) != test.text || number != test.number || isText && number != "" {
			t.Errorf("%v: %q and %q, want %q and %q", test.cell, c.Text(test.cell), number, test.text, test.number)
		}
	}
	for kind, want := range map[Kind]string{Text: `\\a\a"`, Word: "\\a\a\"", File: `\a\a"`} {
		c := Column{Kind: kind}
		if got := c.Text("\\a\a\""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A field may have texts in addition to numbers. The texts count, but not as zeros.
func TestMeasureOfTexts(t *testing.T) {
	var some tally
	for _, v := range []filter.Value{{Kind: wire.String}, {Kind: wire.Uint, Num: 4}, {Kind: wire.Uint, Num: 6}} {
		some.addValue(&v)
	}
	for function, want := range map[string]int64{"count": 3, "sum": 10, "min": 4, "max": 6, "avg": 5} {
		if got := (&measure{function: function}).cell(&some); got != want {
			t.Errorf("%s: %v", function, got)
		}
	}
	if got := (&measure{function: "min"}).cell(&tally{count: 1}); got != nil {
		t.Error(got)
	}
}

func TestFormatDuration(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0us", 999_499: "999us", 999_500: "1ms", 999_499_999: "999ms", 999_500_000: "1s", 59_996_000_000: "60s",
		1_234_000_000_000: "1234s",
	} {
		if got := FormatDuration(ns); got != want {
			t.Errorf("%d: %s", ns, got)
		}
	}
}
