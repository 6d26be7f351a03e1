package table

import (
	"fmt"
	"strings"

	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// A Table has what people read as text in columns, and programs as JSON or separated values.
type Table struct {
	Name    string // for programs: "conv"
	Caption string // for people, above the columns; "": the names of these tell what it is about
	Columns []Column
	Rows    [][]Cell // each with a cell a column
	More    string   // how people get the columns that a terminal has no room for; "": a pipe has them
}

// A Column of a table. What people want to know first comes first: columns that do not fit are left out from the end.
type Column struct {
	Name  string
	Key   string // what programs call it; "": the name
	Right bool   // numbers; they are never cut, which texts are
	Whole bool   // nor is this
	Wraps bool   // a long text goes on in the next line
	Stays bool   // is not left out
	Only  readers
}

// readers are those who get a column.
type readers uint8

const (
	Everybody readers = iota
	People
	Programs
)

var keyOfName = strings.NewReplacer(" ", "_", "/", "_per_")

// programKey is what programs call a column.
func (c *Column) programKey() string {
	if c.Key != "" {
		return c.Key
	}
	return keyOfName.Replace(c.Name)
}

// TextColumns and numberColumns make columns that have nothing but a name.
func TextColumns(names ...string) (list []Column) {
	for _, name := range names {
		list = append(list, Column{Name: name})
	}
	return list
}

func NumberColumns(names ...string) (list []Column) {
	for _, name := range names {
		list = append(list, Column{Name: name, Right: true})
	}
	return list
}

// A Cell of a table.
type Cell struct {
	Text  string // for people, plainly printable
	Value any    // for programs: int64, float64, string, nanoseconds or moment; nil: none
}

// Nanoseconds are seconds to programs.
type Nanoseconds int64

// A Moment is a time, in nanoseconds since 1970.
type Moment int64

// None is the cell of what there is nothing of.
var None Cell

// WordCell is a word of this program, or a text that is plainly printable.
func WordCell(s string) Cell {
	if s == "" {
		return None
	}
	return Cell{s, s}
}

// TextCell is a text from the traffic.
func TextCell(s string) Cell {
	if s == "" {
		return None
	}
	return Cell{term.Escaped(s), s}
}

// PlainCell is a text from outside that is not of the traffic, such as the name of a file.
func PlainCell(s string) Cell { return Cell{string(term.AppendPlain(nil, s)), s} }

// StringCell is something that writes itself, such as an address.
func StringCell(s fmt.Stringer) Cell { return WordCell(s.String()) }

func NumberCell(n int64) Cell { return Cell{term.Thousands(n), n} }

// SecondsCell is a span of time, in nanoseconds, that people read in seconds.
func SecondsCell(ns int64) Cell { return Cell{term.Seconds(ns), Nanoseconds(ns)} }

// DurationCell is one that people read in the unit that suits it.
func DurationCell(ns int64) Cell { return Cell{term.Duration(ns), Nanoseconds(ns)} }

// FileCell is the name of a file for programs.
func FileCell(name string) Cell {
	if name == "" {
		return None
	}
	return PlainCell(name)
}

// FileColumn makes the column of such names.
func FileColumn(name string) Column { return Column{Name: name, Only: Programs} }
