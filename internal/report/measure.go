package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A measure is what -z io tells of the numbers of an interval: avg(bzflag24.lag). They are those of a field, or of
// what a tracker measures.
type measure struct {
	name    string // as it was asked for
	of      string // one of MeasureFunctions
	field   *filter.Field
	tracked *wire.Protocol // whose tracker measures it; nil: it is a field
	what    string         // that the tracker measures
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
	if m.of != "count" && !m.field.Numeric() {
		return nil, fmt.Errorf("%s is %s: of these there is only count", name, m.field.Type())
	}
	return m, nil
}

// track finds what a tracker measures: bzflag24.lag.
func (m *measure) track(name string, protocols []*wire.Protocol) bool {
	protocol, what, _ := strings.Cut(name, ".")
	p := find(protocols, protocol)
	if p == nil {
		return false
	}
	for _, t := range p.Tables {
		for _, column := range t.Columns {
			if strings.ReplaceAll(column, " ", "_") == what {
				m.tracked, m.what = p, column
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
	n := t.sum
	switch m.of {
	case "count":
		return t.count
	case "min":
		n = t.min
	case "max":
		n = t.max
	case "avg":
		n = t.sum / float64(t.count)
	}
	switch {
	case t.count == 0:
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
