package main

import (
	"strings"
)

// entries are lines of columns, the last of which may be long: on a terminal it goes on below itself, and what does not
// fit in front of it has a line of its own. A pipe gets a line an entry with tabs between the columns, and no heading.
type entries [][]string

// print writes them to standard output.
func (e entries) print(std streams, heading ...string) error {
	t, err := newTerminal(std.out, "auto")
	if err != nil {
		return err
	}
	out := newOutput(std.out, 0)
	if !t.is && t.width == 0 {
		for _, line := range e {
			out.buf = out.pass(append(append(out.buf, strings.Join(line, "\t")...), '\n'))
		}
		return out.flush()
	}
	widths := e.widths(heading, t.width)
	out.buf = appendEntry(out.buf, heading, widths, t.width)
	for _, line := range e {
		out.buf = out.pass(appendEntry(out.buf, line, widths, t.width))
	}
	return out.flush()
}

// widths are those of the columns in front of the last one, which together take less than two thirds of a line.
func (e entries) widths(heading []string, width int) []int {
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

// appendEntry writes an entry. A text that is wider than its column stands alone in its line.
func appendEntry(b []byte, line []string, widths []int, width int) []byte {
	at, column := 0, 0
	for i, w := range widths {
		if i > 0 && at > column-len(entryGap) {
			b = append(b, '\n')
			at = 0
		}
		b = appendBlanks(b, column-at)
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
	b = appendBlanks(b, column-at)
	b = appendFitting(b, []byte(last), column, column, width)
	return append(b, '\n')
}
