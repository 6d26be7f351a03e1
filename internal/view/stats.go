package view

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/internal/summary"
)

type tablesRequest struct {
	Count int `json:"count"`
}

// Column is a column of a table.
type Column struct {
	Name   string `json:"name"`
	Number bool   `json:"number,omitempty"`
	Unit   string `json:"unit,omitempty"`
}

// Table is a table of counts or measurements.
type Table struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Protocol string   `json:"protocol,omitempty"`
	Columns  []Column `json:"columns"`
	Rows     [][]any  `json:"rows"`
	LeftOut  int      `json:"left_out"`
}

// Matrix counts how often each player of a server did something to each other player.
type Matrix struct {
	Name     string            `json:"name"`
	Title    string            `json:"title"`
	Protocol string            `json:"protocol"`
	Server   string            `json:"server,omitempty"`
	Who      []stats.NameCount `json:"who"`
	Whom     []stats.NameCount `json:"whom"`
	Counts   [][]int           `json:"counts"` // the row is the player who acts, and the column is the player acted on
	Total    int64             `json:"total"`
	LeftOut  int               `json:"left_out"`
}

type tablesAnswer struct {
	Tables   []*Table  `json:"tables"`
	Matrices []*Matrix `json:"matrices"`
}

const (
	usualTableRows = 1000
	maxTableRows   = 10_000
	maxMatrices    = 100
	maxAcross      = 100 // rows and columns shown
)

// counts contains the statistics of the capture read so far.
type counts struct {
	stats     stats.Stats
	counters  decode.Counters // the engine's counters; stats has counted their Others
	whole     bool            // the whole capture has been read
	rows      *rows
	protocols []*wire.Protocol
	named     map[string]string // see names
}

func (n *counts) source() report.Source {
	return report.Source{Stats: &n.stats, Counters: n.counters, Protocols: n.protocols, First: n.rows.first}
}

// names returns the names of players and servers by address and port. They are complete when the whole capture has been
// read.
func (n *counts) names() map[string]string {
	if n.named != nil || !n.whole {
		return n.named
	}
	n.named = map[string]string{}
	from := n.source()
	for at, name := range from.Players() {
		n.named[at.String()] = format.Unquoted(name)
	}
	for _, s := range summary.Make(&summary.Source{Source: from}).Servers {
		if s.Name != "" {
			n.named[s.Address.String()] = format.Unquoted(s.Name)
		}
	}
	return n.named
}

// summary returns the files' summary. It omits the commands because the page has links to its own views.
func (n *counts) summary(*struct{}) (*summary.Summary, error) {
	s := summary.Make(&summary.Source{Source: n.source(), Files: n.rows.files.counts})
	s.Next = []string{}
	makePlain(reflect.ValueOf(s).Elem())
	return s, nil
}

func (n *counts) tables(q *tablesRequest) (*tablesAnswer, error) {
	_, limit := cut(maxTableRows, 0, q.Count, usualTableRows, maxTableRows)
	a := &tablesAnswer{Tables: []*Table{}, Matrices: []*Matrix{}}
	source := n.source()
	for _, t := range source.All() {
		a.Tables = append(a.Tables, tableOf(t, limit))
		for _, m := range t.Matrices[:min(len(t.Matrices), maxMatrices-len(a.Matrices))] {
			a.Matrices = append(a.Matrices, matrixOf(t, m))
		}
	}
	return a, nil
}

// tableOf makes a table from those columns of a report that are for programs. It omits file and protocol, which have
// the same value in all rows.
func tableOf(t *report.Table, limit int) *Table {
	shown := &Table{Name: t.Name, Title: t.Title, Protocol: t.Protocol, Rows: [][]any{}}
	var columns []*report.Column
	var at []int
	names := make(map[string]int)
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Only != report.People && c.Kind != report.File && (t.Protocol == "" || c.Name != "protocol") {
			columns, at = append(columns, c), append(at, i)
			names[c.Name]++
		}
	}
	for _, c := range columns {
		name := c.Name
		if names[name] > 1 {
			name = strings.ReplaceAll(c.ProgramKey(), "_", " ")
		}
		shown.Columns = append(shown.Columns, Column{Name: name, Number: c.Kind.Numeric(), Unit: c.Unit})
	}
	shown.LeftOut = max(len(t.Rows)-limit, 0)
	for _, row := range t.Rows[:len(t.Rows)-shown.LeftOut] {
		cells := make([]any, len(columns))
		for i, c := range columns {
			cells[i] = cellOf(c, row[at[i]])
		}
		shown.Rows = append(shown.Rows, cells)
	}
	return shown
}

func cellOf(c *report.Column, x report.Cell) any {
	switch value, isText := c.Value(x); {
	case value == "":
		return nil
	case isText:
		return c.Text(x)
	default:
		return json.Number(value)
	}
}

func matrixOf(t *report.Table, m *stats.Matrix) *Matrix {
	shown := &Matrix{
		Name: t.Name, Title: t.Title, Protocol: t.Protocol, Server: endpoint(m.Server), Total: m.Total, Counts: [][]int{},
	}
	who, whom := m.Who[:min(len(m.Who), maxAcross)], m.Whom[:min(len(m.Whom), maxAcross)]
	shown.LeftOut = len(m.Who) - len(who) + len(m.Whom) - len(whom)
	shown.Who, shown.Whom = slices.Clone(who), slices.Clone(whom)
	for _, x := range who {
		row := make([]int, 0, len(whom))
		for _, y := range whom {
			row = append(row, int(m.Count(x.Name, y.Name)))
		}
		shown.Counts = append(shown.Counts, row)
	}
	makePlain(reflect.ValueOf(shown).Elem())
	return shown
}
