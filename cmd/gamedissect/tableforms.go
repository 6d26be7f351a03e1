package main

import (
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// tableForm is the form in which tables are written.
type tableForm struct {
	name      string // text, json, csv or fields
	width     int    // of text, in columns; 0: as wide as need be
	separated separated
}

// newTableForm returns the form with a name: text, json, csv or fields; the last two take the options of -E.
func newTableForm(name string, options []string, width int) (f tableForm, err error) {
	f = tableForm{name: name, width: width}
	if f.name == "csv" || f.name == "fields" {
		f.separated, err = newSeparated(options, f.name == "csv")
	}
	return f, err
}

// text reports whether the form is for people.
func (f *tableForm) text() bool { return f.name == "text" }

// between appends what stands between two tables.
func (f *tableForm) between(b []byte) []byte {
	if f.name == "json" {
		return b
	}
	return append(b, '\n')
}

// write writes a table. It does not say that there is nothing in it.
func (f *tableForm) write(out *output, t *table) {
	switch f.name {
	case "text":
		out.buf = t.writeText(out.buf, f.width, out.pass)
	case "json":
		for _, row := range t.rows {
			out.buf = out.pass(t.appendJSON(out.buf, row))
		}
	default:
		out.buf = f.separated.appendHeading(out.buf, t)
		for _, row := range t.rows {
			out.buf = out.pass(f.separated.appendRow(out.buf, t, row))
		}
	}
}

// appendJSON appends a row as an object on a line of its own, without what it has none of.
func (t *table) appendJSON(b []byte, row []cell) []byte {
	b = append(b, `{"table":`...)
	b = format.AppendJSONText(b, []byte(t.name))
	for i, c := range t.columns {
		if c.only == people || row[i].value == nil {
			continue
		}
		b = format.AppendJSONText(append(b, ','), []byte(c.programKey()))
		b = append(b, ':')
		switch v := row[i].value.(type) {
		case string:
			b = format.AppendJSONText(b, []byte(v))
		case moment:
			b = append(appendMoment(append(b, '"'), v), '"')
		default:
			b = appendNumber(b, v)
		}
	}
	return append(b, "}\n"...)
}

// appendHeading appends the names of the columns, if -E wants them.
func (s *separated) appendHeading(b []byte, t *table) []byte {
	if !s.header {
		return b
	}
	at := 0
	for _, c := range t.columns {
		if c.only != people {
			b = s.put(b, at, []byte(c.programKey()))
			at++
		}
	}
	return append(b, '\n')
}

// appendRow appends a row.
func (s *separated) appendRow(b []byte, t *table, row []cell) []byte {
	at := 0
	for i, c := range t.columns {
		if c.only == people {
			continue
		}
		var value []byte
		switch v := row[i].value.(type) {
		case nil:
		case string:
			value = format.AppendUnquoted(nil, []byte(v))
		case moment:
			value = appendMoment(nil, v)
		default:
			value = appendNumber(nil, v)
		}
		b = s.put(b, at, value)
		at++
	}
	return append(b, '\n')
}

// appendMoment appends a time as messages have it.
func appendMoment(b []byte, m moment) []byte {
	return time.Unix(0, int64(m)).UTC().AppendFormat(b, "2006-01-02T15:04:05.000000000Z")
}

// appendNumber appends a number of any kind, spans of time in seconds.
func appendNumber(b []byte, v any) []byte {
	switch v := v.(type) {
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	case nanoseconds:
		return appendNanoseconds(b, int64(v))
	}
	panic("a cell of a kind that there is not")
}

// appendNanoseconds appends a span of time in seconds, exactly.
func appendNanoseconds(b []byte, ns int64) []byte {
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
