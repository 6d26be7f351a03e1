package tally

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/stats" // SenderTable has a row for each endpoint and each rule that it broke, the gravest and most frequent first.
)

func (t *Totals) SenderTable() *table.Table {
	show := &table.Table{Name: "findings,who", Columns: []table.Column{{Name: "rule", Whole: true}, {Name: "who", Whole: true}, {Name: "count", Right: true}, {Name: "first", Key: "first_frame", Right: true},
		{Name: "last", Key: "last_frame", Right: true}, table.FileColumn("first file"), table.FileColumn("last file"), {Name: "player"},
		{Name: "severity"}}}
	players := t.players()
	keys := slices.SortedFunc(maps.Keys(t.Stats.Senders), func(x, y stats.Sender) int {
		a, b := t.Stats.Senders[x], t.Stats.Senders[y]
		return cmp.Or(restLast(x == stats.Sender{}, y == stats.Sender{}), cmp.Compare(b.Severity, a.Severity),
			cmp.Compare(b.Count, a.Count), cmp.Compare(x.Rule, y.Rule), x.At.Compare(y.At))
	})
	for _, k := range keys {
		b := t.Stats.Senders[k]
		rule := table.WordCell(cmp.Or(k.Rule, others))
		show.Rows = append(show.Rows, []table.Cell{rule, serverCell(k.At), table.NumberCell(b.Count),
			t.Files.FrameCell(b.First.File, b.First.Frame), t.Files.FrameCell(b.Last.File, b.Last.Frame), table.FileCell(b.First.File),
			table.FileCell(b.Last.File), table.TextCell(players[k.At]), table.WordCell(b.Severity.String())})
	}
	return show
}

// addressColumn is what trackers tell of where a player plays from.
const addressColumn = "address"

// players gives the names of players by where they played from, of several the first.
func (t *Totals) players() map[netip.AddrPort]string {
	names := make(map[netip.AddrPort]string)
	for _, p := range t.Stats.Protocols {
		for who, row := range p.Tables[PlayersTable] {
			x := row.Find(addressColumn)
			if x == nil {
				continue
			}
			for _, told := range x.States() {
				at, err := netip.ParseAddrPort(told.Text.String())
				if have, met := names[at]; err == nil && (!met || stats.CompareNames(who.Who, have) < 0) {
					names[at] = who.Who
				}
			}
		}
	}
	return names
}

// The tables of wire.Value whose subjects are counted.
const (
	ServersTable = "servers"
	PlayersTable = "players"
)
