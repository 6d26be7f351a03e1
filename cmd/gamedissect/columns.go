package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// fieldOptions are -e and -E.
type fieldOptions struct {
	names   []string
	options []string
}

func (o *fieldOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVarP(&o.names, "field", "e", nil, "with -T fields or csv: print this `FIELD`; may repeat")
	f.StringArrayVarP(&o.options, "fields-option", "E", nil,
		"with -T fields or csv: `OPTION` is separator=C (/t tab, /s space), header=y|n, quote=d|s|n, occurrence=f|l|a, "+
			"aggregator=C or guard=y|n (' before what a spreadsheet takes for a formula); may repeat")
	completeBy(c, "field", completeNames)
	completeBy(c, "fields-option", cobra.FixedCompletions(
		[]string{"separator=", "header=y", "quote=d", "quote=s", "quote=n", "occurrence=f", "occurrence=l", "occurrence=a",
			"aggregator=", "guard=y"},
		cobra.ShellCompDirectiveNoSpace|cobra.ShellCompDirectiveNoFileComp))
}

// completeNames completes a field's name, up to the next dot.
func completeNames(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var found []string
	directive := cobra.ShellCompDirectiveNoFileComp
	for _, name := range newSchema().Names() {
		if !strings.HasPrefix(name, begun) {
			continue
		}
		if dot := strings.IndexByte(name[len(begun):], '.'); dot >= 0 {
			name, directive = name[:len(begun)+dot+1], directive|cobra.ShellCompDirectiveNoSpace
		}
		if !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found, directive
}

// csvFields are what -T csv prints unless told.
var csvFields = []string{"frame.number", "frame.time", "ip.src", "ip.dst", "protocol", "direction", "message",
	"length", "info"}

// columnWriter writes a line a message: the values of fields.
type columnWriter struct {
	out     *output
	display *display
	names   []string
	fields  []*filter.Field

	separated
	findings bool // those without a message as well

	values []filter.Value
	cell   []byte
}

// newColumnWriter reads -e and -E, and writes the heading.
func newColumnWriter(out *output, d *display, o *fieldOptions, s *filter.Schema, csv bool) (*columnWriter, error) {
	out.width = 0 // for other programs: no line is cut
	w := &columnWriter{out: out, display: d, names: o.names}
	var err error
	if w.separated, err = newSeparated(o.options, csv); err != nil {
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
	if !w.header {
		return
	}
	for i, name := range w.names {
		w.cell = append(w.cell[:0], name...)
		w.out.buf = w.put(w.out.buf, i, w.cell)
	}
	w.out.buf = append(w.out.buf, '\n')
}

// text implements textSink: subjects do not last.
func (w *columnWriter) text() (*output, bool) { return w.out, false }

func (w *columnWriter) message(*decode.Message) { w.line() }

func (w *columnWriter) finding(*wire.TrafficFinding) {
	if w.findings {
		w.line()
	}
}

// mostInCell is how many bytes the values of a field may take before no more are written: lists may be long.
const mostInCell = 1 << 20

func (w *columnWriter) line() {
	for i, f := range w.fields {
		w.values = f.Values(w.display.subject(), w.values[:0])
		if len(w.values) > 1 {
			switch w.occurrence {
			case 'f':
				w.values = w.values[:1]
			case 'l':
				w.values = w.values[len(w.values)-1:]
			}
		}
		w.cell = w.cell[:0]
		for j := range w.values {
			if j > 0 {
				w.cell = append(w.cell, w.aggregator...)
			}
			if len(w.cell) >= mostInCell {
				w.cell = fmt.Appendf(w.cell, "... %d more", len(w.values)-j)
				break
			}
			v := w.values[j]
			size := len(v.Bytes)
			v.Bytes = v.Bytes[:min(size, mostInCell)]
			if w.cell = appendValue(w.cell, &v); size > mostInCell {
				w.cell = fmt.Appendf(w.cell, "... %d bytes", size)
			}
		}
		w.out.buf = w.put(w.out.buf, i, w.cell)
	}
	w.out.buf = append(w.out.buf, '\n')
}

// appendValue appends a value. Quotes in texts are left to put.
func appendValue(b []byte, v *filter.Value) []byte {
	if v.Kind != wire.String {
		return v.Append(b)
	}
	return format.AppendUnquoted(b, v.Bytes)
}
