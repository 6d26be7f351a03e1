package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// A measure is what -z io tells of the numbers of an interval: avg(bzflag24.lag). They are those of a field, or of
// what a tracker measures.
type measure struct {
	name    string // as it was asked for
	of      string // one of MeasureFunctions
	field   *filter.Field
	tracked *wire.Protocol // whose tracker measures it; nil: it is a field
	table   string         // of what it measures; "": any
	what    string         // that the tracker measures
	level   level
}

// MeasureFunctions are what -z io makes of the numbers of an interval.
var MeasureFunctions = []string{"count", "sum", "min", "max", "avg"}

func parseMeasure(text string, s *filter.Schema, protocols []*wire.Protocol) (*measure, error) {
	of, rest, _ := strings.Cut(text, "(")
	name, closed := strings.CutSuffix(rest, ")")
	m := &measure{name: text, of: strings.ToLower(of)}
	switch {
	case !slices.Contains(MeasureFunctions, m.of):
		return nil, fmt.Errorf("%q: after the seconds come %s(FIELD)", text, strings.Join(MeasureFunctions, "(FIELD), "))
	case !closed || name == "":
		return nil, fmt.Errorf("%q: between brackets stands a field, as in %s(response_time)", text, m.of)
	}
	var err error
	if m.field, err = s.Resolve(name, nil); err != nil {
		if m.track(name, protocols) {
			return m, nil
		}
		return nil, err
	}
	if m.of != "count" && !m.field.Numeric() && !m.track(name, protocols) {
		return nil, fmt.Errorf("%s is %s: of these there is only count", name, m.field.Type())
	}
	return m, nil
}

// track finds what a tracker measures: bzflag24.lag, bzflag24.servers.players.
func (m *measure) track(name string, protocols []*wire.Protocol) bool {
	protocol, what, _ := strings.Cut(name, ".")
	p := find(protocols, protocol)
	if p == nil {
		return false
	}
	for _, t := range p.Tables {
		what, table := what, ""
		if rest, ok := strings.CutPrefix(what, t.Name+"."); ok {
			what, table = rest, t.Name
		}
		for _, column := range t.Columns {
			if strings.ReplaceAll(column, " ", "_") == what {
				m.tracked, m.table, m.what = p, table, column
				return true
			}
		}
	}
	return false
}

// A tally is what was counted for a measure.
type tally struct {
	count         int64
	seconds       bool // the numbers are spans of time
	sum, min, max float64
	held          bool    // a level was counted,
	weight        float64 // for so many nanoseconds; count is how often it was told
}

// maxLevels is how many subjects a level sums up.
const maxLevels = 10_000

// A level is a number that holds until another is told, of all subjects together: the players of all servers.
type level struct {
	of    map[stats.RowKey]int64
	total int64
	since int64 // up to then it is counted
}

// tell takes what is told of a subject. Nothing, or a text without a number, ends what it told before.
func (l *level) tell(v *wire.Value) {
	n, _, ok := stats.Count(v.Text)
	l.since = max(l.since, v.Time)
	key := stats.RowKey{Server: v.Server, Who: v.Who}
	switch was, known := l.of[key]; {
	case !ok:
		l.total -= was
		delete(l.of, key)
	case known || len(l.of) < maxLevels:
		if l.of == nil {
			l.of = make(map[stats.RowKey]int64)
		}
		l.total += n - was
		l.of[key] = n
	}
}

// hold counts the level, if one was told, from a time on, or from where it is counted already, until now.
func (l *level) hold(t *tally, from, now int64) {
	if l.of == nil {
		return
	}
	n, from := float64(l.total), max(from, l.since)
	if !t.held {
		t.min, t.max, t.held = n, n, true
	}
	t.min, t.max = min(t.min, n), max(t.max, n)
	if now > from {
		t.sum += n * float64(now-from)
		t.weight += float64(now - from)
		l.since = now
	}
}

func (t *tally) add(n float64) {
	if math.IsNaN(n) {
		return
	}
	if t.count == 0 {
		t.min, t.max = n, n
	}
	t.min, t.max = min(t.min, n), max(t.max, n)
	t.sum += n
	t.count++
}

// addValue adds a value of a field. What is no number only counts.
func (t *tally) addValue(v *filter.Value) {
	t.seconds = v.Kind == filter.Duration
	if n, ok := v.Number(); ok {
		t.add(n)
	} else {
		t.count++
	}
}

func (m *measure) cell(t *tally) Cell {
	n, weight := t.sum, float64(t.count)
	if t.held {
		if weight = t.weight; weight == 0 { // it was told at the end
			n, weight = t.max, 1
		}
	}
	switch m.of {
	case "count":
		return t.count
	case "min":
		n = t.min
	case "max":
		n = t.max
	case "avg":
		n /= weight
	}
	switch {
	case t.held && m.of == "sum": // of a time
		return nil
	case t.count == 0 && !t.held:
		return nil
	case math.IsInf(n, 0) || math.IsNaN(n):
		return fmt.Sprint(n)
	case t.seconds && n >= 0 && n < 1e9:
		return Shown{FormatDuration(int64(math.Round(n * 1e9))), n}
	case n == math.Trunc(n) && math.Abs(n) < 1<<53:
		return int64(n)
	}
	return Shown{fmt.Sprintf("%.6g", n), n}
}
