package main

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/internal/stats"
)

// senderTable has a row for each endpoint and each rule that it broke, the gravest and most frequent first.
func (t *totals) senderTable() *table {
	show := &table{name: "findings,who", columns: []column{{name: "rule", whole: true}, {name: "who", whole: true},
		{name: "count", right: true}, {name: "first", key: "first_frame", right: true},
		{name: "last", key: "last_frame", right: true}, fileColumn("first file"), fileColumn("last file"), {name: "player"},
		{name: "severity"}}}
	players := t.players()
	keys := slices.SortedFunc(maps.Keys(t.Senders), func(x, y stats.Sender) int {
		a, b := t.Senders[x], t.Senders[y]
		return cmp.Or(restLast(x == stats.Sender{}, y == stats.Sender{}), cmp.Compare(b.Severity, a.Severity),
			cmp.Compare(b.Count, a.Count), cmp.Compare(x.Rule, y.Rule), x.At.Compare(y.At))
	})
	for _, k := range keys {
		b := t.Senders[k]
		rule := wordCell(cmp.Or(k.Rule, others))
		show.rows = append(show.rows, []cell{rule, serverCell(k.At), numberCell(b.Count),
			t.files.frameCell(b.First.File, b.First.Frame), t.files.frameCell(b.Last.File, b.Last.Frame), fileCell(b.First.File),
			fileCell(b.Last.File), textCell(players[k.At]), wordCell(b.Severity.String())})
	}
	return show
}

// addressColumn is what trackers tell of where a player plays from.
const addressColumn = "address"

// players gives the names of players by where they played from, of several the first.
func (t *totals) players() map[netip.AddrPort]string {
	names := make(map[netip.AddrPort]string)
	for _, p := range t.Protocols {
		for who, row := range p.Tables[playersTable] {
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
