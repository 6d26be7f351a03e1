package help

import (
	"bytes"
	"slices"
	"strings"

	tables "github.com/yuin/goldmark/extension/ast"

	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

const leastColumn = 8

// table writes a table whose cells go on below themselves.
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
			row[i] = table.Fit(row[i], widths[i], true)
		}
	}
	for line := range bytes.Lines(table.Draw(rows, make([]bool, len(widths)))) {
		w.b = append(term.TrimRight(append(term.AppendBlanks(w.b, indent), bytes.TrimSuffix(line, []byte("\n"))...)), '\n')
	}
}

// columnWidths shares a width among columns. Each has what it needs up to a limit, which is the same for all, and the
// room for its longest word, as far as there is room for these.
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
	room := width - len(table.ColumnGap)*(len(needs)-1)
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
	if sum > room {
		clear(words)
		limit = leastColumn
		widths, _ = limited(limit)
	}
	for ; limit <= room; limit++ {
		wider, sum := limited(limit)
		if sum > room {
			break
		}
		widths = wider
	}
	return widths
}
