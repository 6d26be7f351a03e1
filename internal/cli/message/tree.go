package message

import (
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/print"
)

// treeWriter writes a line for each message and the message's fields below it.
type treeWriter struct {
	LineWriter
	printer print.Printer
}

func newTreeWriter(lines *LineWriter, bytes, all bool) *treeWriter {
	w := &treeWriter{
		LineWriter: *lines, printer: print.Printer{Bytes: bytes, All: all, Style: lines.style, Pass: lines.Out.Pass},
	}
	w.printer.Finding = func(dst []byte, column int, f *wire.Finding) []byte {
		return w.appendFinding(dst, column, f.Rule, 1, f.Text)
	}
	return w
}

func (w *treeWriter) Message(m *decode.Message) {
	w.Line(m, false)
	w.Out.Buf = append(w.Out.Buf, '\n')
	t := m.FoldedTree
	if w.printer.All {
		t = m.Tree
	}
	w.Out.Buf = w.printer.Append(w.Out.Buf, t(), m.Data, m.Findings)
}
