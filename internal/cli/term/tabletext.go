package term

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/report"
)

// A layout determines which columns of a table are shown, and how wide they are.
type layout struct {
	columns []report.Column
	rows    [][]string
	shown   []int // indices of the shown columns
	below   []int // indices of columns with texts below their rows
	widths  []int // widths of all columns
	least   []int // minimum widths of all columns
	absent  []string
}

// Limits for columns.
const (
	ColumnGap = "  "
	leastText = 16 // minimum width of a text that is cut
	mostProse = 30 // limit of the minimum width of a text that wraps
	mostLines = 4  // maximum lines of a text that wraps in its column
	mostBelow = 4  // maximum lines of a text below its row
)

// newLayout fits a table into lines of width columns. With width 0, lines are as wide as needed.
func newLayout(t *report.Table, width int) *layout {
	l := &layout{columns: t.Columns, rows: make([][]string, len(t.Rows)), widths: make([]int, len(t.Columns))}
	for n := range l.rows {
		l.rows[n] = make([]string, len(t.Columns))
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Only == report.Programs {
			continue
		}
		for n, row := range t.Rows {
			l.rows[n][i] = c.Text(row[i])
			l.widths[i] = max(l.widths[i], CellWidth(l.rows[n][i]))
		}
		if l.widths[i] > 0 || i < 2 { // omit empty columns, but not the first two
			l.shown = append(l.shown, i)
		}
	}
	if width > 0 && l.sum(l.headed) > width {
		l.fit(width)
		return l
	}
	for _, i := range l.shown {
		l.widths[i] = l.headed(i)
	}
	return l
}

// fit moves texts below their rows, widest first. If that is not enough, it leaves out columns from the right until the
// rest fits.
func (l *layout) fit(width int) {
	l.least = make([]int, len(l.columns))
	for _, i := range l.shown {
		l.widths[i] = max(l.widths[i], longestWord(l.columns[i].Name)) // a heading may wrap between words
		l.least[i] = l.leastOf(i)
	}
	least := func(i int) int { return l.least[i] }
	all := slices.Clone(l.shown)
	for smaller := true; smaller && l.sum(least) > width; {
		smaller = l.putBelow() || l.leaveOut()
	}
	for _, i := range all {
		if !slices.Contains(l.shown, i) && !slices.Contains(l.below, i) {
			l.absent = append(l.absent, l.columns[i].Name)
		}
	}
	if l.sum(least) > width { // texts that wrap can shrink further
		for _, i := range l.shown {
			if c := &l.columns[i]; c.Wraps {
				l.least[i] = min(l.least[i], max(leastText, longestWord(c.Name)))
			}
		}
	}
	if l.sum(least) > width {
		for _, i := range l.shown {
			l.least[i] = 1
		}
	}
	l.narrow(width)
}

// headed returns the width of a column with its heading on one line.
func (l *layout) headed(i int) int { return max(l.widths[i], CellWidth(l.columns[i].Name)) }

func longestWord(s string) int {
	n := 0
	for word := range strings.FieldsSeq(s) {
		n = max(n, CellWidth(word))
	}
	return n
}

// sum returns the width of a line, given the widths of its columns.
func (l *layout) sum(widthOf func(int) int) int {
	n := len(ColumnGap) * (len(l.shown) - 1)
	for _, i := range l.shown {
		n += widthOf(i)
	}
	return n
}

// leastOf returns the minimum width of a column. A number needs its whole width. A text that wraps, unless it is long,
// needs the width with which it takes two lines.
func (l *layout) leastOf(i int) int {
	c := &l.columns[i]
	switch {
	case c.Kind.Numeric() || c.Whole:
		return l.widths[i]
	case !c.Wraps && !c.Below:
		return min(l.widths[i], max(leastText, longestWord(c.Name)))
	}
	half := 0
	for _, row := range l.rows {
		half = max(half, halfWidth(row[i]))
	}
	if !c.Below { // a column with Below can go below its row instead
		half = min(half, mostProse)
	}
	return min(l.widths[i], max(leastText, longestWord(c.Name), half))
}

// halfWidth returns the smallest column width with which a text takes two lines.
func halfWidth(text string) int {
	all, begin := CellWidth(text), -1
	least := all
	for word := range strings.SplitSeq(text, " ") {
		begin += 1 + CellWidth(word)
		least = min(least, max(begin, all-begin-1))
	}
	return least
}

