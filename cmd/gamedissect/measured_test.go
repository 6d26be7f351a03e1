package main

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/stats"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// chess is a protocol with tables that are known here.
var chess = &wire.Protocol{Name: "chess", Tables: []wire.Table{
	{Name: "players", Columns: []string{"kills", "team", "lag"}, Steps: []string{"seated"}},
	{Name: "servers", Columns: []string{"map"}},
	{Name: "kills", Columns: []string{"kills", "by rooks"}},
}}

// byServer has players and texts of some servers, and what had no room.
func byServer(servers ...string) *totals {
	t := &totals{clock: new(clock), files: newFileNames(nil), form: tableForm{name: "text"}}
	give := func(v wire.Value) {
		v.Protocol = chess
		t.value(&v)
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
		of   *totals
		name string
		want string
	}{
		{one, "players", `
chess players  kills  team
3 Al\aice          1  Red
others         1,000
`},
		{two, "players", `
chess players   who        kills  team
10.0.0.9:5154   3 Al\aice      2  Red
10.0.0.10:5154  3 Al\aice      1  Red
others                     1,000
`},
		{two, "servers", `
chess servers   map
10.0.0.9:5154   one
10.0.0.10:5154  one
`},
	} {
		out := newOutput(nil, 0)
		p := &printer{out: out, form: &test.of.form, files: test.of.files}
		for _, of := range test.of.measuredTables(chess, test.name) {
			p.table(of)
		}
		got := "\n" + string(out.buf)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Names of strangers are no secret code in the order of tables.
func TestNamesAreOrdered(t *testing.T) {
	var n naming
	list := []stats.Subject{{}, {Who: "b"}, {Who: "a"}, {Server: netip.MustParseAddrPort("10.0.0.9:1")}, {Server: netip.MustParseAddrPort("10.0.0.10:1"), Who: "z"}}
	for _, who := range list {
		n.meet(who)
	}
	slices.SortFunc(list, n.compare)
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
