package tally

import (
	"bytes"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// chess is a protocol that these tests define.
var chess = &wire.Protocol{Name: "chess", Tables: []wire.Table{
	{Name: "players", Columns: []string{"kills", "team", "lag", "address"}, Steps: []string{"seated"}},
	{Name: "servers", Columns: []string{"map"}},
	{Name: "kills", Columns: []string{"kills", "by rooks"}},
}}

// printTable writes a table of values measured on chess servers.
func printTable(name string, width int, values ...wire.Value) string {
	var b bytes.Buffer
	t := &Totals{Clock: &session.Clock{First: 1e9}, Form: term.TableForm{Name: "text", Width: width}}
	t.Want = Options{Protocols: []*wire.Protocol{chess}, Tables: []string{name}}
	for _, v := range values {
		v.Protocol = chess
		if !v.Server.IsValid() {
			v.Server = netip.MustParseAddrPort("10.0.0.1:5154")
		}
		t.Stats.Value(&v)
	}
	_ = t.Print(term.NewOutput(&b, 0), decode.Counters{}) // fails only for a wrong --sort
	return "\n" + b.String()
}

// Ports are shown even if there is little room, because servers on one host differ only in their ports.
func TestServerPortsAreShown(t *testing.T) {
	var values []wire.Value
	for _, at := range []string{"10.200.200.100:28000", "10.200.200.100:28001"} {
		values = append(values, wire.Value{Table: "servers", Server: netip.MustParseAddrPort(at), What: "map", State: true,
			Text: "a name that is longer than all the rest"})
	}
	want := `
chess servers
server
10.200.200.100:28000
  map: a name that is longer than all
  the rest
10.200.200.100:28001
  map: a name that is longer than all
  the rest
`
	if diff := cmp.Diff(want, printTable("servers", 40, values...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// killed is a value for how often one player kills another.
func killed(server, who, whom string, times int) wire.Value {
	return wire.Value{Table: "kills", Server: netip.MustParseAddrPort(server), Who: who, Whom: whom, What: "kills", Number: float64(times)}
}

// If there is room, the kills are a matrix with the sums of its rows and columns. Otherwise they are a list.
func TestKills(t *testing.T) {
	const one, two = "10.0.0.1:5154", "10.0.0.2:5154"
	values := []wire.Value{killed(one, "10 Al", "2 Bo\x07", 12), killed(one, "2 Bo\x07", "10 Al", 3), killed(one, "3 Cy", "2 Bo\x07", 1),
		killed(one, "2 Bo\x07", "2 Bo\x07", 1000)}
	for _, test := range []struct {
		width  int
		values []wire.Value
		want   string
	}{
		{80, values, `
chess kills
who > whom  2 Bo\a  10 Al  total
2 Bo\a       1,000      3  1,003
3 Cy             1             1
10 Al           12            12
total        1,013      3  1,016
`},
		{30, values, `
chess kills
who > whom       kills
2 Bo\a > 2 Bo\a  1,000
10 Al > 2 Bo\a      12
2 Bo\a > 10 Al       3
3 Cy > 2 Bo\a        1
`},
		{80, append(values, killed(two, "1 Di", "2 Ed", 5)), `
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
	} {
		if diff := cmp.Diff(test.want, printTable("kills", test.width, test.values...)); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", test.width, diff)
		}
	}
}

// The tables of a hundred players on each of several servers, some with hostile names, fit the width.
func TestKillsOfMany(t *testing.T) {
	var values []wire.Value
	for server := range 3 {
		for i := range 100 {
			who, whom := fmt.Sprint(i, " ", strings.Repeat("\u754c\u202e", i%40)), fmt.Sprint((i*7+server)%100, " \x1b[31m")
			values = append(values, killed(fmt.Sprintf("10.0.0.%d:5154", server+1), who, whom, i+1))
		}
	}
	for _, width := range []int{40, 80, 0} {
		got := printTable("kills", width, values...)
		if n := strings.Count(got, "\n"); n < 302 || n > 304 || clitest.Unprintable(got) != "" {
			t.Errorf("%d lines in a list of 300\n%s", n, got)
		}
		for line := range strings.Lines(got) {
			if n := clitest.LineWidth(strings.TrimSuffix(line, "\n")); width > 0 && n > width {
				t.Fatalf("%q is %d columns wide", line, n)
			}
		}
	}
}
