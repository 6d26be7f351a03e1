package compare

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/diff"
	"github.com/gamedissect/gamedissect/internal/report"
)

const (
	usualWidth = 80
	maxLines   = 16 // maximum lines of each list: differences, losses, and where conversations differ; a screen has 24
	maxAlike   = 4  // lines per kind of difference that does not make the capture worse
)

type writer struct {
	buf   []byte
	width int
	style print.Style
}

// Append appends one screen per comparison, the worst first. If there are several captures, a list of them comes first.
func Append(b []byte, list []*diff.Comparison, to term.Terminal) []byte {
	s := &writer{buf: b, width: cmp.Or(to.Width, usualWidth), style: to.Style}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *diff.Comparison) int { return cmp.Compare(rank(b.Verdict), rank(a.Verdict)) })
	if len(list) > 1 {
		for _, c := range list {
			s.headline(format.Unquoted(c.Capture), c.Verdict)
		}
		s.line("")
	}
	for i, c := range list {
		if i > 0 && rank(c.Verdict) == 0 {
			break // the list above has the remaining verdicts, which are all "same"
		}
		if i > 0 {
			s.line("")
		}
		s.comparison(c)
	}
	return s.buf
}

func rank(v diff.Verdict) int {
	return slices.Index([]diff.Verdict{diff.Same, diff.Different, diff.Incomparable, diff.Worse}, v)
}

// comparison writes a screen: the captures, the verdict, the differences, and where conversations begin to differ.
func (s *writer) comparison(c *diff.Comparison) {
	good, now := c.Good[0], c.Capture
	if len(c.Good) > 1 {
		good = report.Plural(int64(len(c.Good)), "good capture")
	}
	if term.Width(good+" -> "+now)+2+len(c.Verdict) > s.width {
		good, now = filepath.Base(good), filepath.Base(now)
	}
	s.headline(format.Unquoted(good)+" -> "+format.Unquoted(now), c.Verdict)
	for _, why := range c.Partial {
		s.line(s.coloured(s.style.Warning, "? "+why))
	}
	var way []string
	if c.Parting != nil {
		way = c.Parting.Lines()
	}
	s.differences(c.Differences, maxLines-len(c.Partial)-len(way))
	for _, line := range way {
		s.line(line)
	}
	s.line("good: " + diff.Extent(c.From))
	s.line("now:  " + diff.Extent([]*diff.Capture{c.To}))
	for i := range c.Differences {
		if d := &c.Differences[i]; d.Worse && d.Rule != "" {
			s.line("Next: gamedissect explain " + d.Rule)
			break
		}
	}
}

// headline writes a text, and the verdict at the right edge. If the line has no room for both, the verdict gets the
// next line.
func (s *writer) headline(text string, v diff.Verdict) {
	colour := map[diff.Verdict]string{diff.Worse: s.style.Error, diff.Incomparable: s.style.Warning}[v]
	if term.Width(text)+2+len(v) > s.width {
		s.line(text)
		text = ""
	}
	s.line(text + strings.Repeat(" ", max(s.width-term.Width(text)-len(v), 0)) +
		s.coloured(colour, strings.ToUpper(string(v))))
}

// differences writes one line per difference, up to limit lines. If the first line has no room for an example, the
// example gets the next line.
func (s *writer) differences(list []diff.Difference, limit int) {
	rows := [][3]string{{"", "good", "now"}}
	var shown []*diff.Difference
	met := make(map[diff.Kind]int)
	for i := range list {
		d := &list[i]
		if met[d.Kind]++; len(shown) < limit && (d.Worse || met[d.Kind] <= maxAlike) {
			good, now := d.Numbers()
			shown, rows = append(shown, d), append(rows, [3]string{format.Unquoted(d.What), good, now})
		}
	}
	if len(shown) == 0 {
		return
	}
	var widths [3]int
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], term.Width(cell))
		}
	}
	widths[0] = min(widths[0], max(s.width-2-widths[1]-widths[2]-4, 12))
	for i, row := range rows {
		row[0] = string(term.CutLine(nil, []byte(row[0]), widths[0]))
		line := row[0] + strings.Repeat(" ", max(widths[0]-term.Width(row[0]), 0))
		if i > 0 && shown[i-1].Worse {
			line = s.coloured(s.style.Error, "! "+line)
		} else {
			line = "  " + line
		}
		line += fmt.Sprintf("  %*s  %*s", widths[1], row[1], widths[2], row[2])
		if i == 0 {
			s.line(line)
			continue
		}
		note := format.Unquoted(shown[i-1].Note)
		const useful = 8
		switch room := s.width - 2 - widths[0] - widths[1] - widths[2] - 6; {
		case i == 1 && term.Width(note) > room:
			s.line(line)
			line = "   "
		case room < useful:
			note = ""
		}
		s.line(term.Between("  ", line, note))
	}
	if left := len(list) - len(shown); left > 0 {
		s.line(fmt.Sprintf("  and %s (-T json has all)", report.Plural(int64(left), "more difference")))
	}
}

func (s *writer) coloured(colour, text string) string {
	if colour == "" {
		return text
	}
	return colour + text + s.style.Reset
}

// line writes a line, cut to the width.
func (s *writer) line(text string) {
	s.buf = term.CutLine(s.buf, append([]byte(strings.TrimRight(text, " ")), '\n'), s.width)
}
