package term

import (
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/report"
)

// TableForm is the form in which tables are written.
type TableForm struct {
	Name      string // text, json, csv or fields
	Width     int    // width of text in columns; 0: as wide as needed
	More      string // how users see columns that do not fit, such as "-T csv has all"; "": with a pipe
	Style     print.Style
	separated Separated
}

// NewTableForm returns the form called name: text, json, csv or fields. options are the options of -E, for csv and
// fields.
func NewTableForm(name string, options []string, width int) (f TableForm, err error) {
	f = TableForm{Name: name, Width: width}
	if f.Name == "csv" || f.Name == "fields" {
		f.separated, err = NewSeparated(options, f.Name == "csv")
	}
	return f, err
}

// Text reports whether people read the form.
func (f *TableForm) Text() bool { return f.Name == "text" }

// Between appends the separator between two tables.
func (f *TableForm) Between(b []byte) []byte {
	if f.Name == "json" {
		return b
	}
	return append(b, '\n')
}

// Write writes a table. If the form is text, it omits an empty table.
func (f *TableForm) Write(out *Output, t *report.Table) {
	if f.Text() {
		out.Buf = f.appendText(out.Buf, t, out.Pass)
		return
	}
	out.Buf = f.AppendHeading(out.Buf, t)
	for _, row := range t.Rows {
		out.Buf = out.Pass(f.AppendRow(out.Buf, t, row))
	}
}

// AppendHeading appends the names of the columns in a form for programs, if that form has a heading.
func (f *TableForm) AppendHeading(b []byte, t *report.Table) []byte {
	b = f.separated.Begin(b)
	if !f.separated.Header {
		return b
	}
	at := 0
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Only != report.People {
			b = f.separated.Put(b, at, []byte(c.ProgramKey()))
			at++
		}
	}
	return append(b, '\n')
}

// AppendRow appends a row in a form for programs. A JSON object has no member for an empty cell.
func (f *TableForm) AppendRow(b []byte, t *report.Table, row []report.Cell) []byte {
	json := f.Name == "json"
	if json {
		b = format.AppendJSONText(append(b, `{"table":`...), []byte(t.Name))
	}
	at := 0
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Only == report.People {
			continue
		}
		value, isText := c.Value(row[i])
		cell := []byte(value)
		switch {
		case !json:
			if isText {
				cell = format.AppendUnquoted(nil, cell)
			}
			b = f.separated.Put(b, at, cell)
			at++
		case value != "":
			b = append(format.AppendJSONText(append(b, ','), []byte(c.ProgramKey())), ':')
			if isText {
				b = format.AppendJSONText(b, cell)
			} else {
				b = append(b, cell...)
			}
		}
	}
	if json {
		b = append(b, '}')
	}
	return append(b, '\n')
}
