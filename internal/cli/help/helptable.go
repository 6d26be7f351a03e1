package help

import (
	"strings"

	tables "github.com/yuin/goldmark/extension/ast"

	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

const (
	tableGap  = 2
	minColumn = 8
)

// table writes a table with wrapped cells.
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
	for i, row := range rows {
		w.row(row, widths, indent)
		if i == 0 {
			var line []string
			for _, width := range widths {
				line = append(line, strings.Repeat("-", width))
			}
			w.row(line, widths, indent)
		}
	}
}

// columnWidths shares a width among columns. Each column gets what it needs up to a common limit, and at least the width of
// its longest word if all longest words fit.
func columnWidths(rows [][]string, width int) []int {
	needs, words := make([]int, len(rows[0])), make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			needs[i] = max(needs[i], table.TextWidth(cell))
			for word := range strings.FieldsSeq(cell) {
				words[i] = max(words[i], table.TextWidth(word))
			}
		}
	}
	available := width - tableGap*(len(needs)-1)
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
	for ; limit <= available; limit++ {
		wider, sum := limited(limit)
		if sum > available {
			break
		}
		widths = wider
	}
	return widths
}

// row writes a row in as many lines as its cells need.
func (w *markdownWriter) row(cells []string, widths []int, indent int) {
	lines := make([][]string, len(cells))
	height := 1
	for i, cell := range cells {
		lines[i] = strings.Split(string(term.AppendFitting(nil, []byte(cell), 0, 0, widths[i])), "\n")
		height = max(height, len(lines[i]))
	}
	for at := range height {
		w.b = term.AppendBlanks(w.b, indent)
		blanks := 0
		for i, width := range widths {
			text := ""
			if i < len(lines) && at < len(lines[i]) {
				text = lines[i][at]
			}
			if text != "" {
				w.b = append(term.AppendBlanks(w.b, blanks), text...)
				blanks = 0
			}
			blanks += width - table.TextWidth(text) + tableGap
		}
		w.b = append(w.b, '\n')
	}
}
