package tally

import (
	"maps"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// measured is a table of what trackers measured: a row for each of those it is about, a column for what was measured.
type measured struct {
	*Totals
	protocol string
	of       *wire.Table
	rows     stats.Table
	naming   Naming
}

// MeasuredTables makes the tables of a protocol, or only that of a name.
func (t *Totals) MeasuredTables(p *wire.Protocol, only string) (list []*table.Table) {
	counted := t.Stats.Protocols[p.Name]
	if counted == nil {
		return nil
	}
	for i := range p.Tables {
		of := &p.Tables[i]
		rows := counted.Tables[of.Name]
		if len(rows) == 0 || only != "" && only != of.Name {
			continue
		}
		m := &measured{Totals: t, protocol: p.Name, of: of, rows: rows}
		aboutTwo := false
		for who := range rows {
			m.naming.Meet(who)
			aboutTwo = aboutTwo || who.Whom != ""
		}
		if aboutTwo {
			list = append(list, m.pairTables()...)
		} else {
			list = append(list, m.table())
		}
	}
	return list
}

// title is the caption of what is shown.
func (m *measured) title() string { return m.protocol + " " + m.of.Name }

func (m *measured) subjects() []stats.Subject {
	return slices.SortedFunc(maps.Keys(m.rows), m.naming.Compare)
}

func (m *measured) table() *table.Table {
	show := &table.Table{Name: m.of.Name, Caption: m.title(), Columns: m.naming.columns()}
	columns := m.columns()
	for _, c := range columns {
		show.Columns = append(show.Columns, c.heading()...)
	}
	for _, who := range m.subjects() {
		row := m.naming.cells(m.protocol, who)
		for _, c := range columns {
			row = append(row, c.cells(m.rows[who].Find(c.what), who == stats.Subject{})...)
		}
		show.Rows = append(show.Rows, row)
	}
	return show
}

// A measuredColumn is what was measured of several.
type measuredColumn struct {
	what    string
	step    bool
	text    bool
	unit    string // of numbers; "": they are counts
	several bool   // of one of them there are several numbers
	since   int64  // the first packet
}

// columns are those of which something was measured, in the order of the protocol.
func (m *measured) columns() (list []measuredColumn) {
	for i, what := range slices.Concat(m.of.Columns, m.of.Steps) {
		c := measuredColumn{what: what, step: i >= len(m.of.Columns), since: m.Clock.First}
		met := false
		for _, row := range m.rows {
			x := row.Find(what)
			if x == nil {
				continue
			}
			met = true
			c.text = c.text || len(x.States()) > 0
			if x.Unit() != "" {
				c.unit = x.Unit()
				c.several = c.several || x.Numbers.Count > 1
			}
		}
		if met {
			list = append(list, c)
		}
	}
	return list
}

// heading makes the columns: people read the median and the most of what there are several numbers of, programs get
// more of them.
func (c *measuredColumn) heading() []table.Column {
	switch {
	case c.step:
		return []table.Column{{Name: c.what, Right: true}}
	case c.text:
		return []table.Column{{Name: c.what, Wraps: true}}
	case c.unit == "":
		return []table.Column{{Name: c.what, Right: true}}
	}
	short := table.Column{Name: c.what, Right: true, Only: table.People}
	if c.several {
		short.Name += " p50/max"
	}
	list := []table.Column{short}
	for _, of := range []string{"count", "p50", "p90", "p99", "max"} {
		list = append(list, table.Column{Name: c.what + " " + of, Only: table.Programs})
	}
	return list
}

// cells are those of one. Of the others nobody knows who has become what.
func (c *measuredColumn) cells(x *stats.Series, others bool) []table.Cell {
	row := make([]table.Cell, len(c.heading()))
	switch {
	case x == nil, others && (c.step || c.text):
	case c.step && len(x.States()) > 0:
		row[0] = table.SecondsCell(x.States()[0].Time - c.since)
	case c.text && len(x.States()) > 0:
		row[0] = table.TextCell(x.States()[len(x.States())-1].Text.String())
	case c.unit == "" || x.Numbers == nil:
		row[0] = table.NumberCell(x.Total)
	default:
		c.numbers(row, x.Numbers)
	}
	return row
}

// numbers fills the cells of what has a unit.
func (c *measuredColumn) numbers(row []table.Cell, h *stats.Histogram) {
	write := table.NumberCell
	if c.unit == "s" {
		write = table.DurationCell
	}
	row[1] = table.NumberCell(h.Count)
	for i, share := range []float64{0.5, 0.9, 0.99, 1} {
		row[2+i] = write(h.Quantile(share))
	}
	if row[0].Text = row[5].Text; h.Count > 1 {
		row[0].Text = row[2].Text + " " + row[5].Text
	}
}
