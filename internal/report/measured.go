package report

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// A measuredTable makes a table of a tracker's values. It has a row for each subject and a column for each measured
// thing.
type measuredTable struct {
	protocol *wire.Protocol
	of       *wire.Table
	rows     stats.Table
	first    int64
	series   []seriesColumn

	servers map[netip.AddrPort]bool
	named   bool // some subjects are not the server itself
	pairs   bool // the subjects are pairs; one of each pair acts on the other
}

// measured makes the tables of a protocol. If only is not "", it makes only the table with that name. It omits tables
// without rows.
func (s *Source) measured(p *wire.Protocol, only string) (list []*Table) {
	counted := s.Stats.Protocols[p.Name]
	if counted == nil {
		return nil
	}
	for i := range p.Tables {
		of := &p.Tables[i]
		rows := counted.Tables[of.Name]
		if len(rows) == 0 || only != "" && only != of.Name {
			continue
		}
		m := &measuredTable{protocol: p, of: of, rows: rows, first: s.First, servers: make(map[netip.AddrPort]bool)}
		for who := range rows {
			if who != (stats.RowKey{}) {
				m.servers[who.Server] = true
			}
			m.named = m.named || who.Who != ""
			m.pairs = m.pairs || who.Whom != ""
		}
		m.series = m.seriesColumns()
		list = append(list, m.table())
	}
	return list
}

func (m *measuredTable) severalServers() bool { return len(m.servers) > 1 }

func (m *measuredTable) table() *Table {
	t := &Table{Name: m.of.Name, Title: m.protocol.Title + ": " + m.of.Name, Protocol: m.protocol.Name}
	t.Caption = m.protocol.Name + " " + m.of.Name
	t.Columns = m.nameColumns()
	name, compare := m.names, stats.RowKey.Compare
	if m.pairs {
		t.Matrices, t.severalServers = m.rows.Matrices(m.of.Columns[0]), m.severalServers()
		t.rest = m.rows[stats.RowKey{}] != nil
		t.Columns, name, compare = m.pairColumns(), m.pairNames, m.compareCounts
	}
	for _, c := range m.series {
		for _, column := range c.heading() {
			if column.Only != Programs {
				column.Meaning = m.of.Meanings[c.what]
			}
			t.Columns = append(t.Columns, column)
		}
	}
	for _, who := range sortedKeys(m.rows, compare) {
		row := name(who)
		for _, c := range m.series {
			row = append(row, c.cells(m.rows[who], who == stats.RowKey{})...)
		}
		t.add(row...)
	}
	return t
}

// nameColumns returns the columns that name the subject. For people, the server is next to a name only if there are
// several servers.
func (m *measuredTable) nameColumns() (list []Column) {
	if m.severalServers() || !m.named {
		list = append(list, Column{Name: "server", Kind: Word, Only: People, Whole: true})
	}
	if m.named {
		list = append(list, Column{Name: "who", Only: People, Whole: m.addressed()})
	}
	return append(list, Column{Name: "protocol", Kind: Word, Only: Programs},
		Column{Name: "server", Kind: Word, Only: Programs}, Column{Name: "who", Only: Programs})
}

// addressed reports whether all names are addresses. Addresses must not be cut.
func (m *measuredTable) addressed() bool {
	for who := range m.rows {
		if _, err := netip.ParseAddrPort(who.Who); err != nil && who != (stats.RowKey{}) {
			return false
		}
	}
	return true
}

func (m *measuredTable) names(who stats.RowKey) []Cell {
	server := address(who.Server)
	if who == (stats.RowKey{}) {
		server = others
	}
	forPrograms := []Cell{m.protocol.Name, server, who.Who}
	switch {
	case m.severalServers() && m.named:
		return append([]Cell{server, who.Who}, forPrograms...)
	case who.Who != "":
		return append([]Cell{who.Who}, forPrograms...)
	}
	return append([]Cell{server}, forPrograms...)
}

// pairHeading is the heading of the column for pairs. In a matrix, this column has those who act.
const pairHeading = "who > whom"

func (m *measuredTable) pairColumns() []Column {
	server := Column{Name: "server", Kind: Word, Only: Programs}
	if m.severalServers() {
		server.Only = Everybody
	}
	return []Column{{Name: pairHeading, Only: People}, {Name: "protocol", Kind: Word, Only: Programs}, server,
		{Name: "who", Only: Programs}, {Name: "whom", Only: Programs}}
}

func (m *measuredTable) pairNames(who stats.RowKey) []Cell {
	both := format.Unquoted(who.Who) + " > " + format.Unquoted(who.Whom)
	if who == (stats.RowKey{}) {
		both = others
	}
	return []Cell{Shown{Text: both}, m.protocol.Name, address(who.Server), who.Who, who.Whom}
}

// compareCounts orders pairs by their counts, highest first.
func (m *measuredTable) compareCounts(x, y stats.RowKey) int {
	what := m.of.Columns[0]
	return cmp.Or(cmp.Compare(m.rows.Count(y, what), m.rows.Count(x, what)), x.Compare(y))
}

// A seriesColumn describes the columns for one measured thing, such as lag.
type seriesColumn struct {
	what    string
	step    bool   // one of wire.Table.Steps
	of      string // the count of which this is a share, see wire.Table.Shares
	whole   bool   // other columns are its shares
	text    bool   // some subject has a text
	unit    string // unit of numbers; "": counts
	several bool   // some subject has several numbers
	below   bool   // a terminal may put texts below their rows
	first   int64  // time of the first packet
}

