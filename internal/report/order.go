package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/internal/stats"
)

// Order is the order of rows in tables, and their maximum number.
type Order struct {
	Column string // name of a column; with a "-" before it, in reverse order; "": unchanged
	Top    int    // maximum number of rows; 0: all
}

// Given reports whether the order changes or limits tables.
func (o *Order) Given() bool { return o.Column != "" || o.Top > 0 }

// Arrange sorts the rows of a table, and returns how many rows it leaves out. Counts and measures are in descending
// order; times, packets, ports and texts are in ascending order. Empty cells come last, and the row for all others
// comes after them. ok is false if the table has no such column.
func (o *Order) Arrange(t *Table) (left int, ok bool) {
	rest := slices.IndexFunc(t.Rows, t.isRest)
	var last [][]Cell
	if rest >= 0 {
		last = slices.Clone(t.Rows[rest:])
		t.Rows = slices.Clone(t.Rows[:rest])
	}
	if o.Column != "" {
		name, turned := strings.CutPrefix(o.Column, "-")
		at := t.column(name)
		if at < 0 {
			t.Rows = append(t.Rows, last...)
			return 0, false
		}
		t.sort(at, turned)
	}
	if o.Top > 0 && len(t.Rows) > o.Top {
		left = len(t.Rows) - o.Top
		t.Rows = t.Rows[:o.Top]
	}
	t.Rows = append(t.Rows, last...)
	return left, true
}

// isRest reports whether a row is the row for all others.
func (t *Table) isRest(row []Cell) bool {
	for i, cell := range row {
		if s, ok := cell.(Shown); ok {
			cell = s.Value
		}
		if t.Columns[i].Kind == Word && cell == Cell(others) {
			return true
		}
	}
	return false
}

// column returns the index of the column with a name, which may be the name for programs or for people. For the name of
// a measure, such as lag, it returns the column of the largest value. If there is no such column, it returns the first
// column whose name begins with this word, or -1.
func (t *Table) column(name string) int {
	want := strings.TrimSuffix(strings.ToLower(keyOfName.Replace(name)), "_p50_per_max")
	if at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.ProgramKey() == want+"_max" }); at >= 0 {
		return at
	}
	begins := -1
	for i := range t.Columns {
		c := &t.Columns[i]
		for _, have := range []string{strings.ToLower(c.ProgramKey()), strings.ToLower(keyOfName.Replace(c.Name))} {
			switch {
			case have == want:
				return i
			case begins < 0 && strings.HasPrefix(have, want+"_"):
				begins = i
			}
		}
	}
	return begins
}

// ColumnNames returns the names of the columns for programs.
func (t *Table) ColumnNames() (list []string) {
	for i := range t.Columns {
		if t.Columns[i].Only != People {
			list = append(list, t.Columns[i].ProgramKey())
		}
	}
	return list
}

func (t *Table) sort(at int, turned bool) {
	c := &t.Columns[at]
	slices.SortStableFunc(t.Rows, func(a, b []Cell) int {
		x, y := c.sortKey(a[at]), c.sortKey(b[at])
		switch {
		case x.empty != y.empty:
			if x.empty {
				return 1
			}
			return -1
		case turned:
			x, y = y, x
		}
		return cmp.Or(cmp.Compare(y.number, x.number), stats.CompareNames(x.text, y.text))
	})
}

// A sortKey is a cell in a form for comparison. The largest number comes first.
type sortKey struct {
	number float64
	text   string
	empty  bool
}

func (c *Column) sortKey(x Cell) (k sortKey) {
	switch v := x.(type) {
	case int64:
		k.number = float64(v)
	case float64:
		k.number = v
	case Packet:
		k.number = float64(v.Number)
	case string:
		k.text, k.empty = v, v == ""
		if n, _, ok := stats.Count(v); ok {
			k.number = float64(n)
		} else if n, ok := lead(v); ok {
			k.number = n
		}
	case Shown:
		return c.sortKey(v.Value)
	default:
		k.empty = true
	}
	if c.Kind == Time || c.Kind == Frame || c.Kind == Number {
		k.number = -k.number
	}
	return k
}

// lead returns by how much wins exceed losses in a score such as "3-1" or "3-1-2".
func lead(score string) (n float64, ok bool) {
	wins, rest, ok := strings.Cut(score, "-")
	losses, _, _ := strings.Cut(rest, "-")
	won, err := strconv.ParseUint(wins, 10, 32)
	lost, err2 := strconv.ParseUint(losses, 10, 32)
	return float64(won) - float64(lost), ok && err == nil && err2 == nil
}

// Missing returns the error for a column that no table has.
func (o *Order) Missing(known []string) error {
	return fmt.Errorf("--sort: no table has a column %q (there are %s)", strings.TrimPrefix(o.Column, "-"),
		strings.Join(known, ", "))
}
