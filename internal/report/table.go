package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// A Table has columns, and rows with a cell for each column.
type Table struct {
	Name     string // for programs, such as "conv"
	Title    string // such as "Conversations"
	Caption  string // text for people above the columns; "": the columns are clear enough
	Protocol string // protocol whose tracker measured it; "": none
	Columns  []Column
	Rows     [][]Cell

	// If the rows are about pairs in which one acts on the other, Matrices show them in another form, with one matrix
	// per server.
	Matrices       []*stats.Matrix
	severalServers bool // captions of matrices must name the server
	rest           bool // there is a row for all others, which belongs to no matrix
}

// A Column has cells of one kind. The most important column comes first.
type Column struct {
	Name string
	Key  string // name for programs; "": see ProgramKey
	Kind Kind
	Unit string // unit of numbers: "s", "B"; "": counts
	Only Readers

	// These fields say what a narrow terminal does with the texts of the column. It never cuts numbers.
	Whole bool // never cut them
	Wraps bool // continue them on the next line
	Below bool // put them below the row before leaving out columns

	Meaning string // for people: what the column counts, shown below the rows; "": the name is clear
}

// Readers is the set of readers who get a column.
type Readers uint8

// The values of Readers.
const (
	Everybody Readers = iota
	People
	Programs
)

// Kind is the kind of the cells in a column.
type Kind uint8

// The kinds, with the types of their cells. Count and the kinds after it are numbers.
const (
	Text     Kind = iota // string from the traffic; escaped for people
	Word                 // string of this program, printable
	File                 // string, a file name; escaped for people
	Time                 // int64, nanoseconds since 1970
	Count                // int64
	Number               // int64 that is not a count, such as a port
	Frame                // Packet
	Seconds              // int64, nanoseconds; shown to people in seconds
	Duration             // int64, nanoseconds; shown to people in a suitable unit
	Rate                 // float64
	Figures              // numbers of several kinds, or several per cell
)

// Numeric reports whether the cells are numbers.
func (k Kind) Numeric() bool { return k >= Count }

// A Cell is a value of the type that the column's kind requires, or a Shown. nil and "" are empty cells.
type Cell any

// Packet is a cell with the number of a packet.
type Packet struct {
	File   string
	Number int
}

// Shown is a cell that has different forms for people and for programs.
type Shown struct {
	Text  string // for people
	Value Cell   // for programs
}

var keyOfName = strings.NewReplacer(" ", "_", "/", "_per_")

// ProgramKey returns the column's name for programs, which is Key, or Name with underscores.
func (c *Column) ProgramKey() string {
	if c.Key != "" {
		return c.Key
	}
	return keyOfName.Replace(c.Name)
}

// Text returns a cell as printable text for people.
func (c *Column) Text(x Cell) string {
	switch v := x.(type) {
	case string:
		switch c.Kind {
		case Text:
			return format.Unquoted(v)
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

// Value returns a cell for programs. A number is as in JSON, a duration is in seconds, and a text is not escaped. An
// empty cell is "".
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

func sized(names ...string) []Column {
	list := columns(Count, names...)
	for i := range list {
		list[i].Unit = "B"
	}
	return list
}

func (t *Table) add(cells ...Cell) { t.Rows = append(t.Rows, cells) }

// FormatCount formats a number with a comma after every third digit from the right.
func FormatCount(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural formats a number of things: "1 packet", "1,000 packets".
func Plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return FormatCount(n) + " " + thing + "s"
}

// FormatDuration formats nanoseconds in a suitable unit, with at least three digits.
func FormatDuration(ns int64) string {
	switch {
	case ns < 999_500: // with three digits, a larger number would be 1e+03us
		return fmt.Sprintf("%.3gus", float64(ns)/1e3)
	case ns < 999_500_000:
		return fmt.Sprintf("%.3gms", float64(ns)/1e6)
	case ns < 999_500_000_000:
		return fmt.Sprintf("%.3gs", float64(ns)/1e9)
	}
	return fmt.Sprintf("%.0fs", float64(ns)/1e9)
}

// split returns the sign of ns, its whole seconds, and the remaining nanoseconds.
func split(ns int64) (sign string, seconds, rest uint64) {
	n := uint64(ns)
	if ns < 0 {
		sign, n = "-", -n
	}
	return sign, n / 1e9, n % 1e9
}

// seconds formats nanoseconds as seconds with three decimals, rounded towards zero.
func seconds(ns int64) string {
	sign, s, rest := split(ns)
	return fmt.Sprintf("%s%d.%03d", sign, s, rest/1e6)
}

// exactSeconds formats nanoseconds as seconds without rounding.
func exactSeconds(ns int64) string {
	sign, s, rest := split(ns)
	text := sign + strconv.FormatUint(s, 10)
	if rest == 0 {
		return text
	}
	return strings.TrimRight(fmt.Sprintf("%s.%09d", text, rest), "0")
}
