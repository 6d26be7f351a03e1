package tally

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/layers"
)

// An ioMeasure is what -z io tells of the numbers of an interval: avg(bzflag24.lag). They are those of a field, or of
// what a tracker measures.
type ioMeasure struct {
	name    string // as it was asked for
	of      string // one of measureFunctions
	field   *filter.Field
	tracked *wire.Protocol // whose tracker measures it; nil: it is a field
	what    string         // that the tracker measures
}

var measureFunctions = []string{"count", "sum", "min", "max", "avg"}

// parseMeasure reads one.
func parseMeasure(text string, s *filter.Schema) (*ioMeasure, error) {
	of, rest, _ := strings.Cut(text, "(")
	name, closed := strings.CutSuffix(rest, ")")
	m := &ioMeasure{name: text, of: strings.ToLower(of)}
	switch {
	case !slices.Contains(measureFunctions, m.of):
		return nil, fmt.Errorf("%q: after the seconds come %s(FIELD)", text, strings.Join(measureFunctions, "(FIELD), "))
	case !closed || name == "":
		return nil, fmt.Errorf("%q: between brackets stands a field, as in %s(response_time)", text, m.of)
	}
	var err error
	if m.field, err = s.Resolve(name, nil); err != nil {
		if m.track(name) {
			return m, nil
		}
		return nil, err
	}
	if m.of != "count" && !m.field.Numeric() {
		return nil, fmt.Errorf("%s is %s: of these there is only count", name, m.field.Type())
	}
	return m, nil
}

// heading is what stands above the numbers, with a blank where a narrow table breaks it.
func (m *ioMeasure) heading() string { return strings.Replace(m.name, "(", " (", 1) }

// track finds what a tracker measures: bzflag24.lag.
func (m *ioMeasure) track(name string) bool {
	protocol, what, _ := strings.Cut(name, ".")
	p := layers.ByName(protocol)
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

// cell is what is told.
func (m *ioMeasure) cell(t *tally) table.Cell {
	n := t.sum
	switch m.of {
	case "count":
		return table.NumberCell(t.count)
	case "min":
		n = t.min
	case "max":
		n = t.max
	case "avg":
		n = t.sum / float64(t.count)
	}
	if t.count == 0 {
		return table.None
	}
	if math.IsInf(n, 0) || math.IsNaN(n) {
		return table.WordCell(fmt.Sprint(n))
	}
	if t.seconds && n >= 0 && n < 1e9 {
		return table.Cell{Text: term.Duration(int64(math.Round(n * 1e9))), Value: n}
	}
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return table.NumberCell(int64(n))
	}
	return table.Cell{Text: fmt.Sprintf("%.6g", n), Value: n}
}

// IoOptions are what -z io,SECONDS,MEASURE... asks for.
type IoOptions struct {
	name     string // all of it
	Interval int64  // nanoseconds
	Measures []string
}

// errNoInterval is the error of io without a number that makes sense.
var errNoInterval = errors.New("how many seconds an interval is long has to follow, as in io,10 or io,0.5")

// ParseIO reads what stands behind -z; ok is false if it is something else.
func ParseIO(text string) (o *IoOptions, ok bool, err error) {
	parts := strings.Split(text, ",")
	if parts[0] != "io" {
		return nil, false, nil
	}
	o = &IoOptions{name: text}
	if len(parts) < 2 {
		return nil, true, errNoInterval
	}
	seconds, err := strconv.ParseFloat(parts[1], 64)
	if err != nil || !(seconds >= 1e-6 && seconds <= 1e9) {
		return nil, true, errNoInterval
	}
	o.Interval, o.Measures = int64(math.Round(seconds*1e9)), parts[2:]
	return o, true, nil
}
