package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
)

type tablesRequest struct {
	Count int `json:"count"`
}

// Column is that of a table.
type Column struct {
	Name   string `json:"name"`
	Number bool   `json:"number,omitempty"`
	Unit   string `json:"unit,omitempty"`
}

// Table is what was counted, or measured.
type Table struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Protocol string   `json:"protocol,omitempty"`
	Columns  []Column `json:"columns"`
	Rows     [][]any  `json:"rows"`
	LeftOut  int      `json:"left_out"`
	most     int
}

// Matrix is how often they did something to one another at a server.
type Matrix struct {
	Name     string  `json:"name"`
	Title    string  `json:"title"`
	Protocol string  `json:"protocol"`
	Server   string  `json:"server,omitempty"`
	Who      []Sum   `json:"who"`
	Whom     []Sum   `json:"whom"`
	Counts   [][]int `json:"counts"` // for each who, to each whom
	Total    int64   `json:"total"`
	LeftOut  int     `json:"left_out"`
}

// Sum is that of a line of a matrix.
type Sum struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

type tablesAnswer struct {
	Tables   []*Table  `json:"tables"`
	Matrices []*Matrix `json:"matrices"`
}

const (
	usualTableRows = 1000
	mostTableRows  = 10_000
)

// text, number and measure are columns.
func text(names ...string) (list []Column) {
	for _, n := range names {
		list = append(list, Column{Name: n})
	}
	return list
}

func number(unit string, names ...string) (list []Column) {
	for _, n := range names {
		list = append(list, Column{Name: n, Number: true, Unit: unit})
	}
	return list
}

func (t *Table) add(cells ...any) {
	if len(t.Rows) >= t.most {
		t.LeftOut++
		return
	}
	t.Rows = append(t.Rows, cells)
}

func (v *View) tables(q *tablesRequest) (*tablesAnswer, error) {
	_, most := cut(mostTableRows, 0, q.Count, usualTableRows, mostTableRows)
	a := &tablesAnswer{Tables: []*Table{}, Matrices: []*Matrix{}}
	for _, t := range []*Table{
		v.messageTable(most), v.protocolTable(most), v.conversationTable(most), v.endpointTable(most), v.findingTable(most),
		v.otherTable(most), v.skippedTable(most),
	} {
		if len(t.Rows) > 0 {
			a.Tables = append(a.Tables, t)
		}
	}
	for _, p := range v.options.Protocols {
		counted := v.stats.Protocols[p.Name]
		if counted == nil {
			continue
		}
		for i := range p.Tables {
			if rows := counted.Tables[p.Tables[i].Name]; len(rows) > 0 {
				a.Tables = append(a.Tables, v.measuredTable(p, &p.Tables[i], rows, most))
				a.addMatrices(p, &p.Tables[i], rows)
			}
		}
	}
	return a, nil
}

func newTable(name, title string, most int, columns ...[]Column) *Table {
	return &Table{Name: name, Title: title, Columns: slices.Concat(columns...), Rows: [][]any{}, most: most}
}

func (v *View) messageTable(most int) *Table {
	t := newTable("messages", "Messages", most, text("protocol", "message"), number("", "count"),
		number("B", "bytes", "shortest", "median", "longest"))
	for _, name := range slices.Sorted(maps.Keys(v.stats.Protocols)) {
		messages := v.stats.Protocols[name].Messages
		for _, m := range slices.SortedFunc(maps.Keys(messages), func(x, y string) int {
			return cmp.Or(cmp.Compare(messages[y].Sizes.Count, messages[x].Sizes.Count), cmp.Compare(x, y))
		}) {
			h := &messages[m].Sizes
			t.add(name, m, h.Count, h.Sum, h.Min, h.Quantile(0.5), h.Max)
		}
	}
	return t
}

func (v *View) protocolTable(most int) *Table {
	t := newTable("protocols", "Protocols", most, text("protocol"), number("", "messages"), number("B", "bytes"))
	for _, name := range slices.Sorted(maps.Keys(v.stats.Protocols)) {
		count, bytes := int64(0), int64(0)
		for _, m := range v.stats.Protocols[name].Messages {
			count, bytes = count+m.Sizes.Count, bytes+m.Sizes.Sum
		}
		t.add(name, count, bytes)
	}
	return t
}

func (v *View) conversationTable(most int) *Table {
	t := newTable("conv", "Conversations", most, text("protocol", "stream", "A", "B"), number("", "A to B"),
		number("B", "bytes A to B"), number("", "B to A"), number("B", "bytes B to A"), number("s", "first", "last"))
	all := v.stats.Conversations
	for _, k := range slices.SortedFunc(maps.Keys(all), func(x, y stats.Pair) int {
		a, b := all[x], all[y]
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Stream, b.Stream), x.A.Compare(y.A), x.B.Compare(y.B))
	}) {
		c := all[k]
		if k == (stats.Pair{}) {
			t.add("", "others", "", "", c.AB.Messages, c.AB.Bytes, c.BA.Messages, c.BA.Bytes, nil, nil)
			continue
		}
		place := wire.Place{Transport: k.Transport, Conversation: c.Stream}
		t.add(c.Protocol, streamOf(&place), k.A.String(), k.B.String(), c.AB.Messages, c.AB.Bytes, c.BA.Messages, c.BA.Bytes,
			v.seconds(c.First), v.seconds(c.Last))
	}
	return t
}

