package main

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// A layout says which columns of a table people see, and how wide they are.
type layout struct {
	table  *table
	shown  []int // columns
	widths []int // of all columns
	absent []string
}

const (
	columnGap = "  "
	leastText = 16 // columns that are left of a text that is cut
)

// newLayout fits a table into lines; width 0 is as wide as need be.
func newLayout(t *table, width int) *layout {
	l := &layout{table: t, widths: make([]int, len(t.columns))}
	for i := range t.columns {
		if t.columns[i].only == programs {
			continue
		}
		l.shown = append(l.shown, i)
		for _, row := range t.rows {
			l.widths[i] = max(l.widths[i], textWidth(row[i].text))
		}
	}
	if width > 0 && l.sum(l.headed) > width { // a heading may take several lines
		for _, i := range l.shown {
			l.widths[i] = max(l.widths[i], longestWord(t.columns[i].name))
		}
		for l.sum(l.least) > width && l.leaveOut() {
		}
		l.narrow(width)
		return l
	}
	for _, i := range l.shown {
		l.widths[i] = l.headed(i)
	}
	return l
}

// headed is how wide a column is with its heading in a line.
func (l *layout) headed(i int) int { return max(l.widths[i], textWidth(l.table.columns[i].name)) }

func longestWord(s string) int {
	n := 0
	for word := range strings.FieldsSeq(s) {
		n = max(n, textWidth(word))
	}
	return n
}

// sum is how wide a line is whose columns are as wide as a function says.
func (l *layout) sum(widthOf func(int) int) int {
	n := len(columnGap) * (len(l.shown) - 1)
	for _, i := range l.shown {
		n += widthOf(i)
	}
	return n
}

func (l *layout) width(i int) int { return l.widths[i] }

// cuttable reports whether the texts of a column may be cut, or go on in the next line.
func (l *layout) cuttable(i int) bool { return !l.table.columns[i].right && !l.table.columns[i].whole }

// least is how wide a column has to be at least.
func (l *layout) least(i int) int {
	if !l.cuttable(i) {
		return l.widths[i]
	}
	return min(l.widths[i], max(leastText, longestWord(l.table.columns[i].name)))
}

// leaveOut leaves out the column that matters least, if it is not among the first two.
func (l *layout) leaveOut() bool {
	for at := len(l.shown) - 1; at >= 2; at-- {
		if c := &l.table.columns[l.shown[at]]; !c.stays {
			l.shown = slices.Delete(l.shown, at, at+1)
			l.absent = slices.Insert(l.absent, 0, c.name)
			return true
		}
	}
	return false
}

// narrow makes texts narrower until a line fits; if that is not enough, all that is there.
func (l *layout) narrow(width int) {
	if l.sum(l.width) <= width {
		return
	}
	var narrowed []int
	room := width - len(columnGap)*(len(l.shown)-1)
	cut := l.sum(l.least) <= width
	for _, i := range l.shown {
		if !cut || l.cuttable(i) {
			narrowed = append(narrowed, i)
		} else {
			room -= l.widths[i]
		}
	}
	slices.SortStableFunc(narrowed, func(a, b int) int { return cmp.Compare(l.widths[a], l.widths[b]) })
	for at, i := range narrowed { // who needs less than an equal share leaves the rest to the others
		l.widths[i] = min(l.widths[i], max(room/(len(narrowed)-at), 1))
		room -= l.widths[i]
	}
}

// appendText writes the table for people, width columns wide; 0 is as wide as need be.
func (t *table) appendText(b []byte, width int) []byte {
	return t.writeText(b, width, func(b []byte) []byte { return b })
}

// writeText does the same line by line: pass takes what is there, and gives the buffer to go on with.
func (t *table) writeText(b []byte, width int, pass func([]byte) []byte) []byte {
	if len(t.rows) == 0 {
		return b
	}
	l := newLayout(t, width)
	b = l.appendRow(b, func(i int) (string, bool) { return t.columns[i].name, true })
	for _, row := range t.rows {
		b = pass(l.appendRow(b, func(i int) (string, bool) { return row[i].text, t.columns[i].wraps }))
	}
	if len(l.absent) == 0 {
		return b
	}
	more := cmp.Or(t.more, "a pipe has all")
	for _, line := range wrapText("not shown: "+strings.Join(l.absent, ", ")+"; "+more, width) {
		b = append(append(b, line...), '\n')
	}
	return b
}

// appendRow writes a row, which takes several lines where a text wraps.
func (l *layout) appendRow(b []byte, textOf func(column int) (text string, wraps bool)) []byte {
	pieces := make([][]string, len(l.widths))
	lines := 1
	for _, i := range l.shown {
		if text, wraps := textOf(i); wraps {
			pieces[i] = wrapText(text, l.widths[i])
		} else {
			pieces[i] = []string{cutText(text, l.widths[i])}
		}
		lines = max(lines, len(pieces[i]))
	}
	for line := range lines {
		for at, i := range l.shown {
			if at > 0 {
				b = append(b, columnGap...)
			}
			piece := ""
			if line < len(pieces[i]) {
				piece = pieces[i][line]
			}
			b = appendPadded(b, piece, l.widths[i], l.table.columns[i].right)
		}
		b = append(trimRight(b), '\n')
	}
	return b
}

// appendPadded writes a text at the left or right end of a column.
func appendPadded(b []byte, text string, width int, right bool) []byte {
	padding := max(width-textWidth(text), 0)
	if right {
		return append(appendBlanks(b, padding), text...)
	}
	return appendBlanks(append(b, text...), padding)
}

// textWidth is how many columns a text takes. It counts as cutLine does.
func textWidth(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			for _, r := range s[i:] {
				n += runewidth.RuneWidth(r)
			}
			return n
		}
		n++
	}
	return n
}

// fittingBytes gives how many bytes of a text fit into so many columns.
func fittingBytes(s string, width int) int {
	for i, r := range s {
		if width -= runewidth.RuneWidth(r); width < 0 {
			return i
		}
	}
	return len(s)
}

// cutText cuts a text that is too wide, and marks it.
func cutText(s string, width int) string {
	if textWidth(s) <= width {
		return s
	}
	if width < textWidth(cutMark) {
		return ""
	}
	return s[:fittingBytes(s, width-textWidth(cutMark))] + cutMark
}

// wrapText breaks a text into lines; width 0 is one line.
func wrapText(s string, width int) []string {
	if width == 0 || s == "" {
		return []string{s}
	}
	var lines []string
	for text := []byte(s); len(text) > 0; {
		n := lineOf(text, width)
		lines = append(lines, strings.TrimRight(string(text[:n]), " "))
		text = bytes.TrimLeft(text[n:], " ")
	}
	return lines
}
