package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// A Table has rows of cells, each with a cell a column.
type Table struct {
	Name     string // for programs: "conv"
	Title    string // "Conversations"
	Caption  string // for people, above the columns; "": these tell what it is about
	Protocol string // "" unless it is of what a protocol's tracker measured
	Columns  []Column
	Rows     [][]Cell

	// Matrices have the same as the rows, for each server, if the table is about what one does to another.
	Matrices       []*stats.Matrix
	severalServers bool // the matrices name them
	rest           bool // a row has what there was no room for, which no matrix has
}

// A Column has cells of one kind. What people want to know first comes first.
type Column struct {
	Name string
	Key  string // what programs call it; "": the name
	Kind Kind
	Unit string // of numbers: "s", "B"; "" for counts
	Only Readers

	// How a terminal shows texts where there is little room. Numbers are never cut.
	Whole bool // it is never cut
	Wraps bool // it goes on in the next line
	Below bool // it stands below its row, rather than that a column is left out
}

// Readers are those who get a column.
type Readers uint8

// The readers.
const (
	Everybody Readers = iota
	People
	Programs
)

// Kind is what the cells of a column are.
type Kind uint8

// The kinds. Those from Count on are numbers.
const (
	Text     Kind = iota // string, from the traffic: people see what is not printable escaped
	Word                 // string that is printable
	File                 // string, the name of a file, escaped as well
	Time                 // int64, nanoseconds since 1970
	Count                // int64
	Number               // int64 that counts nothing, such as a port
	Frame                // Packet
	Seconds              // int64, nanoseconds; people read seconds
	Duration             // int64, nanoseconds; people read the unit that suits it
	Rate                 // float64
	Figures              // numbers of several kinds, or of several in a cell
)

// Numeric reports whether the cells are numbers.
func (k Kind) Numeric() bool { return k >= Count }

// A Cell is nil or "" where there is nothing to tell; else it is of the column's kind, or it is Shown.
type Cell any

// Packet is a cell that names a packet.
type Packet struct {
	File   string
	Number int
}

// Shown is a cell that people read another way than programs.
type Shown struct {
	Text  string
	Value Cell
}

var keyOfName = strings.NewReplacer(" ", "_", "/", "_per_")

// ProgramKey is what programs call a column.
func (c *Column) ProgramKey() string {
	if c.Key != "" {
		return c.Key
	}
	return keyOfName.Replace(c.Name)
}

// Text gives a cell for people, plainly printable.
func (c *Column) Text(x Cell) string {
	switch v := x.(type) {
	case string:
		switch c.Kind {
		case Text:
			return escaped(v)
		case File:
			return string(format.AppendPlain(nil, v))
		}
		return v
	case int64:
		switch c.Kind {
		case Number:
			return strconv.FormatInt(v, 10)
		case Seconds:
			return seconds(v)
		case Duration:
			return FormatDuration(v)
		}
		return FormatCount(v)
	case float64:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case Packet:
		return strconv.Itoa(v.Number)
	case Shown:
		return v.Text
	}
	return ""
}

// Value gives a cell for programs: a number as JSON has it, spans of time in seconds, or a text, which is as it came.
// It is "" where there is nothing to tell.
func (c *Column) Value(x Cell) (value string, isText bool) {
	switch v := x.(type) {
	case string:
		return v, true
	case int64:
		switch c.Kind {
		case Time:
			return time.Unix(0, v).UTC().Format("2006-01-02T15:04:05.000000000Z"), true
		case Seconds, Duration:
			return exactSeconds(v), false
		}
		return strconv.FormatInt(v, 10), false
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), false
	case Packet:
		return strconv.Itoa(v.Number), false
	case Shown:
		return c.Value(v.Value)
	}
	return "", false
}

// columns makes columns of a kind, with the unit that the kind has.
func columns(k Kind, names ...string) (list []Column) {
	for _, name := range names {
		c := Column{Name: name, Kind: k}
		if k == Seconds || k == Duration {
			c.Unit = "s"
		}
		list = append(list, c)
	}
	return list
}

// sized makes columns of bytes.
func sized(names ...string) []Column {
	list := columns(Count, names...)
	for i := range list {
		list[i].Unit = "B"
	}
	return list
}

// add adds a row.
func (t *Table) add(cells ...Cell) { t.Rows = append(t.Rows, cells) }

// escaped writes a text from the traffic for people.
func escaped(text string) string { return string(format.AppendUnquoted(nil, []byte(text))) }

// FormatCount writes a number with a comma after every third digit from the right.
func FormatCount(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural writes a number of things: "1 packet", "1,000 packets".
func Plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return FormatCount(n) + " " + thing + "s"
}

// FormatDuration writes nanoseconds with three digits, in the unit that suits them.
func FormatDuration(ns int64) string {
	switch {
	case ns < 1e6:
		return fmt.Sprintf("%.3gus", float64(ns)/1e3)
	case ns < 1e9:
		return fmt.Sprintf("%.3gms", float64(ns)/1e6)
	}
	return fmt.Sprintf("%.3gs", float64(ns)/1e9)
}

// split takes nanoseconds apart.
func split(ns int64) (sign string, seconds, rest uint64) {
	n := uint64(ns)
	if ns < 0 {
		sign, n = "-", -n
	}
	return sign, n / 1e9, n % 1e9
}

// seconds writes nanoseconds as seconds with three decimals, rounded down.
func seconds(ns int64) string {
	sign, s, rest := split(ns)
	return fmt.Sprintf("%s%d.%03d", sign, s, rest/1e6)
}

// exactSeconds writes nanoseconds as seconds, exactly.
func exactSeconds(ns int64) string {
	sign, s, rest := split(ns)
	text := sign + strconv.FormatUint(s, 10)
	if rest == 0 {
		return text
	}
	return strings.TrimRight(fmt.Sprintf("%s.%09d", text, rest), "0")
}
