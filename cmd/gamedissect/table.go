package main

import (
	"bytes"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"
)

// table is a table to be shown: plain text in columns, no frame.
type table struct {
	heading []string
	rows    [][]string
	right   []bool // columns of numbers
}

// append writes the table. What comes from outside must be escaped already.
func (t *table) append(dst []byte) []byte {
	if len(t.rows) == 0 {
		return dst
	}
	align := make([]tw.Align, len(t.heading))
	for i := range align {
		align[i] = tw.AlignLeft
		if i < len(t.right) && t.right[i] {
			align[i] = tw.AlignRight
		}
	}
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft, PerColumn: align},
		Padding:    tw.CellPadding{Global: tw.Padding{Right: "  ", Overwrite: true}},
	}
	var b bytes.Buffer
	w := tablewriter.NewTable(&b,
		tablewriter.WithConfig(tablewriter.Config{Header: cell, Row: cell}),
		tablewriter.WithRendition(tw.Rendition{
			Borders:  tw.BorderNone,
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
		}))
	w.Header(t.heading)
	must(w.Bulk(t.rows)) // rows of strings into memory: nothing can fail
	must(w.Render())
	for line := range bytes.Lines(b.Bytes()) {
		dst = append(dst, trimRight(bytes.TrimRight(line, "\n"))...)
		dst = append(dst, '\n')
	}
	return dst
}
