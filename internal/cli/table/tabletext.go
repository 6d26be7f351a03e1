// Package table lays out tables for people, and writes them as JSON, CSV and fields.
package table

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// A layout says which columns of a table people see, and how wide they are.
type layout struct {
	columns []report.Column
	rows    [][]string
	shown   []int // columns
	widths  []int // of all columns
	absent  []string
}

// How columns stand.
const (
	ColumnGap  = "  "
	leastText  = 16 // columns that are left of a text that is cut
	leastProse = 30 // and of one that wraps, before what stands behind it is left out
)

// newLayout fits a table into lines; width 0 is as wide as need be.
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
			l.widths[i] = max(l.widths[i], TextWidth(l.rows[n][i]))
		}
		if l.widths[i] > 0 || i < 2 { // a column without texts says nothing
			l.shown = append(l.shown, i)
		}
	}
	if width > 0 && l.sum(l.headed) > width { // a heading may take several lines
		for _, i := range l.shown {
			l.widths[i] = max(l.widths[i], longestWord(l.columns[i].Name))
		}
		all := slices.Clone(l.shown)
		for fits := false; !fits; {
			fits = l.sum(l.least) <= width || !l.leaveOut()
		}
		l.makeWhole(width)
		for _, i := range all {
			if !slices.Contains(l.shown, i) {
				l.absent = append(l.absent, l.columns[i].Name)
			}
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
func (l *layout) headed(i int) int { return max(l.widths[i], TextWidth(l.columns[i].Name)) }

func longestWord(s string) int {
	n := 0
	for word := range strings.FieldsSeq(s) {
		n = max(n, TextWidth(word))
	}
	return n
}

// sum is how wide a line is whose columns are as wide as a function says.
func (l *layout) sum(widthOf func(int) int) int {
	n := len(ColumnGap) * (len(l.shown) - 1)
	for _, i := range l.shown {
		n += widthOf(i)
	}
	return n
}

func (l *layout) width(i int) int { return l.widths[i] }

// cuttable reports whether the texts of a column may be cut, or go on in the next line.
func (l *layout) cuttable(i int) bool { return !l.columns[i].Kind.Numeric() && !l.columns[i].Whole }

// least is how wide a column has to be at least.
func (l *layout) least(i int) int {
	if !l.cuttable(i) {
		return l.widths[i]
	}
	least := leastText
	if l.columns[i].Wraps && i != l.shown[len(l.shown)-1] {
		least = leastProse
	}
	return min(l.widths[i], max(least, longestWord(l.columns[i].Name)))
}

// leaveOut leaves out the column that matters least, if it is not among the first two.
func (l *layout) leaveOut() bool {
	for at := len(l.shown) - 1; at >= 2; at-- {
		if !l.columns[l.shown[at]].Stays {
			l.shown = slices.Delete(l.shown, at, at+1)
			return true
		}
	}
	return false
}

// makeWhole leaves out the last column, which was to stay, where texts that are never cut would be cut with it and are
// not without it.
func (l *layout) makeWhole(width int) {
	shown, rest := l.shown, l.shown[:max(len(l.shown)-1, 0)]
	whole := func(i int) bool { return l.columns[i].Whole }
	if len(shown) <= 2 || l.sum(l.least) <= width || !slices.ContainsFunc(rest, whole) {
		return
	}
	if l.shown = rest; l.sum(l.least) > width {
		l.shown = shown
	}
}

// narrow makes texts narrower until a line fits; if that is not enough, all that is there.
func (l *layout) narrow(width int) {
	if l.sum(l.width) <= width {
		return
	}
	var narrowed []int
	room := width - len(ColumnGap)*(len(l.shown)-1)
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

// Fits reports whether lines have room for all columns of a table.
func (f *Form) Fits(t *report.Table) bool {
	l := newLayout(t, 0)
	return f.Width == 0 || l.sum(l.width) <= f.Width
}

// AppendText writes a table for people, width columns wide; 0 is as wide as need be.
func AppendText(b []byte, t *report.Table, width int) []byte {
	return (&Form{Width: width}).appendText(b, t, func(b []byte) []byte { return b })
}

// appendText does the same line by line: pass takes what is there, and gives the buffer to go on with.
func (f *Form) appendText(b []byte, t *report.Table, pass func([]byte) []byte) []byte {
	if len(t.Rows) == 0 {
		return b
	}
	width := f.Width
	if t.Caption != "" {
		b = append(term.AppendFitting(b, []byte(t.Caption), 0, 0, width), '\n')
	}
	l := newLayout(t, width)
	for line := range bytes.Lines(l.render()) {
		line = term.TrimRight(bytes.TrimRight(line, "\n"))
		if width > 0 {
			b = term.CutLine(b, line, width) // names may be as wide as different programs count them
		} else {
			b = append(b, line...)
		}
		b = pass(append(b, '\n'))
	}
	if len(l.absent) == 0 {
		return b
	}
	more := cmp.Or(f.More, "a pipe has all")
	note := "not shown: " + strings.Join(l.absent, ", ") + "; " + more
	return append(term.AppendFitting(b, []byte(note), 0, 0, width), '\n')
}

// render writes the columns that are shown.
func (l *layout) render() []byte {
	right := make([]bool, len(l.shown))
	lines := make([][]string, 1+len(l.rows))
	for at, i := range l.shown {
		c := &l.columns[i]
		right[at] = c.Kind.Numeric()
		lines[0] = append(lines[0], Fit(c.Name, l.widths[i], true))
		for n, row := range l.rows {
			lines[1+n] = append(lines[1+n], Fit(row[i], l.widths[i], c.Wraps))
		}
	}
	return Draw(lines, right)
}

// Draw writes texts in columns, which are as wide as the widest of their texts, some of them flush right.
func Draw(rows [][]string, right []bool) []byte {
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
		option.Must(w.Append(row)) // texts into memory: nothing can fail
	}
	option.Must(w.Render())
	return b.Bytes()
}

// Fit brings a text into a column, in several lines if it may wrap.
func Fit(text string, width int, wraps bool) string {
	switch {
	case TextWidth(text) <= width:
		return text
	case wraps:
		return string(term.AppendFitting(nil, []byte(text), 0, 0, width))
	}
	return cutText(text, width)
}

// TextWidth is how many columns a text takes in a table.
func TextWidth(s string) int { return twwidth.Width(s) }

// cutText cuts a text that is too wide, and marks it.
func cutText(s string, width int) string {
	if TextWidth(s) <= width {
		return s
	}
	room := width - TextWidth(term.CutMark)
	for i, r := range s {
		if room -= TextWidth(string(r)); room < 0 {
			return s[:i] + term.CutMark
		}
	}
	return s
}
