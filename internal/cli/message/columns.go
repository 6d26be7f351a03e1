package message

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// FieldOptions are the options -e and -E.
type FieldOptions struct {
	Names   []string
	Options []string
}

func (o *FieldOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVarP(&o.Names, "field", "e", nil, "with -T fields or csv: print this `FIELD`; may repeat")
	f.StringArrayVarP(&o.Options, "fields-option", "E", nil,
		"with -T fields or csv: `OPTION` is separator=C (/t tab, /s space), header=y|n, quote=d|s|n, occurrence=f|l|a, "+
			"aggregator=C, bom=y|n (a byte order mark first) or guard=y|n (' before texts that spreadsheets read as formulas); "+
			"may repeat")
	option.CompleteBy(c, "field", session.CompleteNames)
	option.CompleteBy(c, "fields-option", cobra.FixedCompletions(
		[]string{"separator=", "header=y", "quote=d", "quote=s", "quote=n", "occurrence=f", "occurrence=l", "occurrence=a",
			"aggregator=", "guard=y", "bom=y"},
		cobra.ShellCompDirectiveNoSpace|cobra.ShellCompDirectiveNoFileComp))
}

// csvFields are the fields that -T csv prints if there is no -e.
var csvFields = []string{"frame.number", "frame.time", "ip.src", "ip.dst", "protocol", "direction", "message",
	"length", "info"}

type columnWriter struct {
	out      *term.Output
	subjects *session.Subjects
	names    []string
	fields   []*filter.Field

	term.Separated
	findings bool // also write lines for findings that belong to no message

	values []filter.Value
	cell   []byte
}

// newColumnWriter checks -e and -E, and writes the heading.
func newColumnWriter(out *term.Output, of *session.Subjects, o *FieldOptions, s *filter.Schema,
	csv bool) (*columnWriter, error) {
	out.Width = 0 // output for programs: do not cut lines
	w := &columnWriter{out: out, subjects: of, names: o.Names}
	var err error
	if w.Separated, err = term.NewSeparated(o.Options, csv); err != nil {
		return nil, err
	}
	if csv && len(w.names) == 0 {
		w.names = csvFields
	}
	for _, name := range w.names {
		f, err := s.Resolve(name, nil)
		if err != nil {
			return nil, fmt.Errorf("-e: %w", err)
		}
		w.fields = append(w.fields, f)
		w.findings = w.findings || strings.HasPrefix(name, "finding")
	}
	w.heading()
	return w, nil
}

func (w *columnWriter) heading() {
	w.out.Buf = w.Begin(w.out.Buf)
	if !w.Header {
		return
	}
	for i, name := range w.names {
		w.cell = append(w.cell[:0], name...)
		w.out.Buf = w.Put(w.out.Buf, i, w.cell)
	}
	w.out.Buf = append(w.out.Buf, '\n')
}

func (w *columnWriter) Message(*decode.Message) { w.line() }

func (w *columnWriter) Finding(*wire.TrafficFinding) {
	if w.findings {
		w.line()
	}
}

// maxCell limits the size of a cell in bytes, since a field may have many values. If some values do not fit, the cell
// ends with the number of the values that are left out.
const maxCell = 1 << 20

func (w *columnWriter) line() {
	for i, f := range w.fields {
		w.values = f.Values(w.subjects.Current(), w.values[:0])
		if len(w.values) > 1 {
			switch w.Occurrence {
			case 'f':
				w.values = w.values[:1]
			case 'l':
				w.values = w.values[len(w.values)-1:]
			}
		}
		w.cell = w.cell[:0]
		for j := range w.values {
			if j > 0 {
				w.cell = append(w.cell, w.Aggregator...)
			}
			if len(w.cell) >= maxCell {
				w.cell = fmt.Appendf(w.cell, "... %d more", len(w.values)-j)
				break
			}
			v := w.values[j]
			size := len(v.Bytes)
			v.Bytes = v.Bytes[:min(size, maxCell)]
			if w.cell = appendValue(w.cell, &v); size > maxCell {
				w.cell = fmt.Appendf(w.cell, "... %d bytes", size)
			}
		}
		w.out.Buf = w.Put(w.out.Buf, i, w.cell)
	}
	w.out.Buf = append(w.out.Buf, '\n')
}

// appendValue appends a value without quotes. Put adds quotes where necessary.
func appendValue(b []byte, v *filter.Value) []byte {
	if v.Kind != wire.String {
		return v.Append(b)
	}
	return format.AppendUnquoted(b, v.Bytes)
}
