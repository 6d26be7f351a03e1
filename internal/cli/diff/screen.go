package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/diff"
	"github.com/gamedissect/gamedissect/internal/print"
	"github.com/gamedissect/gamedissect/internal/report"
)

const (
	usualWidth = 80
	maxLines   = 14 // of differences
	maxAlike   = 4  // of those of one kind that make nothing worse
	numberSize = 11
)

// A screen writes comparisons for people.
type screen struct {
	buf   []byte
	width int
	style print.Style
}

// Append appends a screen for each comparison, the worst first; for several captures it begins with a line each.
func Append(b []byte, list []*diff.Comparison, to term.Terminal) []byte {
	s := &screen{buf: b, width: cmp.Or(to.Width, usualWidth), style: to.Style}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *diff.Comparison) int { return cmp.Compare(rank(b.Verdict), rank(a.Verdict)) })
	if len(list) > 1 {
		for _, c := range list {
			s.headline(term.Escaped(c.Capture), c.Verdict)
		}
		s.line("")
	}
	for i, c := range list {
		if i > 0 && rank(c.Verdict) == 0 {
			break // it has its line
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

// comparison writes a screen: what is compared, the verdict, what differs, where conversations part.
func (s *screen) comparison(c *diff.Comparison) {
	good := term.Escaped(c.Good[0])
	if len(c.Good) > 1 {
		good = report.Plural(int64(len(c.Good)), "good capture")
	}
	s.headline(good+" -> "+term.Escaped(c.Capture), c.Verdict)
	for _, why := range c.Partial {
		s.line(s.coloured(s.style.Warning, "? "+why))
	}
	s.differences(c.Differences)
	if c.Parting != nil {
		for _, line := range parting(c.Parting) {
			s.line(line)
		}
	}
	s.line("good: " + extent(c.From))
	s.line("now:  " + extent([]*diff.Capture{c.To}))
	for i := range c.Differences {
		if d := &c.Differences[i]; d.Worse && d.Rule != "" {
			s.line("Next: gamedissect explain " + d.Rule)
			break
		}
	}
}

// headline has the verdict at the right.
func (s *screen) headline(text string, v diff.Verdict) {
	colour := map[diff.Verdict]string{diff.Worse: s.style.Error, diff.Incomparable: s.style.Warning}[v]
	room := s.width - 2 - len(v)
	if runewidth.StringWidth(text) > room {
		s.line(text)
		text = ""
	}
	s.line(text + strings.Repeat(" ", max(room+2-runewidth.StringWidth(text), 0)) +
		s.coloured(colour, strings.ToUpper(string(v))))
}

// extent tells how large captures are.
func extent(list []*diff.Capture) string {
	span := func(of func(*diff.Capture) float64, text func(float64) string) string {
		least, most := of(list[0]), of(list[0])
		for _, c := range list[1:] {
			least, most = min(least, of(c)), max(most, of(c))
		}
		if a, b := text(least), text(most); a != b {
			return a + " to " + b
		}
		return text(least)
	}
	count := func(n float64) string { return report.FormatCount(int64(n)) }
	text := span(func(c *diff.Capture) float64 { return float64(c.Summary.Messages) }, count) + " messages in " +
		span((*diff.Capture).Seconds, formatSeconds)
	if n := span(func(c *diff.Capture) float64 { return float64(c.Conversations()) }, count); n != "0" {
		text += ", conversations: " + n
	}
	return text
}

// differences writes a line each, the weightiest with its example below.
func (s *screen) differences(list []diff.Difference) {
	if len(list) == 0 {
		return
	}
	widest := 0
	for i := range list {
		widest = max(widest, runewidth.StringWidth(term.Escaped(list[i].What)))
	}
	widest = min(widest, max(s.width-2-2*(numberSize+2), 12), 42)
	s.line(fmt.Sprintf("  %-*s  %*s  %*s", widest, "", numberSize, "good", numberSize, "now"))
	met, left, written := make(map[diff.Kind]int), 0, 0
	for i := range list {
		d := &list[i]
		met[d.Kind]++
		if written >= maxLines || !d.Worse && met[d.Kind] > maxAlike {
			left++
			continue
		}
		written++
		s.difference(d, widest, i == 0)
	}
	if left > 0 {
		s.line(fmt.Sprintf("  and %s (-T json has all)", report.Plural(int64(left), "more difference")))
	}
}

func (s *screen) difference(d *diff.Difference, widest int, first bool) {
	mark, colour := "  ", ""
	if d.Worse {
		mark, colour = "! ", s.style.Error
	}
	good, now := numbers(d)
	what := string(term.CutLine(nil, []byte(term.Escaped(d.What)), widest))
	what += strings.Repeat(" ", max(widest-runewidth.StringWidth(what), 0))
	note := term.Escaped(d.Note)
	line := fmt.Sprintf("%s  %*s  %*s", s.coloured(colour, mark+what), numberSize, good, numberSize, now)
	used := 2 + widest + 2*(numberSize+2)
	if note != "" && (s.width-used-2 < runewidth.StringWidth(note)) && first {
		s.line(line)
		s.line("    " + note)
		return
	}
	s.line(between("  ", line, note))
}

// numbers are what the good captures have, and what there is now.
func numbers(d *diff.Difference) (good, now string) {
	text := func(n float64) string {
		switch d.Unit {
		case "s":
			return formatSeconds(n)
		case "share":
			return fmt.Sprintf("%.3g%%", n*100)
		}
		return report.FormatCount(int64(n))
	}
	if d.Kind == diff.Values {
		return "", ""
	}
	good = text(d.Good[0])
	if most := text(d.Good[1]); most != good {
		good += "-" + most
	}
	return good, text(d.Now)
}

func formatSeconds(n float64) string { return report.FormatDuration(int64(n * 1e9)) }

// parting tells where conversations go another way.
func parting(p *diff.Parting) []string {
	way := func(steps []string) string {
		return cmp.Or(strings.Join(steps, " "), "(nothing more)")
	}
	behind := ""
	if len(p.Shared) > 0 {
		behind = ", behind " + way(p.Shared)
	}
	return []string{
		fmt.Sprintf("%s of %s beginning with %s: another way than any of %s good", report.FormatCount(int64(p.New)),
			report.Plural(int64(p.Of), "conversation"), p.Begins, report.FormatCount(int64(p.Before))),
		fmt.Sprintf("  from step %d%s", p.Step, behind),
		"    good  " + way(p.Good),
		"    now   " + way(p.Now),
	}
}

func (s *screen) coloured(colour, text string) string {
	if colour == "" {
		return text
	}
	return colour + text + s.style.Reset
}

// line writes a line that is cut to the width.
func (s *screen) line(text string) {
	s.buf = term.CutLine(s.buf, append([]byte(strings.TrimRight(text, " ")), '\n'), s.width)
}

// between puts the parts that there are together.
func between(with string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), with)
}
