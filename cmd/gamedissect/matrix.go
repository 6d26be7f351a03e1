package main

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/stats"
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
	servers := make(map[netip.AddrPort]bool)
	for who := range m.rows {
		if who != (stats.Subject{}) {
			servers[who.Server] = true
		}
	}
	for _, server := range slices.SortedFunc(maps.Keys(servers), netip.AddrPort.Compare) {
		show, across := m.matrix(server)
		width, l := m.form.width, newLayout(show, 0)
		if width == 0 && across > mostAcross || width > 0 && l.sum(l.width) > width {
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
func (m *measured) count(who stats.Subject) int64 {
	row := m.rows[who]
	if row == nil {
		return 0
	}
	x := row.Find(m.of.Columns[0])
	if x == nil {
		return 0
	}
	return x.Total
}

// matrix has who does it down, whom across, and sums at the ends. It tells how many there are across.
func (m *measured) matrix(server netip.AddrPort) (show *table, across int) {
	down, to := make(map[string]int64), make(map[string]int64)
	total := int64(0)
	for who := range m.rows {
		if n := m.count(who); who.Server == server && n > 0 {
			down[who.Who] += n
			to[who.Whom] += n
			total += n
		}
	}
	victims := slices.SortedFunc(maps.Keys(to), compareNames)
	show = &table{name: m.of.Name, caption: m.title(), columns: textColumns(whoWhom)}
	if m.naming.several {
		show.caption += " at " + server.String()
	}
	sums := []cell{wordCell("total")}
	for _, whom := range victims {
		show.columns = append(show.columns, column{name: escaped(whom), right: true})
		sums = append(sums, numberCell(to[whom]))
	}
	show.columns = append(show.columns, numberColumns("total")...)
	for _, who := range slices.SortedFunc(maps.Keys(down), compareNames) {
		row := []cell{textCell(who)}
		for _, whom := range victims {
			n := none
			if count := m.count(stats.Subject{Server: server, Who: who, Whom: whom}); count > 0 {
				n = numberCell(count)
			}
			row = append(row, n)
		}
		show.rows = append(show.rows, append(row, numberCell(down[who])))
	}
	if len(show.rows) > 0 {
		show.rows = append(show.rows, append(sums, numberCell(total)))
	}
	return show, len(victims)
}