func (v *View) endpointTable(most int) *Table {
	t := newTable("endpoints", "Endpoints", most, text("protocol", "transport", "endpoint"), number("", "sent"),
		number("B", "bytes sent"), number("", "received"), number("B", "bytes received"))
	all := v.stats.Endpoints
	busy := func(e *stats.Endpoint) int64 { return e.Sent.Messages + e.Received.Messages }
	for _, k := range slices.SortedFunc(maps.Keys(all), func(x, y stats.End) int {
		return cmp.Or(cmp.Compare(busy(all[y]), busy(all[x])), x.At.Compare(y.At), cmp.Compare(x.Transport, y.Transport))
	}) {
		e, transport, at := all[k], k.Transport.String(), "others"
		if k != (stats.End{}) {
			at = k.At.String()
		} else {
			transport = ""
		}
		t.add(e.Protocol, transport, at, e.Sent.Messages, e.Sent.Bytes, e.Received.Messages, e.Received.Bytes)
	}
	return t
}

func (v *View) findingTable(most int) *Table {
	t := newTable("findings", "Findings", most, text("severity", "rule"), number("", "count", "frame"),
		text("example", "who"))
	all := v.stats.Findings
	for _, id := range slices.SortedFunc(maps.Keys(all), func(x, y string) int {
		a, b := all[x], all[y]
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Time, b.Time), cmp.Compare(a.Frame, b.Frame),
			cmp.Compare(x, y))
	}) {
		f, who := all[id], any(nil)
		if f.Sender.IsValid() {
			who = f.Sender.String()
		}
		t.add(f.Severity.String(), id, f.Count, f.Frame, plain(f.Text), who)
	}
	return t
}

func (v *View) otherTable(most int) *Table {
	t := newTable("other", "Other traffic", most, text("what", "tunnel"), number("", "port", "packets"),
		number("B", "bytes"), number("", "frame"))
	for _, o := range v.stats.Others {
		port := any(nil)
		if o.Port != 0 {
			port = o.Port
		}
		t.add(strings.TrimSpace(o.Layer+" "+o.Name), o.Tunnel, port, o.Packets, o.Bytes, o.Frame)
	}
	return t
}

func (v *View) skippedTable(most int) *Table {
	t := newTable("skipped", "Bytes in no message", most, text("why"), number("B", "bytes"))
	for _, why := range slices.Sorted(maps.Keys(v.stats.Skipped)) {
		t.add(why, v.stats.Skipped[why])
	}
	return t
}

// measuredTable has what was measured of those that a table is about.
func (v *View) measuredTable(p *wire.Protocol, of *wire.Table, rows stats.Table, most int) *Table {
	t := newTable(of.Name, p.Title+": "+of.Name, most, text("server", "who"))
	t.Protocol = p.Name
	pairs := false
	for who := range rows {
		pairs = pairs || who.Whom != ""
	}
	if pairs {
		t.Columns = append(t.Columns, Column{Name: "whom"})
	}
	columns := measuredColumns(of, rows)
	for _, c := range columns {
		t.Columns = append(t.Columns, c.heading()...)
	}
	for _, who := range slices.SortedFunc(maps.Keys(rows), func(x, y stats.Subject) int {
		return cmp.Or(x.Server.Compare(y.Server), stats.CompareNames(x.Who, y.Who), stats.CompareNames(x.Whom, y.Whom))
	}) {
		server, name := any(nil), plain(who.Who)
		if who.Server.IsValid() {
			server = who.Server.String()
		}
		if who == (stats.Subject{}) {
			name = "others"
		}
		cells := []any{server, name}
		if pairs {
			cells = append(cells, plain(who.Whom))
		}
		for _, c := range columns {
			cells = append(cells, c.cells(v, rows[who].Find(c.what))...)
		}
		t.add(cells...)
	}
	return t
}

// measuredColumn is what was measured of several.
type measuredColumn struct {
	what string
	step bool
	text bool
	unit string
}

// measuredColumns are those of which something was measured.
func measuredColumns(of *wire.Table, rows stats.Table) (list []measuredColumn) {
	for i, what := range slices.Concat(of.Columns, of.Steps) {
		c, met := measuredColumn{what: what, step: i >= len(of.Columns)}, false
		for _, row := range rows {
			if x := row.Find(what); x != nil {
				met = true
				c.text = c.text || len(x.States()) > 0
				c.unit = max(c.unit, x.Unit())
			}
		}
		if met {
			list = append(list, c)
		}
	}
	return list
}

func (c *measuredColumn) heading() []Column {
	switch {
	case c.step:
		return number("s", c.what)
	case c.text:
		return text(c.what)
	case c.unit == "":
		return number("", c.what)
	}
	of := number(c.unit, c.what+" p50", c.what+" p90", c.what+" p99", c.what+" max")
	return append(number("", c.what+" count"), of...)
}

func (c *measuredColumn) cells(v *View, x *stats.Series) []any {
	cells := make([]any, len(c.heading()))
	if x == nil {
		return cells
	}
	states := x.States()
	switch {
	case c.step && len(states) > 0:
		cells[0] = v.seconds(states[0].Time)
	case c.step:
	case c.text && len(states) > 0:
		cells[0] = plain(states[len(states)-1].Text.String())
	case c.text:
	case c.unit == "" || x.Numbers == nil:
		cells[0] = x.Total
	default:
		cells[0] = x.Numbers.Count
		for i, share := range []float64{0.5, 0.9, 0.99, 1} {
			n := float64(x.Numbers.Quantile(share))
			if c.unit == "s" {
				n /= 1e9
			}
			cells[1+i] = n
		}
	}
	return cells
}