// seriesColumns returns the columns that are not empty, in the order of the protocol.
func (m *measuredTable) seriesColumns() (list []seriesColumn) {
	for i, what := range slices.Concat(m.of.Columns, m.of.Steps) {
		c := seriesColumn{what: what, step: i >= len(m.of.Columns), first: m.first, of: m.of.Shares[what]}
		c.whole = slices.Contains(slices.Collect(maps.Values(m.of.Shares)), what)
		met := false
		for _, row := range m.rows {
			x := row.Find(what)
			if met = met || x != nil || c.of != "" && row.Find(c.of) != nil; x == nil {
				continue
			}
			c.text = c.text || len(x.States()) > 0
			if x.Unit() != "" {
				c.unit = max(c.unit, x.Unit())
				c.several = c.several || x.Numbers.Count > 1
			}
		}
		if met {
			list = append(list, c)
		}
	}
	for i := range list { // texts below their rows leave room for steps, or for a text of several lines
		list[i].below = len(m.of.Steps) > 0 || !slices.ContainsFunc(list, func(c seriesColumn) bool { return !c.text })
	}
	return list
}

// Two kinds of columns have a different form for programs. Trackers write a number of players as a text, "2/6", and
// programs get two numbers. Trackers count the seconds of play, and programs get a key that contains the unit.
const (
	playersName = "players"
	playedName  = "played"
)

// quantiles are the quantiles for programs. People get only the first and the last.
var quantiles = [...]struct {
	name string
	p    float64
}{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"max", 1}}

func (c *seriesColumn) heading() []Column {
	switch {
	case c.step:
		return columns(Seconds, c.what)
	case c.text && c.what == playersName:
		return []Column{{Name: c.what, Only: People}, {Name: c.what, Kind: Count, Only: Programs},
			{Name: c.what + " limit", Kind: Count, Only: Programs}}
	case c.text:
		return []Column{{Name: c.what, Wraps: true, Below: c.below}}
	case c.what == playedName:
		return []Column{{Name: c.what, Key: c.what + "_seconds", Kind: Count, Unit: "s"}}
	case c.whole:
		return []Column{{Name: c.what, Kind: Count, Only: Programs}}
	case c.of != "":
		return []Column{{Name: c.what, Kind: Figures, Only: People}, {Name: c.what, Kind: Count, Only: Programs}}
	case c.unit == "":
		return columns(Count, c.what)
	}
	brief := Column{Name: c.what, Kind: Figures, Only: People}
	if c.several {
		brief.Name += " p50/max"
	}
	list := []Column{brief, {Name: c.what + " count", Kind: Count, Only: Programs}}
	for _, q := range quantiles {
		list = append(list, Column{Name: c.what + " " + q.name, Kind: c.kind(), Unit: c.unit, Only: Programs})
	}
	return list
}

func (c *seriesColumn) kind() Kind {
	if c.unit == "s" {
		return Duration
	}
	return Count
}

// cells returns the cells of a series. rest means that the row is the one for all others. That row has no steps and no
// texts, because they would belong to different subjects.
func (c *seriesColumn) cells(from *stats.Row, rest bool) []Cell {
	row := make([]Cell, len(c.heading()))
	x := from.Find(c.what)
	switch {
	case c.of != "":
		if part, all := from.Total(c.what), from.Find(c.of); x != nil || all != nil {
			row[0] = Shown{Text: FormatCount(part) + " of " + FormatCount(from.Total(c.of)), Value: part}
			row[1] = part
		}
	case x == nil, rest && (c.step || c.text):
	case c.step:
		if states := x.States(); len(states) > 0 {
			row[0] = states[0].Time - c.first
		}
	case c.text && len(x.States()) > 0:
		text := x.Text()
		row[0] = text
		if n, limit, ok := stats.Count(text); ok && len(row) > 1 {
			row[1] = n
			if limit >= 0 {
				row[2] = limit
			}
		}
	case c.unit == "" || x.Numbers == nil:
		row[0] = x.Total
	default:
		c.numbers(row, x.Numbers)
	}
	return row
}

// numbers fills the cells for numbers with a unit, in the order of heading.
func (c *seriesColumn) numbers(row []Cell, h *stats.Histogram) {
	row[1] = h.Count
	for i, q := range quantiles {
		row[2+i] = h.Quantile(q.p)
	}
	write := Column{Kind: c.kind()}
	brief := write.Text(row[len(row)-1])
	if h.Count > 1 {
		brief = write.Text(row[2]) + " " + brief
	}
	row[0] = Shown{Text: brief}
}

// MatrixTables returns the table in the form for people, which is a matrix for each server. If the table has a row for
// all others, it returns none, because that row belongs to no server.
func (t *Table) MatrixTables() (list []*Table) {
	if t.rest {
		return nil
	}
	for _, m := range t.Matrices {
		show := matrixTable(m)
		show.Name, show.Title, show.Protocol, show.Caption = t.Name, t.Title, t.Protocol, t.Caption
		if t.severalServers {
			show.Caption += " at " + m.Server.String()
		}
		list = append(list, show)
	}
	return list
}

// matrixTable makes a row for each player who acts, a column for each player who is acted on, and totals at the ends.
func matrixTable(m *stats.Matrix) *Table {
	t := &Table{Columns: columns(Text, pairHeading)}
	sums := []Cell{"total"}
	for _, whom := range m.Whom {
		t.Columns = append(t.Columns, Column{Name: format.Unquoted(whom.Name), Kind: Count})
		sums = append(sums, whom.Count)
	}
	t.Columns = append(t.Columns, columns(Count, "total")...)
	for _, who := range m.Who {
		row := []Cell{who.Name}
		for _, whom := range m.Whom {
			cell := Cell(nil)
			if n := m.Count(who.Name, whom.Name); n > 0 {
				cell = n
			}
			row = append(row, cell)
		}
		t.add(append(row, who.Count)...)
	}
	t.add(append(sums, m.Total)...)
	return t
}
