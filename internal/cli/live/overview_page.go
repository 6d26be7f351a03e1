package live

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/print"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// A part is a table of the page, of which the first lines are shown.
type part struct {
	rows  [][]string // below their heading
	right []bool     // columns of numbers
	style []string   // of a line
}

// page gives the lines of a screen: the texts of the head, and below them as much of the tables as there is room for.
func (o *overview) page(said []string, style *print.Style, now time.Time, width, height int) [][]byte {
	lines := fillLines(said, width)
	parts := []*part{o.serverPart(height), o.lagPart(height), o.rulePart(height, now, style)}
	parts = slices.DeleteFunc(parts, func(p *part) bool { return len(p.rows) < 2 })
	room := height - len(lines)
	gap := 0
	if room >= 5*len(parts) {
		gap = 1
	}
	for i, n := range share(parts, room-gap*len(parts)) {
		if gap > 0 {
			lines = append(lines, nil)
		}
		lines = parts[i].appendTo(lines, n, width, style)
	}
	return lines[:min(len(lines), height)]
}

// fillLines puts as many texts in each line as fit.
func fillLines(texts []string, width int) (lines [][]byte) {
	const gap = "  "
	for _, text := range texts {
		if last := len(lines) - 1; last >= 0 && runewidth.StringWidth(string(lines[last])+gap+text) <= width {
			lines[last] = append(append(lines[last], gap...), text...)
		} else {
			lines = append(lines, []byte(text))
		}
	}
	return lines
}

// share divides lines among parts: each gets as many as the others, or as it has.
func share(parts []*part, room int) []int {
	lines := make([]int, len(parts))
	for more := true; more; {
		more = false
		for i, p := range parts {
			if room > 0 && lines[i] < len(p.rows) {
				lines[i]++
				room--
				more = true
			}
		}
	}
	return lines
}

// appendTo appends the first lines of a part.
func (p *part) appendTo(lines [][]byte, n, width int, style *print.Style) [][]byte {
	widths := p.widths(n, width)
	rows := make([][]string, n)
	for at := range rows {
		for i, w := range widths {
			rows[at] = append(rows[at], table.Fit(p.rows[at][i], w, false))
		}
	}
	at := 0
	for line := range bytes.Lines(table.Draw(rows, p.right[:len(widths)])) {
		colour := style.Name
		if at > 0 {
			colour = p.style[at]
		}
		line = term.TrimRight(append([]byte(colour), bytes.TrimSuffix(line, []byte("\n"))...))
		if colour != "" {
			line = append(line, style.Reset...)
		}
		lines = append(lines, line)
		at++
	}
	return lines
}

// widths are those of the columns that fit. A column takes at most half of a line, but for the last one, of which there
// is no more than fits.
func (p *part) widths(n, width int) (list []int) {
	const least = 8
	used := 0
	for i := range p.right {
		w, most := 0, max(width/2, 1)
		if i == len(p.right)-1 {
			most = width - used
		}
		for _, row := range p.rows[:n] {
			w = min(max(w, runewidth.StringWidth(row[i])), most)
		}
		if i > 0 && (used+min(w, least) > width || p.right[i] && used+w > width) {
			break
		}
		w = min(w, width-used)
		list = append(list, w)
		used += w + len(table.ColumnGap)
	}
	return list
}

// add adds a line.
func (p *part) add(style string, cells ...string) {
	p.rows, p.style = append(p.rows, cells), append(p.style, style)
}

// An entry is one of a map.
type entry[K comparable, V any] struct {
	key   K
	value V
}

// firstOf gives the first entries of a map in an order. It does not sort the others.
func firstOf[K comparable, V any](m map[K]V, most int, order func(x, y entry[K, V]) int) []entry[K, V] {
	var list []entry[K, V]
	for k, v := range m {
		e := entry[K, V]{k, v}
		if len(list) == most && (most == 0 || order(list[most-1], e) < 0) {
			continue
		}
		at, _ := slices.BinarySearchFunc(list, e, order)
		list = slices.Insert(list, at, e)
		list = list[:min(len(list), most)]
	}
	return list
}

// serverPart has the servers, those with most messages first.
func (o *overview) serverPart(most int) *part {
	p := &part{right: []bool{false, true, false, false, false}}
	p.add("", report.Plural(int64(len(o.servers)), "server"), "messages/s", "players", "protocol", "")
	for _, e := range firstOf(o.servers, most, func(x, y entry[netip.AddrPort, *serverNow]) int {
		return cmp.Or(cmp.Compare(math.RoundToEven(y.value.rate), math.RoundToEven(x.value.rate)), x.key.Compare(y.key))
	}) {
		s := e.value
		about := slices.DeleteFunc(slices.Clone(s.about), func(text string) bool { return text == "" })
		p.add("", e.key.String(), fmt.Sprintf("%.0f", s.rate), term.Escaped(s.players), s.protocol,
			term.Escaped(strings.Join(about, "  ")))
	}
	return p
}

// playing is how many players the servers have together, as they say.
func (o *overview) playing() (n int64) {
	for _, s := range o.servers {
		digits := strings.IndexFunc(s.players+" ", func(r rune) bool { return r < '0' || r > '9' })
		if players, err := strconv.ParseInt(s.players[:digits], 10, 32); err == nil {
			n += players
		}
	}
	return n
}

// lagPart has players and servers that lag, the worst first.
func (o *overview) lagPart(most int) *part {
	p := &part{right: []bool{true, true, false, false}}
	p.add("", "lag", "worst", "of whom", "server")
	for _, e := range firstOf(o.lags, most, func(x, y entry[stats.RowKey, *lagNow]) int {
		return cmp.Or(cmp.Compare(y.value.newest, x.value.newest), x.key.Server.Compare(y.key.Server),
			cmp.Compare(x.key.Who, y.key.Who))
	}) {
		l, who := e.value, e.key
		p.add("", report.FormatDuration(l.newest), report.FormatDuration(l.worst), cmp.Or(term.Escaped(who.Who),
			"the server"), who.Server.String())
	}
	return p
}

// rulePart has the rules that were broken, the newest first.
func (o *overview) rulePart(most int, now time.Time, style *print.Style) *part {
	p := &part{right: []bool{false, false, true, true, false}}
	p.add("", "severity", "newest findings", "count", "ago", "")
	for _, e := range firstOf(o.rules, most, func(x, y entry[*wire.Rule, *ruleNow]) int {
		return cmp.Or(cmp.Compare(y.value.seen, x.value.seen), cmp.Compare(x.key.ID, y.key.ID))
	}) {
		r, f := e.key, e.value
		ago := max(now.Sub(time.Unix(0, f.seen)), 0).Round(time.Second)
		p.add(style.ForSeverity(r.Severity), r.Severity.String(), r.ID, report.FormatCount(f.count), ago.String(),
			string(term.AppendPlain(nil, f.text)))
	}
	return p
}
