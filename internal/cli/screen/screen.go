package screen

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// The size of the screen. Lines are as wide as the terminal. If the terminal's width is unknown, they have usualWidth.
const (
	usualWidth = 80
	lines      = 24
)

// A screen formats a summary for people.
type screen struct {
	of    *summary.Summary
	width int
	style print.Style
	zone  *time.Location
	live  bool
	brief bool // cut health lines that are too wide
}

// hint returns text in parentheses. The text says where to find the rest of a list. While packets arrive, hint returns
// "", because the rest is not available yet.
func (s *screen) hint(text string) string {
	if s.live {
		return ""
	}
	return " (" + text + ")"
}

// A section has a heading and lines below it.
type section struct {
	heading string
	table   grid // becomes lines when it is known how many fit
	lines   []string
	rest    func(n int) string // makes the line that stands for n missing lines
	omitted int                // number of lines left out on purpose
	whole   bool               // do not cut lines, since users copy them
}

// need returns how many lines the complete section takes.
func (s *section) need() int {
	if s.heading == "" {
		return 0
	}
	return 1 + len(s.lines) + len(s.table.rows) + min(s.omitted, 1)
}

// fit makes the lines of the section. With the heading, they take at most room lines.
func (s *section) fit(room, width int) {
	all := len(s.lines) + len(s.table.rows)
	keep := all
	if s.need() > room {
		keep = min(max(room-2, 0), all) // without the heading and the line for the rest
	}
	if rows := s.table.rows; rows != nil {
		s.table.rows = rows[:keep]
		s.lines, s.table.rows = s.table.aligned(width), nil
	}
	s.lines = s.lines[:keep:keep]
	if n := all - keep + s.omitted; n > 0 {
		s.lines, s.omitted = append(s.lines, s.rest(n)), 0
	}
}

// Append appends the screen with the usual height. The health section gets lines first, then servers, then players, but
// each section gets some.
func Append(b []byte, of *summary.Summary, to term.Terminal, zone *time.Location) []byte {
	s := &screen{of: of, width: cmp.Or(to.Width, usualWidth), style: to.Style, zone: zone}
	head := s.head()
	for _, line := range head {
		b = s.line(b, line)
	}
	return s.appendSections(b, s.next(), lines-len(head))
}

// appendSections appends the sections below the head, in at most room lines.
func (s *screen) appendSections(b []byte, next section, room int) []byte {
	servers, players, matches, health := s.servers(), s.players(), s.matches(), s.health()
	if len(s.of.Files) > fewFiles {
		servers, players = section{heading: servers.heading + s.kinds()}, section{heading: players.heading}
		matches = section{}
	}
	const least = 3 // a heading, a line, and the line for the rest
	matches.fit(least, s.width)
	room -= next.need() + matches.need()
	left := room - min(servers.need(), least) - min(players.need(), least)
	if health.need() > left {
		s.brief = true
		health = s.health()
	}
	health.fit(left, s.width)
	room -= health.need()
	servers.fit(room-min(players.need(), least), s.width)
	players.fit(room-servers.need(), s.width)
	for _, part := range []section{servers, players, matches, health, next} {
		if part.need() == 0 {
			continue
		}
		b = s.line(b, s.style.Name+part.heading+s.reset(s.style.Name))
		for _, line := range part.lines {
			if part.whole {
				b = append(append(b, line...), '\n')
				continue
			}
			b = s.line(b, line)
		}
	}
	return b
}

// line appends a line, cut to the width.
func (s *screen) line(b []byte, line string) []byte {
	return term.CutLine(b, append([]byte(strings.TrimRight(line, " ")), '\n'), s.width)
}

func (s *screen) reset(colour string) string {
	if colour == "" {
		return ""
	}
	return s.style.Reset
}

// maxNext limits the lines for commands. If there are many files, maxBeside is the limit.
const (
	maxNext   = 7
	maxBeside = 4
)

// next makes the section with commands to type next. A command that is too wide continues on the next line, in the
// syntax of shells.
func (s *screen) next() section {
	part, most := section{heading: "NEXT", whole: true}, maxNext
	if len(s.of.Files) > fewFiles {
		most = maxBeside
	}
	for _, typed := range s.of.Next {
		if list := s.wrapped(typed); len(part.lines)+len(list) <= most || len(part.lines) == 0 {
			part.lines = append(part.lines, list...)
		}
	}
	if len(part.lines) == 0 {
		return section{}
	}
	return part
}

// word matches a word of a shell, including quoted blanks, or -z and its table.
var word = regexp.MustCompile(`(?:-z )?(?:\\.|'[^']*'|[^ '\\])+`)

func (s *screen) wrapped(typed string) (list []string) {
	line := " "
	for i, word := range word.FindAllString(typed, -1) {
		if i > 1 && term.Width(line)+1+term.Width(word)+2 > s.width {
			list = append(list, line+" \\")
			line = "     "
		}
		line += " " + word
	}
	return append(list, line)
}

// A grid is a table of cells in rows.
type grid struct {
	rows    [][]string
	flexes  []int // columns that may be cut, in order; the first of several may be left out
	minimum int   // minimum width of flexes
}

// aligned formats the rows as lines. It omits empty columns. If the lines are too wide, it cuts the columns in flexes.
func (g *grid) aligned(room int) (list []string) {
	const gap = 2
	if len(g.rows) == 0 {
		return nil
	}
	widths := make([]int, len(g.rows[0]))
	for _, row := range g.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], term.Width(cell))
		}
	}
	total := func() (n int) {
		for _, w := range widths {
			if w > 0 {
				n += gap + w
			}
		}
		return n
	}
	if least := total(); len(g.flexes) > 1 {
		for _, i := range g.flexes {
			least -= max(widths[i]-g.minimum, 0)
		}
		if least > room {
			widths[g.flexes[0]] = 0
		}
	}
	for _, i := range g.flexes {
		if over := total() - room; over > 0 && widths[i] > g.minimum {
			widths[i] = max(widths[i]-over, g.minimum)
		}
	}
	for _, row := range g.rows {
		var line []byte
		for i, cell := range row {
			if widths[i] == 0 {
				continue
			}
			line = term.AppendBlanks(line, gap)
			cell = cut(cell, widths[i])
			line = term.AppendBlanks(append(line, cell...), widths[i]-term.Width(cell))
		}
		list = append(list, strings.TrimRight(string(line), " "))
	}
	return list
}

func cut(text string, room int) string { return string(term.CutLine(nil, []byte(text), room)) }
