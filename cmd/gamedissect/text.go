package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// forms are the values of -T.
var forms = []string{"tree", "line", "json", "fields", "csv", "pdml", "ek", "none"}

// textOptions say in which form messages are shown.
type textOptions struct {
	form   string // of messages
	tables string // form of tables, see tableForm
	fields fieldOptions
	quiet  bool
	all    bool
	bytes  bool
	times  string
	eager  bool // write after every packet
}

func (o *textOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&o.form, "type", "T", "", "`FORM` of the output: tree, line, json, fields, csv, pdml, ek or none; tree "+
		"unless -w is given; json, fields and csv are those of tables as well, "+
		"pdml is Wireshark's XML, ek Elasticsearch's JSON")
	o.fields.flags(c)
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no messages, only totals or the tables of -z")
	f.BoolVarP(&o.all, "verbose", "V", false, "fold nothing: every entry of every list, all bytes")
	f.BoolVarP(&o.bytes, "hex", "x", false, "show the bytes beside the tree")
	f.StringVarP(&o.times, "time", "t", "", "`FORM` of times: a time of day, ad with date, d since the message before, "+
		"e since 1970, r since the first packet, as it is without -t, u UTC, ud with date")
	completeWith(c, "type", forms...)
	completeWith(c, "time", timeForms...)
}

// settled reports whether the form is this one, or not named.
func (o *textOptions) settled(form string) bool { return o.form == "" || o.form == form }

// settle finds the form where none is named.
func (o *textOptions) settle(writesPackets bool) {
	o.tables = "text"
	if slices.Contains(tableForms, o.form) {
		o.tables = o.form
	}
	switch {
	case o.quiet || o.form == "" && writesPackets:
		o.form = "none"
	case o.form == "":
		o.form = "tree"
	}
}

// tableForms are the forms that tables have as well, besides text.
var tableForms = []string{"json", "fields", "csv"}

// columns reports whether the form shows the values of fields.
func (o *textOptions) columns() bool { return o.form == "fields" || o.form == "csv" }

// forPrograms reports whether messages are for other programs.
func (o *textOptions) forPrograms() bool {
	return !slices.Contains([]string{"tree", "line", "none"}, o.form)
}

// add adds the sink of the form to a run.
func (o *textOptions) add(r *run, out *output, schema *filter.Schema, names []string, t terminal) error {
	lines := newLineWriter(out, r.clock, names, t.style)
	switch o.form {
	case "tree":
		r.add(newTreeWriter(lines, o.bytes, o.all))
	case "line":
		r.add(lines)
	case "json":
		r.add(newJSONWriter(out, len(names) > 1))
	case "pdml":
		r.add(newPDMLWriter(out))
	case "ek":
		r.add(newEKWriter(out))
	case "fields", "csv":
		w, err := newColumnWriter(out, r.gate.display, &o.fields, schema, o.form == "csv")
		if err != nil {
			return err
		}
		r.add(w)
	}
	return nil
}
