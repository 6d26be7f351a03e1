package table

import (
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// Form is the form in which tables are written.
type Form struct {
	Name      string // text, json, csv or fields
	Width     int    // of text, in columns; 0: as wide as need be
	Separated Separated
}

// NewForm returns the form with a name: text, json, csv or fields; the last two take the options of -E.
func NewForm(name string, options []string, width int) (f Form, err error) {
	f = Form{Name: name, Width: width}
	if f.Name == "csv" || f.Name == "fields" {
		f.Separated, err = NewSeparated(options, f.Name == "csv")
	}
	return f, err
}

// Text reports whether the form is for people.
func (f *Form) Text() bool { return f.Name == "text" }

// Between appends what stands between two tables.
func (f *Form) Between(b []byte) []byte {
	if f.Name == "json" {
		return b
	}
	return append(b, '\n')
}

// Write writes a table. It does not say that there is nothing in it.
func (f *Form) Write(out *term.Output, t *Table) {
	switch f.Name {
	case "text":
		out.Buf = t.writeText(out.Buf, f.Width, out.Pass)
	case "json":
		for _, row := range t.Rows {
			out.Buf = out.Pass(t.AppendJSON(out.Buf, row))
		}
	default:
		out.Buf = f.Separated.AppendHeading(out.Buf, t)
		for _, row := range t.Rows {
			out.Buf = out.Pass(f.Separated.AppendRow(out.Buf, t, row))
		}
	}
}

// AppendJSON appends a row as an object on a line of its own, without what it has none of.
func (t *Table) AppendJSON(b []byte, row []Cell) []byte {
	b = append(b, `{"table":`...)
	b = format.AppendJSONText(b, []byte(t.Name))
	for i, c := range t.Columns {
		if c.Only == People || row[i].Value == nil {
			continue
		}
		b = format.AppendJSONText(append(b, ','), []byte(c.programKey()))
		b = append(b, ':')
		switch v := row[i].Value.(type) {
		case string:
			b = format.AppendJSONText(b, []byte(v))
		case Moment:
			b = append(appendMoment(append(b, '"'), v), '"')
		default:
			b = appendNumber(b, v)
		}
	}
	return append(b, "}\n"...)
}

// AppendHeading appends the names of the columns, if -E wants them.
func (s *Separated) AppendHeading(b []byte, t *Table) []byte {
	if !s.Header {
		return b
	}
	at := 0
	for _, c := range t.Columns {
		if c.Only != People {
			b = s.Put(b, at, []byte(c.programKey()))
			at++
		}
	}
	return append(b, '\n')
}

// AppendRow appends a row.
func (s *Separated) AppendRow(b []byte, t *Table, row []Cell) []byte {
	at := 0
	for i, c := range t.Columns {
		if c.Only == People {
			continue
		}
		var value []byte
		switch v := row[i].Value.(type) {
		case nil:
		case string:
			value = format.AppendUnquoted(nil, []byte(v))
		case Moment:
			value = appendMoment(nil, v)
		default:
			value = appendNumber(nil, v)
		}
		b = s.Put(b, at, value)
		at++
	}
	return append(b, '\n')
}

// appendMoment appends a time as messages have it.
func appendMoment(b []byte, m Moment) []byte {
	return time.Unix(0, int64(m)).UTC().AppendFormat(b, "2006-01-02T15:04:05.000000000Z")
}

// appendNumber appends a number of any kind, spans of time in seconds.
func appendNumber(b []byte, v any) []byte {
	switch v := v.(type) {
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	case Nanoseconds:
		return AppendNanoseconds(b, int64(v))
	}
	panic("a cell of a kind that there is not")
}

// AppendNanoseconds appends a span of time in seconds, exactly.
func AppendNanoseconds(b []byte, ns int64) []byte {
	n := uint64(ns)
	if ns < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendUint(b, n/1e9, 10)
	n %= 1e9
	if n == 0 {
		return b
	}
	b = append(b, '.')
	for unit := uint64(1e8); n > 0; unit /= 10 {
		b = append(b, byte('0'+n/unit))
		n %= unit
	}
	return b
}
