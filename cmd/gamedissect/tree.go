package main

import (
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/print"
)

// treeWriter writes a line a message and its fields below it.
type treeWriter struct {
	lineWriter
	printer print.Printer
}

func newTreeWriter(lines *lineWriter, bytes, all bool) *treeWriter {
	return &treeWriter{
		lineWriter: *lines, printer: print.Printer{Bytes: bytes, All: all, Style: lines.style, Pass: lines.out.pass},
	}
}

func (w *treeWriter) message(m *decode.Message) {
	w.line(m, false)
	w.out.buf = append(w.out.buf, '\n')
	t := m.FoldedTree
	if w.printer.All {
		t = m.Tree
	}
	w.out.buf = w.printer.Append(w.out.buf, t(), m.Data, m.Findings)
}