// putBelow moves the texts of a column below their rows. It chooses the widest column that allows this, except the
// first column, and reports whether it found one.
func (l *layout) putBelow() bool {
	widest := 0
	for at, i := range l.shown {
		if at > 0 && (l.columns[i].Below || l.isProse(i)) && (widest == 0 || l.least[i] > l.least[l.shown[widest]]) {
			widest = at
		}
	}
	if widest == 0 {
		return false
	}
	l.below = append(l.below, l.shown[widest])
	slices.Sort(l.below)
	l.shown = slices.Delete(l.shown, widest, widest+1)
	return true
}

// isProse reports whether a column wraps and has a sentence, which is a text of five words or more.
func (l *layout) isProse(i int) bool {
	sentence := func(row []string) bool { return strings.Count(row[i], " ") > 3 }
	return l.columns[i].Wraps && slices.ContainsFunc(l.rows, sentence)
}

// leaveOut leaves out the last column if there are more than two. It reports whether it did.
func (l *layout) leaveOut() bool {
	if len(l.shown) < 3 {
		return false
	}
	l.shown = l.shown[:len(l.shown)-1]
	return true
}

// narrow narrows columns until a line fits, but never below their minimum widths.
func (l *layout) narrow(width int) {
	room := width - l.sum(func(i int) int { return l.least[i] })
	more := func(i int) int { return max(l.widths[i]-l.least[i], 0) }
	narrowed := slices.Clone(l.shown)
	slices.SortStableFunc(narrowed, func(a, b int) int { return cmp.Compare(more(a), more(b)) })
	for at, i := range narrowed { // a column that needs less than an equal share leaves the rest to others
		n := min(more(i), max(room/(len(narrowed)-at), 0))
		l.widths[i] = l.least[i] + n
		room -= n
	}
}

// Fits reports whether a line has room for all columns of a table.
func (f *TableForm) Fits(t *report.Table) bool {
	l := newLayout(t, 0)
	return f.Width == 0 || l.sum(l.headed) <= f.Width
}

// AppendTable appends a table as text, width columns wide. With width 0, the table is as wide as needed.
func AppendTable(b []byte, t *report.Table, width int) []byte {
	return (&TableForm{Width: width}).appendText(b, t, func(b []byte) []byte { return b })
}

// appendText appends a table as AppendTable does. After each row it passes the buffer to pass, which returns the buffer
// to append to next.
func (f *TableForm) appendText(b []byte, t *report.Table, pass func([]byte) []byte) []byte {
	if len(t.Rows) == 0 {
		return b
	}
	width := f.Width
	if t.Caption != "" {
		b = append(f.coloured(b, f.Style.Heading, AppendFitting(nil, []byte(t.Caption), 0, 0, width)), '\n')
	}
	l := newLayout(t, width)
	lines, heights := l.render()
	for n, height := range heights {
		for at := range height {
			var line []byte
			line, lines, _ = bytes.Cut(lines, []byte{'\n'})
			if line = TrimRight(line); width > 0 {
				line = CutLine(nil, line, width) // CutLine and CellWidth may measure a character differently
			}
			b = append(f.line(b, l, n-1, at, line), '\n')
		}
		if n > 0 {
			b = f.appendBelow(b, l, l.rows[n-1])
		}
		b = pass(b)
	}
	return f.appendNotes(b, t, l)
}

// appendNotes appends what the columns mean, and which columns are missing.
func (f *TableForm) appendNotes(b []byte, t *report.Table, l *layout) []byte {
	var meanings []string
	for _, i := range slices.Sorted(slices.Values(slices.Concat(l.shown, l.below))) {
		if m := t.Columns[i].Meaning; m != "" {
			meanings = append(meanings, m)
		}
	}
	notes := []string{strings.Join(meanings, "; "), ""}
	if len(l.absent) > 0 {
		notes[1] = "not shown: " + strings.Join(l.absent, ", ") + "; " + cmp.Or(f.More, "a pipe has all")
	}
	for _, note := range notes {
		if note != "" {
			b = append(f.coloured(b, f.Style.Range, AppendFitting(nil, []byte(note), 0, 0, f.Width)), '\n')
		}
	}
	return b
}

// line appends one line of a row in its colours. Row -1 is the heading. A severity, which is the first word of a row,
// has a colour.
func (f *TableForm) line(b []byte, l *layout, row, at int, line []byte) []byte {
	if row < 0 {
		return f.coloured(b, f.Style.Heading, line)
	}
	if l.columns[l.shown[0]].Name != report.SeverityName || at > 0 {
		return append(b, line...)
	}
	var colour string
	for v := wire.Note; v <= wire.Error; v++ {
		if l.rows[row][l.shown[0]] == v.String() {
			colour = f.Style.ForSeverity(v)
		}
	}
	word, rest, _ := bytes.Cut(line, []byte{' '})
	return append(append(f.coloured(b, colour, word), ' '), rest...)
}

