package term

import (
	"strings"
)

// Entries are lines of columns. On a terminal, the last column wraps within its own width. If a text is wider than its
// column, the next column begins on a new line. In a pipe, each entry is one line with tabs between the columns, and
// there is no heading.
type Entries [][]string

// Print writes the entries to standard output.
func (e Entries) Print(std Streams, heading ...string) error {
	t, err := NewTerminal(std.Out, "auto")
	if err != nil {
		return err
	}
	out := NewOutput(std.Out, 0)
	if !t.Is && t.Width == 0 {
		for _, line := range e {
			out.Buf = out.Pass(append(append(out.Buf, strings.Join(line, "\t")...), '\n'))
		}
		return out.Flush()
	}
	widths := e.widths(heading, t.Width)
	out.Buf = appendEntry(out.Buf, heading, widths, t.Width)
	for _, line := range e {
		out.Buf = out.Pass(appendEntry(out.Buf, line, widths, t.Width))
	}
	return out.Flush()
}

// widths returns the widths of all columns but the last. Together they take less than two thirds of a line.
func (e Entries) widths(heading []string, width int) []int {
	widths := make([]int, len(heading)-1)
	room := width * 2 / 3
	for i := len(widths) - 1; i >= 0; i-- {
		widths[i] = len(heading[i])
		for _, line := range e {
			if n := len(line[i]); n > widths[i] && (width == 0 || n+i*10 <= room) {
				widths[i] = n
			}
		}
		room -= widths[i] + len(entryGap)
	}
	return widths
}

const entryGap = "  "

// appendEntry appends an entry. After a text that is wider than its column, it begins a new line.
func appendEntry(b []byte, line []string, widths []int, width int) []byte {
	at, column := 0, 0
	for i, w := range widths {
		if i > 0 && at > column-len(entryGap) {
			b = append(b, '\n')
			at = 0
		}
		b = AppendBlanks(b, column-at)
		b = append(b, line[i]...)
		at = column + len(line[i])
		column += w + len(entryGap)
	}
	last := line[len(line)-1]
	if last == "" {
		return append(b, '\n')
	}
	if at > column-len(entryGap) {
		b = append(b, '\n')
		at = 0
	}
	b = AppendBlanks(b, column-at)
	b = AppendFitting(b, []byte(last), column, column, width)
	return append(b, '\n')
}
