package main

import (
	"fmt"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// A table has what people read as text in columns, and programs as JSON or separated values.
type table struct {
	name    string // for programs: "conv"
	caption string // for people, above the columns; "": the names of these tell what it is about
	columns []column
	rows    [][]cell // each with a cell a column
	more    string   // how people get the columns that a terminal has no room for; "": a pipe has them
}

// A column of a table. What people want to know first comes first: columns that do not fit are left out from the end.
type column struct {
	name  string
	key   string // what programs call it; "": the name
	right bool   // numbers; they are never cut, which texts are
	whole bool   // nor is this
	wraps bool   // a long text goes on in the next line
	stays bool   // is not left out
	only  readers
}

// readers are those who get a column.
type readers uint8

const (
	everybody readers = iota
	people
	programs
)

var keyOfName = strings.NewReplacer(" ", "_", "/", "_per_")

// programKey is what programs call a column.
func (c *column) programKey() string {
	if c.key != "" {
		return c.key
	}
	return keyOfName.Replace(c.name)
}

// textColumns and numberColumns make columns that have nothing but a name.
func textColumns(names ...string) (list []column) {
	for _, name := range names {
		list = append(list, column{name: name})
	}
	return list
}

func numberColumns(names ...string) (list []column) {
	for _, name := range names {
		list = append(list, column{name: name, right: true})
	}
	return list
}

// A cell of a table.
type cell struct {
	text  string // for people, plainly printable
	value any    // for programs: int64, float64, string, nanoseconds or moment; nil: none
}

// nanoseconds are seconds to programs.
type nanoseconds int64

// A moment is a time, in nanoseconds since 1970.
type moment int64

// none is the cell of what there is nothing of.
var none cell

// wordCell is a word of this program, or a text that is plainly printable.
func wordCell(s string) cell {
	if s == "" {
		return none
	}
	return cell{s, s}
}

// textCell is a text from the traffic.
func textCell(s string) cell {
	if s == "" {
		return none
	}
	return cell{escaped(s), s}
}

// escaped writes a text from the traffic for people.
func escaped(text string) string { return string(format.AppendUnquoted(nil, []byte(text))) }

// plainCell is a text from outside that is not of the traffic, such as the name of a file.
func plainCell(s string) cell { return cell{string(appendPlain(nil, s)), s} }

// stringCell is something that writes itself, such as an address.
func stringCell(s fmt.Stringer) cell { return wordCell(s.String()) }

func numberCell(n int64) cell { return cell{thousands(n), n} }

// secondsCell is a span of time, in nanoseconds, that people read in seconds.
func secondsCell(ns int64) cell { return cell{seconds(ns), nanoseconds(ns)} }

// durationCell is one that people read in the unit that suits it.
func durationCell(ns int64) cell { return cell{duration(ns), nanoseconds(ns)} }

// duration writes nanoseconds with three digits.
func duration(ns int64) string {
	switch {
	case ns < 1e6:
		return fmt.Sprintf("%.3gus", float64(ns)/1e3)
	case ns < 1e9:
		return fmt.Sprintf("%.3gms", float64(ns)/1e6)
	}
	return fmt.Sprintf("%.3gs", float64(ns)/1e9)
}