// coloured appends a text of one or more lines in a colour. "" means no colour.
func (f *TableForm) coloured(b []byte, colour string, text []byte) []byte {
	if colour == "" {
		return append(b, text...)
	}
	for n, line := range bytes.Split(text, []byte{'\n'}) {
		if n > 0 {
			b = append(b, '\n')
		}
		b = append(append(append(b, colour...), line...), f.Style.Reset...)
	}
	return b
}

// appendBelow appends the texts that go below a row.
func (f *TableForm) appendBelow(b []byte, l *layout, row []string) []byte {
	const indent = 2
	for _, i := range l.below {
		if row[i] == "" {
			continue
		}
		name := l.columns[i].Name + ": "
		for n, line := range bytes.Split(wrapped(name+row[i], mostBelow, indent, f.Width), []byte{'\n'}) {
			line = TrimRight(line)
			if n == 0 {
				line = append(AppendBlanks(nil, indent), line...)
			}
			line = CutLine(nil, line, f.Width)
			if label := indent + len(name) - 1; n == 0 && len(line) > label {
				b = f.coloured(b, f.Style.Range, line[:label])
				line = line[label:]
			}
			b = append(append(b, line...), '\n')
		}
	}
	return b
}

// wrapped wraps a text to at most limit lines. If there is more text, the last line ends with a mark. It indents all
// lines but the first, in which it leaves room for the caller's indent.
func wrapped(text string, limit, indent, width int) []byte {
	lines := bytes.Split(AppendFitting(nil, []byte(text), indent, indent, width), []byte{'\n'})
	if len(lines) > limit {
		last := string(lines[limit-1]) + " " + strings.TrimLeft(string(lines[limit]), " ")
		lines = append(lines[:limit-1], []byte(cutCell(last, width)))
	}
	return bytes.Join(lines, []byte{'\n'})
}

// render returns the text of the shown columns, and how many lines the heading and each row take.
func (l *layout) render() (text []byte, heights []int) {
	right := make([]bool, len(l.shown))
	lines := make([][]string, 1+len(l.rows))
	for at, i := range l.shown {
		c := &l.columns[i]
		right[at] = c.Kind.Numeric()
		lines[0] = append(lines[0], FitCell(c.Name, l.widths[i], true))
		for n, row := range l.rows {
			cell := FitCell(row[i], l.widths[i], false)
			if (c.Wraps || c.Below) && cell != row[i] {
				cell = string(wrapped(row[i], mostLines, 0, l.widths[i]))
			}
			lines[1+n] = append(lines[1+n], cell)
		}
	}
	for _, row := range lines {
		height := 0
		for _, cell := range row {
			height = max(height, 1+strings.Count(cell, "\n"))
		}
		heights = append(heights, height)
	}
	return DrawCells(lines, right), heights
}

// DrawCells formats texts in columns, each as wide as its widest text. It aligns the columns in right to the right.
func DrawCells(rows [][]string, right []bool) []byte {
	align := make([]tw.Align, len(right))
	for i := range right {
		align[i] = tw.AlignLeft
		if right[i] {
			align[i] = tw.AlignRight
		}
	}
	var b bytes.Buffer
	w := tablewriter.NewTable(&b,
		tablewriter.WithConfig(tablewriter.Config{Row: tw.CellConfig{
			Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
			Alignment:  tw.CellAlignment{Global: tw.AlignLeft, PerColumn: align},
			Padding:    tw.CellPadding{Global: tw.Padding{Right: ColumnGap, Overwrite: true}},
		}}),
		tablewriter.WithRendition(tw.Rendition{
			Borders:  tw.BorderNone,
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
		}))
	for _, row := range rows {
		option.Must(w.Append(row)) // cannot fail in memory
	}
	option.Must(w.Render())
	return b.Bytes()
}

// FitCell fits a text into a column. It wraps the text if wrapping is allowed, otherwise it cuts it.
func FitCell(text string, width int, wraps bool) string {
	switch {
	case CellWidth(text) <= width:
		return text
	case wraps:
		return string(AppendFitting(nil, []byte(text), 0, 0, width))
	}
	return cutCell(text, width)
}
