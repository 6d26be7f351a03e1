package help

import (
	"bytes"
	"slices"
	"strings"

	tables "github.com/yuin/goldmark/extension/ast"

	"github.com/gamedissect/gamedissect/internal/cli/term"
)

const minColumn = 8

func (w *markdownWriter) table(n *tables.Table, indent int) {
	var rows [][]string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, w.inline(cell))
		}
		rows = append(rows, cells)
	}
	widths := columnWidths(rows, w.width-indent)
	line := make([]string, len(widths))
	for i, width := range widths {
		line[i] = strings.Repeat("-", width)
	}
	rows = slices.Insert(rows, 1, line)
	for _, row := range rows {
		for i := range row {
			row[i] = term.FitCell(row[i], widths[i], true)
		}
	}
	for line := range bytes.Lines(term.DrawCells(rows, make([]bool, len(widths)))) {
		w.b = append(term.TrimRight(append(term.AppendBlanks(w.b, indent), bytes.TrimSuffix(line, []byte("\n"))...)), '\n')
	}
}

// columnWidths divides a width among columns. Each column gets what it needs, up to a common limit. If the longest
// words of all columns fit, each column gets at least the width of its longest word.
func columnWidths(rows [][]string, width int) []int {
	needs, words := make([]int, len(rows[0])), make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			needs[i] = max(needs[i], term.CellWidth(cell))
			for word := range strings.FieldsSeq(cell) {
				words[i] = max(words[i], term.CellWidth(word))
			}
		}
	}
	available := width - len(term.ColumnGap)*(len(needs)-1)
	limited := func(limit int) (widths []int, sum int) {
		widths = make([]int, len(needs))
		for i, need := range needs {
			widths[i] = min(need, max(words[i], limit))
			sum += widths[i]
		}
		return widths, sum
	}
	widths, sum := limited(0)
	limit := 1
	if sum > available {
		clear(words)
		limit = minColumn
		widths, _ = limited(limit)
	}
	for ; limit <= min(available, slices.Max(needs)); limit++ {
		wider, sum := limited(limit)
		if sum > available {
			break
		}
		widths = wider
	}
	return widths
}
