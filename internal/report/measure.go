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

// A measure is a column of -z io. It is a function of the numbers in an interval, such as avg(bzflag24.lag). The
// numbers are the values of a field, or values that a tracker measures.
type measure struct {
	name     string // as the user wrote it
	function string // one of MeasureFunctions
	field    *filter.Field

	// These fields replace field if a tracker measures the numbers.
	tracked *wire.Protocol
	table   string // "": any
	what    string
	level   level
}

// MeasureFunctions are the functions for measures.
var MeasureFunctions = []string{"count", "sum", "min", "max", "avg"}

func parseMeasure(text string, s *filter.Schema, protocols []*wire.Protocol) (*measure, error) {
	function, rest, _ := strings.Cut(text, "(")
	name, closed := strings.CutSuffix(rest, ")")
	m := &measure{name: text, function: strings.ToLower(function)}
	switch {
	case !slices.Contains(MeasureFunctions, m.function):
		return nil, fmt.Errorf("%q is not a measure: use %s(FIELD)", text, strings.Join(MeasureFunctions, "(FIELD), "))
	case !closed || name == "":
		return nil, fmt.Errorf("%q: write a field in brackets, as in %s(response_time)", text, m.function)
	}
	var err error
	if m.field, err = s.Resolve(name, nil); err != nil {
		if m.track(name, protocols) {
			return m, nil
		}
		return nil, err
	}
	if m.function != "count" && !m.field.Numeric() && !m.track(name, protocols) {
		return nil, fmt.Errorf("%s is %s: only count is possible", name, m.field.Type())
	}
	return m, nil
}

// track finds the column of a tracker by its name. It reports whether there is such a column. A name is PROTOCOL.WHAT
// or PROTOCOL.TABLE.WHAT, such as bzflag24.lag or bzflag24.servers.players.
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

type tally struct {
	count         int64 // number of values, including those that are not numbers
	numbers       int64
	seconds       bool // the numbers are durations
	sum, min, max float64

	// byTime is set if the numbers are levels. Their sum is weighted by time.
	byTime bool
	weight float64 // nanoseconds
}

const maxLevels = 10_000

// A level is the sum of the current numbers of all subjects, such as the players on all servers.
type level struct {
	of      map[stats.RowKey]int64
	total   int64
	counted int64 // time up to which tallies include the level
}

// set sets the current number of a subject. A text that is not a number removes the subject's number.
func (l *level) set(v *wire.Value) {
	n, _, ok := stats.Count(v.Text)
	l.counted = max(l.counted, v.Time)
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

// addTo adds the level between two times to a tally. It leaves out the time that tallies already include.
func (l *level) addTo(t *tally, from, now int64) {
	if l.of == nil {
		return
	}
	n, from := float64(l.total), max(from, l.counted)
	if !t.byTime {
		t.min, t.max, t.byTime = n, n, true
	}
	t.min, t.max = min(t.min, n), max(t.max, n)
	if now > from {
		t.sum += n * float64(now-from)
		t.weight += float64(now - from)
		l.counted = now
	}
}

func (t *tally) add(n float64) {
	if math.IsNaN(n) {
		return
	}
	if t.numbers == 0 {
		t.min, t.max = n, n
	}
	t.min, t.max = min(t.min, n), max(t.max, n)
	t.sum += n
	t.numbers++
	t.count++
}

// addValue adds a value of a field. If the value is not a number, it is only counted.
func (t *tally) addValue(v *filter.Value) {
	t.seconds = v.Kind == filter.Duration
	if n, ok := v.Number(); ok {
		t.add(n)
	} else {
		t.count++
	}
}

// number returns the value of the measure. ok is false if there is none.
func (m *measure) number(t *tally) (n float64, ok bool) {
	n, weight := t.sum, float64(t.numbers)
	if t.byTime {
		if weight = t.weight; weight == 0 { // the level began at the end of the interval
			n, weight = t.max, 1
		}
	}
	switch m.function {
	case "count":
		return float64(t.count), true
	case "min":
		n = t.min
	case "max":
		n = t.max
	case "avg":
		n /= weight
	}
	if t.byTime && m.function == "sum" { // the sum of a level would be in players times seconds
		return 0, false
	}
	return n, t.numbers > 0 || t.byTime
}

func (m *measure) cell(t *tally) Cell {
	n, ok := m.number(t)
	switch {
	case m.function == "count":
		return t.count
	case !ok:
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
