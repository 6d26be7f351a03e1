package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// intervals are the sink of -z io: what there was in each so many seconds since the first packet, by protocol.
type intervals struct {
	*ioOptions
	clock    *clock
	display  *display
	measures []*ioMeasure
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

// newIntervals makes the sink. The display has subjects if there are measures.
func newIntervals(o *ioOptions, c *clock, d *display, s *filter.Schema) (*intervals, error) {
	t := &intervals{ioOptions: o, clock: c, display: d}
	for _, text := range o.measures {
		m, err := parseMeasure(text, s)
		if err != nil {
			return nil, fmt.Errorf("-z %s: %w", o.name, err)
		}
		t.measures = append(t.measures, m)
	}
	return t, nil
}

// at gives the span of a place; nil if there are too many intervals.
func (t *intervals) at(p *wire.Place) *span {
	n := max(p.Time-t.clock.first, 0) / t.interval
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
	s := &span{protocol: p.Protocol, tallies: make([]tally, len(t.measures))}
	t.spans[n] = append(t.spans[n], s)
	return s
}

func (t *intervals) message(m *decode.Message) {
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
	for i, of := range t.measures {
		if of.tracked == nil {
			t.values = of.field.Values(t.display.subject(), t.values[:0])
			for j := range t.values {
				s.tallies[i].addValue(&t.values[j])
			}
		}
	}
}

func (t *intervals) finding(f *wire.TrafficFinding) {
	if s := t.at(&f.Place); s != nil {
		s.findings++
	}
}

func (t *intervals) value(v *wire.Value) {
	for i, of := range t.measures {
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
func (t *intervals) table() *table {
	show := &table{name: "io", columns: []column{{name: "from", right: true}, {name: "to", right: true, only: programs},
		protocolColumn(t.spans)}}
	for _, m := range t.measures {
		show.columns = append(show.columns, column{name: m.heading(), key: m.name, right: true})
	}
	show.columns = append(show.columns, numberColumns("packets", "messages", "bytes", "findings")...)
	show.columns = append(show.columns, column{name: "bar", only: people, whole: true})
	most := int64(1)
	for _, of := range t.spans {
		for _, s := range of {
			most = max(most, s.messages)
		}
	}
	for n, of := range t.spans {
		if len(of) == 0 {
			of = []*span{{tallies: make([]tally, len(t.measures))}}
		}
		slices.SortFunc(of, func(a, b *span) int { return strings.Compare(protocolName(a), protocolName(b)) })
		for _, s := range of {
			row := []cell{t.edge(n), t.edge(n + 1), wordCell(protocolName(s))}
			for i, m := range t.measures {
				row = append(row, m.cell(&s.tallies[i]))
			}
			length := int((s.messages*bar + most - 1) / most)
			show.rows = append(show.rows, append(row, numberCell(s.packets), numberCell(s.messages), numberCell(s.length),
				numberCell(s.findings), cell{text: strings.Repeat("#", length)}))
		}
	}
	if t.late > 0 {
		row := make([]cell, len(show.columns))
		row[0], row[2], row[len(row)-4] = t.edge(mostIntervals), wordCell(others), numberCell(t.late)
		show.rows = append(show.rows, row)
	}
	return show
}

// edge is where an interval begins.
func (t *intervals) edge(n int) cell {
	at := nanoseconds(int64(n) * t.interval)
	return cell{string(appendNanoseconds(nil, int64(at))), at}
}

// protocolName is "" for findings of no protocol.
func protocolName(s *span) string {
	if s.protocol == nil {
		return ""
	}
	return s.protocol.Name
}

// protocolColumn is there for people if there are several protocols.
func protocolColumn(spans [][]*span) column {
	c := column{name: "protocol", only: programs}
	var first *wire.Protocol
	for _, of := range spans {
		for _, s := range of {
			if first == nil {
				first = s.protocol
			}
			if s.protocol != nil && s.protocol != first {
				c.only = everybody
			}
		}
	}
	return c
}

// print writes it among other tables, and reports whether there is anything in it.
func (t *intervals) print(p *printer) bool {
	some := p.table(t.table())
	if t.late > 0 && p.form.text() {
		p.text(fmt.Sprintf("%s came behind %s intervals, which is as many as there are: take longer ones",
			counted(t.late, "message"), thousands(mostIntervals)))
		return true
	}
	return some
}
