package tally

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// intervals are the sink of -z io: what there was in each so many seconds since the first packet, by protocol.
type intervals struct {
	*IoOptions
	clock    *session.Clock
	display  *session.Display
	Measures []*ioMeasure
	spans    [][]*span // by number of the interval
	late     int64     // messages behind the last interval that there is room for
	values   []filter.Value
}

// mostIntervals is how many there are at most: a day of ten seconds each.
const mostIntervals = 10_000

// A span is what there was of a protocol in an interval.
type span struct {
	protocol                            *wire.Protocol // nil: findings of none
	frame                               int            // of the last message
	file                                string
	packets, messages, length, findings int64
	tallies                             []tally
}

// NewIntervals makes the sink. The display has subjects if there are measures.
func NewIntervals(o *IoOptions, c *session.Clock, d *session.Display, s *filter.Schema) (*intervals, error) {
	t := &intervals{IoOptions: o, clock: c, display: d}
	for _, text := range o.Measures {
		m, err := parseMeasure(text, s)
		if err != nil {
			return nil, fmt.Errorf("-z %s: %w", o.name, err)
		}
		t.Measures = append(t.Measures, m)
	}
	return t, nil
}

// at gives the span of a place; nil if there are too many intervals.
func (t *intervals) at(p *wire.Place) *span {
	n := max(p.Time-t.clock.First, 0) / t.Interval
	if n >= mostIntervals {
		return nil
	}
	for int64(len(t.spans)) <= n {
		t.spans = append(t.spans, nil)
	}
	for _, s := range t.spans[n] {
		if s.protocol == p.Protocol {
			return s
		}
	}
	s := &span{protocol: p.Protocol, tallies: make([]tally, len(t.Measures))}
	t.spans[n] = append(t.spans[n], s)
	return s
}

func (t *intervals) Message(m *decode.Message) {
	s := t.at(&m.Place)
	if s == nil {
		t.late++
		return
	}
	if s.messages == 0 || s.frame != m.Frame || s.file != m.File {
		s.packets++
		s.frame, s.file = m.Frame, m.File
	}
	s.messages++
	s.length += int64(m.Length)
	s.findings += int64(len(m.Findings))
	for i, of := range t.Measures {
		if of.tracked == nil {
			t.values = of.field.Values(t.display.Subject(), t.values[:0])
			for j := range t.values {
				s.tallies[i].addValue(&t.values[j])
			}
		}
	}
}

func (t *intervals) Finding(f *wire.TrafficFinding) {
	if s := t.at(&f.Place); s != nil {
		s.findings++
	}
}

func (t *intervals) Value(v *wire.Value) {
	for i, of := range t.Measures {
		if of.tracked != nil && of.tracked == v.Protocol && of.what == v.What && !v.State {
			if s := t.at(&v.Place); s != nil {
				s.tallies[i].add(v.Number)
				s.tallies[i].seconds = v.Unit == "s"
			}
		}
	}
}

const bar = 16 // columns of the longest

// table has a row for each interval and each protocol in it, and one for an interval without any.
func (t *intervals) table() *table.Table {
	show := &table.Table{Name: "io", Columns: []table.Column{{Name: "from", Right: true}, {Name: "to", Right: true, Only: table.Programs},
		protocolColumn(t.spans)}}
	for _, m := range t.Measures {
		show.Columns = append(show.Columns, table.Column{Name: m.heading(), Key: m.name, Right: true})
	}
	show.Columns = append(show.Columns, table.NumberColumns("packets", "messages", "bytes", "findings")...)
	show.Columns = append(show.Columns, table.Column{Name: "bar", Only: table.People, Whole: true})
	most := int64(1)
	for _, of := range t.spans {
		for _, s := range of {
			most = max(most, s.messages)
		}
	}
	for n, of := range t.spans {
		if len(of) == 0 {
			of = []*span{{tallies: make([]tally, len(t.Measures))}}
		}
		slices.SortFunc(of, func(a, b *span) int { return strings.Compare(protocolName(a), protocolName(b)) })
		for _, s := range of {
			row := []table.Cell{t.edge(n), t.edge(n + 1), table.WordCell(protocolName(s))}
			for i, m := range t.Measures {
				row = append(row, m.cell(&s.tallies[i]))
			}
			length := int((s.messages*bar + most - 1) / most)
			show.Rows = append(show.Rows, append(row, table.NumberCell(s.packets), table.NumberCell(s.messages), table.NumberCell(s.length),
				table.NumberCell(s.findings), table.Cell{Text: strings.Repeat("#", length)}))
		}
	}
	if t.late > 0 {
		row := make([]table.Cell, len(show.Columns))
		row[0], row[2], row[len(row)-4] = t.edge(mostIntervals), table.WordCell(others), table.NumberCell(t.late)
		show.Rows = append(show.Rows, row)
	}
	return show
}

// edge is where an interval begins.
func (t *intervals) edge(n int) table.Cell {
	at := table.Nanoseconds(int64(n) * t.Interval)
	return table.Cell{Text: string(table.AppendNanoseconds(nil, int64(at))), Value: at}
}

// protocolName is "" for findings of no protocol.
func protocolName(s *span) string {
	if s.protocol == nil {
		return ""
	}
	return s.protocol.Name
}

// protocolColumn is there for people if there are several protocols.
func protocolColumn(spans [][]*span) table.Column {
	c := table.Column{Name: "protocol", Only: table.Programs}
	var first *wire.Protocol
	for _, of := range spans {
		for _, s := range of {
			if first == nil {
				first = s.protocol
			}
			if s.protocol != nil && s.protocol != first {
				c.Only = table.Everybody
			}
		}
	}
	return c
}

// Print writes it among other tables, and reports whether there is anything in it.
func (t *intervals) Print(p *Printer) bool {
	some := p.Table(t.table())
	if t.late > 0 && p.Form.Text() {
		p.text(fmt.Sprintf("%s came behind %s intervals, which is as many as there are: take longer ones",
			term.Counted(t.late, "message"), term.Thousands(mostIntervals)))
		return true
	}
	return some
}
