package main

import (
	"cmp"
	"slices"

	"github.com/gamedissect/gamedissect/internal/stats"
)

// mostAcross is how many columns a matrix has at most where nobody says how wide lines may be.
const mostAcross = 40

// whoWhom is the name of the column that says who did it to whom, or who did it to those across.
const whoWhom = "who > whom"

// pairTables shows what somebody does to somebody: for people as a matrix for each server, or as a list where a matrix
// finds no room.
func (m *measured) pairTables() []*table {
	if !m.form.text() {
		return []*table{m.pairs()}
	}
	var list []*table
	for _, of := range m.rows.Matrices(m.of.Columns[0]) {
		show := m.matrix(of)
		width, l := m.form.width, newLayout(show, 0)
		if width == 0 && len(of.Whom) > mostAcross || width > 0 && l.sum(l.width) > width {
			return []*table{m.pairs()}
		}
		list = append(list, show)
	}
	if m.rows[stats.Subject{}] != nil { // a matrix has no place for the others
		return []*table{m.pairs()}
	}
	return list
}

// pairs is the list, what happened most often first.
func (m *measured) pairs() *table {
	show := &table{name: m.of.Name, caption: m.title()}
	server := column{name: "server", only: programs}
	if m.naming.several {
		server.only = everybody
	}
	show.columns = []column{{name: whoWhom, only: people}, {name: "protocol", only: programs}, server,
		{name: "who", only: programs}, {name: "whom", only: programs}}
	columns := m.columns()
	for _, c := range columns {
		show.columns = append(show.columns, c.heading()...)
	}
	subjects := m.subjects()
	slices.SortStableFunc(subjects, func(x, y stats.Subject) int {
		return cmp.Or(restLast(x == stats.Subject{}, y == stats.Subject{}), cmp.Compare(m.count(y), m.count(x)))
	})
	for _, who := range subjects {
		both := cell{text: escaped(who.Who) + " > " + escaped(who.Whom)}
		if who == (stats.Subject{}) {
			both.text = others
		}
		row := []cell{both, wordCell(m.protocol), serverCell(who.Server), textCell(who.Who), textCell(who.Whom)}
		for _, c := range columns {
			row = append(row, c.cells(m.rows[who].Find(c.what), who == stats.Subject{})...)
		}
		show.rows = append(show.rows, row)
	}
	return show
}

// count is how often it happened, which is what matters most of what was measured.
func (m *measured) count(who stats.Subject) int64 { return m.rows.Count(who, m.of.Columns[0]) }

// matrix has who does it down, whom across, and sums at the ends.
func (m *measured) matrix(of *stats.Matrix) *table {
	show := &table{name: m.of.Name, caption: m.title(), columns: textColumns(whoWhom)}
	if m.naming.several {
		show.caption += " at " + of.Server.String()
	}
	sums := []cell{wordCell("total")}
	for _, whom := range of.Whom {
		show.columns = append(show.columns, column{name: escaped(whom.Name), right: true})
		sums = append(sums, numberCell(whom.Count))
	}
	show.columns = append(show.columns, numberColumns("total")...)
	for _, who := range of.Who {
		row := []cell{textCell(who.Name)}
		for _, whom := range of.Whom {
			n := none
			if count := of.Count(who.Name, whom.Name); count > 0 {
				n = numberCell(count)
			}
			row = append(row, n)
		}
		show.rows = append(show.rows, append(row, numberCell(who.Count)))
	}
	show.rows = append(show.rows, append(sums, numberCell(of.Total)))
	return show
}
