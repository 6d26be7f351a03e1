package tally

import (
	"cmp"
	"slices"

	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// mostAcross is how many columns a matrix has at most where nobody says how wide lines may be.
const mostAcross = 40

// whoWhom is the name of the column that says who did it to whom, or who did it to those across.
const whoWhom = "who > whom"

// pairTables shows what somebody does to somebody: for people as a matrix for each server, or as a list where a matrix
// finds no room.
func (m *measured) pairTables() []*table.Table {
	if !m.Form.Text() {
		return []*table.Table{m.pairs()}
	}
	var list []*table.Table
	for _, of := range m.rows.Matrices(m.of.Columns[0]) {
		show := m.matrix(of)
		width, l := m.Form.Width, table.NewLayout(show, 0)
		if width == 0 && len(of.Whom) > mostAcross || width > 0 && l.Sum(l.Width) > width {
			return []*table.Table{m.pairs()}
		}
		list = append(list, show)
	}
	if m.rows[stats.Subject{}] != nil { // a matrix has no place for the others
		return []*table.Table{m.pairs()}
	}
	return list
}

// pairs is the list, what happened most often first.
func (m *measured) pairs() *table.Table {
	show := &table.Table{Name: m.of.Name, Caption: m.title()}
	server := table.Column{Name: "server", Only: table.Programs}
	if m.naming.several {
		server.Only = table.Everybody
	}
	show.Columns = []table.Column{{Name: whoWhom, Only: table.People}, {Name: "protocol", Only: table.Programs}, server,
		{Name: "who", Only: table.Programs}, {Name: "whom", Only: table.Programs}}
	columns := m.columns()
	for _, c := range columns {
		show.Columns = append(show.Columns, c.heading()...)
	}
	subjects := m.subjects()
	slices.SortStableFunc(subjects, func(x, y stats.Subject) int {
		return cmp.Or(restLast(x == stats.Subject{}, y == stats.Subject{}), cmp.Compare(m.count(y), m.count(x)))
	})
	for _, who := range subjects {
		both := table.Cell{Text: term.Escaped(who.Who) + " > " + term.Escaped(who.Whom)}
		if who == (stats.Subject{}) {
			both.Text = others
		}
		row := []table.Cell{both, table.WordCell(m.protocol), serverCell(who.Server), table.TextCell(who.Who), table.TextCell(who.Whom)}
		for _, c := range columns {
			row = append(row, c.cells(m.rows[who].Find(c.what), who == stats.Subject{})...)
		}
		show.Rows = append(show.Rows, row)
	}
	return show
}

// count is how often it happened, which is what matters most of what was measured.
func (m *measured) count(who stats.Subject) int64 { return m.rows.Count(who, m.of.Columns[0]) }

// matrix has who does it down, whom across, and sums at the ends.
func (m *measured) matrix(of *stats.Matrix) *table.Table {
	show := &table.Table{Name: m.of.Name, Caption: m.title(), Columns: table.TextColumns(whoWhom)}
	if m.naming.several {
		show.Caption += " at " + of.Server.String()
	}
	sums := []table.Cell{table.WordCell("total")}
	for _, whom := range of.Whom {
		show.Columns = append(show.Columns, table.Column{Name: term.Escaped(whom.Name), Right: true})
		sums = append(sums, table.NumberCell(whom.Count))
	}
	show.Columns = append(show.Columns, table.NumberColumns("total")...)
	for _, who := range of.Who {
		row := []table.Cell{table.TextCell(who.Name)}
		for _, whom := range of.Whom {
			n := table.None
			if count := of.Count(who.Name, whom.Name); count > 0 {
				n = table.NumberCell(count)
			}
			row = append(row, n)
		}
		show.Rows = append(show.Rows, append(row, table.NumberCell(who.Count)))
	}
	show.Rows = append(show.Rows, append(sums, table.NumberCell(of.Total)))
	return show
}
