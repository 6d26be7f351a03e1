package view

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
)

const (
	mostMatrices = 100
	mostAcross   = 100 // of those who did something, and of those to whom
)

// addMatrices adds those of a table that has pairs, of what matters most of it, which is its first column.
func (a *tablesAnswer) addMatrices(p *wire.Protocol, of *wire.Table, rows stats.Table) {
	pairs := false
	for who := range rows {
		pairs = pairs || who.Whom != ""
	}
	if !pairs {
		return
	}
	for _, m := range rows.Matrices(of.Columns[0]) {
		if len(a.Matrices) == mostMatrices {
			return // the table has them all
		}
		shown := &Matrix{
			Name: of.Name, Title: p.Title + ": " + of.Name, Protocol: p.Name, Total: m.Total, Counts: [][]int{},
		}
		if m.Server.IsValid() {
			shown.Server = m.Server.String()
		}
		who, whom := m.Who[:min(len(m.Who), mostAcross)], m.Whom[:min(len(m.Whom), mostAcross)]
		shown.LeftOut = len(m.Who) - len(who) + len(m.Whom) - len(whom)
		shown.Who, shown.Whom = sums(who), sums(whom)
		for _, x := range who {
			row := make([]int, 0, len(whom))
			for _, y := range whom {
				row = append(row, int(m.Count(x.Name, y.Name)))
			}
			shown.Counts = append(shown.Counts, row)
		}
		a.Matrices = append(a.Matrices, shown)
	}
}

func sums(list []stats.NameCount) []Sum {
	shown := make([]Sum, 0, len(list))
	for _, n := range list {
		shown = append(shown, Sum{plain(n.Name), n.Count})
	}
	return shown
}
