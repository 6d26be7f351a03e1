// Package message writes dissected messages in the forms of -T: lines, trees, JSON, columns of fields, PDML and
// Elasticsearch's JSON.
package message

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// Forms are the values of -T.
var Forms = []string{"tree", "line", "json", "fields", "csv", "pdml", "ek", "none"}

// TextOptions are the options for how messages are written.
type TextOptions struct {
	Form   string // form of messages
	Tables string // form of tables: text or one of tableForms
	Fields FieldOptions
	Quiet  bool
	all    bool
	bytes  bool
	Times  string
	Eager  bool // flush after every packet
}

// Flags defines the flags of the options.
func (o *TextOptions) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&o.Form, "type", "T", "", "`FORM` of the output: tree, line, json, fields, csv, pdml, ek or none; "+
		"default tree, or none with -w; json, fields and csv also apply to tables; pdml is Wireshark's XML, ek "+
		"is Elasticsearch's JSON")
	o.Fields.flags(c)
	f.BoolVarP(&o.Quiet, "quiet", "q", false, "print no messages, only totals or the tables of -z; same as -T "+
		"none")
	f.BoolVarP(&o.all, "verbose", "V", false, "show everything: every entry of every list, all bytes")
	f.BoolVarP(&o.bytes, "hex", "x", false, "show the bytes beside the tree")
	f.StringVarP(&o.Times, "time", "t", "", "`FORM` of times: a time of day and its zone, ad with date, d since the "+
		"message before, e since 1970, r since the first packet (the default), u UTC, ud with date")
	option.CompleteWith(c, "type", Forms...)
	option.CompleteWith(c, "time", session.TimeForms...)
}

// Nothing is for a run without input. For pdml it writes an empty XML document, and for other forms it writes nothing.
func (o *TextOptions) Nothing(out *term.Output) {
	if o.Form == "pdml" {
		_ = newPDMLWriter(out).End(decode.Counters{}) // error kept in out
	}
}

// Settled reports whether -T is the given form, or is not set.
func (o *TextOptions) Settled(form string) bool { return o.Form == "" || o.Form == form }

// Settle sets the default form if -T names none. It also sets the form of tables.
func (o *TextOptions) Settle(writesPackets bool) {
	o.Tables = "text"
	if slices.Contains(tableForms, o.Form) {
		o.Tables = o.Form
	}
	switch {
	case o.Quiet || o.Form == "" && writesPackets:
		o.Form = "none"
	case o.Form == "":
		o.Form = "tree"
	}
}

var tableForms = []string{"json", "fields", "csv"}

// Columns reports whether the form writes columns of fields.
func (o *TextOptions) Columns() bool { return o.Form == "fields" || o.Form == "csv" }

// ForPrograms reports whether the form is for programs.
func (o *TextOptions) ForPrograms() bool {
	return !slices.Contains([]string{"tree", "line", "none"}, o.Form)
}

// Add adds to the run the sink that writes messages in the selected form. names are the files or interfaces of the run.
func (o *TextOptions) Add(r *session.Run, out *term.Output, schema *filter.Schema, names []string,
	t term.Terminal) error {
	s := session.Sink{Text: out, Later: true}
	var w decode.Text
	lines := NewLineWriter(out, r.Clock, names, t.Style)
	switch o.Form {
	case "tree":
		w = newTreeWriter(lines, o.bytes, o.all)
	case "line":
		w = lines
	case "json":
		w = newJSONWriter(out, len(names) > 1)
	case "pdml":
		xml := newPDMLWriter(out)
		w, s.End = xml, xml.End
	case "ek":
		w = newEKWriter(out)
	case "fields", "csv":
		var err error
		if w, err = newColumnWriter(out, r.Selection.Subjects, &o.Fields, schema, o.Form == "csv"); err != nil {
			return err
		}
		s.Later = false // the writer uses subjects, which are valid only during the call
	default:
		return nil
	}
	s.Message, s.Finding = w.Message, w.Finding
	r.Add(s)
	return nil
}
