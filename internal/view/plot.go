package view

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// SeriesName identifies a measurement of a player or a server.
type SeriesName struct {
	Protocol string `json:"protocol,omitempty"`
	Table    string `json:"table,omitempty"`
	Server   string `json:"server,omitempty"`
	Who      string `json:"who,omitempty"`
	Whom     string `json:"whom,omitempty"`
	What     string `json:"what,omitempty"`
}

type measuredRequest struct {
	Count int `json:"count"`
}

// Measured summarises the measurements of a player or a server.
type Measured struct {
	SeriesName
	Unit  string  `json:"unit,omitempty"`
	Count int64   `json:"count"`
	Min   float64 `json:"min"`
	Mean  float64 `json:"mean"`
	Max   float64 `json:"max"`
}

type measuredAnswer struct {
	Series  []Measured `json:"series"`
	LeftOut int        `json:"left_out"`
}

const (
	usualSeries = 2000
	maxSeries   = 20_000
)

// plots returns values over time: rates, trackers' measurements, and message fields.
type plots struct {
	filters *filters
	values  *values
	jobs    recent[*plotJob]
}

func (p *plots) measured(q *measuredRequest) (*measuredAnswer, error) {
	_, end := cut(len(p.values.order), 0, q.Count, usualSeries, maxSeries)
	a := &measuredAnswer{Series: []Measured{}, LeftOut: len(p.values.order) - end + int(p.values.dropped)}
	for _, s := range p.values.order[:end] {
		a.Series = append(a.Series, Measured{
			SeriesName: s.name(), Unit: s.unit, Count: s.count, Min: finite(s.min), Mean: finite(s.sum / float64(s.count)),
			Max: finite(s.max),
		})
	}
	return a, nil
}

func (s *series) name() SeriesName {
	return SeriesName{
		Protocol: nameOf(s.protocol), Table: s.table, Server: endpoint(s.server),
		Who: format.Unquoted(s.who), Whom: format.Unquoted(s.whom), What: format.Unquoted(s.what),
	}
}

// matches reports whether n is a series that m selects. An empty field of m, except What, matches any value.
func (m *SeriesName) matches(n SeriesName) bool {
	is := func(want, have string) bool { return want == "" || want == have }
	return m.What == n.What && is(m.Protocol, n.Protocol) && is(m.Table, n.Table) && is(m.Server, n.Server) &&
		is(m.Who, n.Who) && is(m.Whom, n.Whom)
}

type plotRequest struct {
	Field    string      `json:"field"`
	By       string      `json:"by"`
	Filter   string      `json:"filter"`
	Measured *SeriesName `json:"measured"`
	Points   int         `json:"points"`
	MS       *int        `json:"ms"`
}

// Line is a line of a plot.
type Line struct {
	Name   string    `json:"name"`
	Count  int       `json:"count"`
	Min    float64   `json:"min"`
	Mean   float64   `json:"mean"`
	Max    float64   `json:"max"`
	Times  []float64 `json:"times"`
	Values []float64 `json:"values"`
	Rows   []int     `json:"rows"`
}

type plotAnswer struct {
	Done     bool    `json:"done"`
	Examined int     `json:"examined"`
	Of       int     `json:"of"`
	Unit     string  `json:"unit,omitempty"`
	Lines    []*Line `json:"lines"`
	LeftOut  int     `json:"left_out"`
}

const (
	usualPoints = 1000
	maxPoints   = 10_000  // points per line of an answer
	maxKept     = 500_000 // points per job
	maxLines    = 64
)

type plotJob struct {
	scan
	fields  []*filter.Field // more than one if the field is a vector
	by      *filter.Field
	names   []string
	lines   map[string][]point
	kept    int
	dropped int
	scratch []filter.Value
}

func (p *plots) plot(q *plotRequest) (*plotAnswer, error) {
	if q.Measured != nil {
		return p.plotMeasured(q)
	}
	j, err := p.jobFor(q)
	if err != nil {
		return nil, err
	}
	if err := j.advance(newLimit(q.MS), j.take); err != nil {
		return nil, err
	}
	a := &plotAnswer{
		Done: j.next == j.rows.len(), Examined: j.next, Of: j.rows.len(), Lines: []*Line{}, LeftOut: j.dropped,
	}
	for _, name := range j.names {
		a.Lines = append(a.Lines, lineOf(j.rows, name, j.lines[name], q.Points))
	}
	return a, nil
}

func (p *plots) jobFor(q *plotRequest) (*plotJob, error) {
	key, err := json.Marshal([]string{q.Field, q.By, q.Filter})
	if err != nil {
		return nil, err
	}
	return p.jobs.job(string(key), maxJobs, func() (*plotJob, error) {
		j := &plotJob{lines: map[string][]point{}}
		if j.scan, err = p.filters.newScan(q.Filter); err != nil {
			return nil, err
		}
		if j.fields, err = numericFields(p.filters.schema, q.Field); err != nil {
			return nil, err
		}
		if q.By != "" {
			j.by, err = p.filters.schema.Resolve(q.By, nil)
		}
		return j, err
	})
}

// numericFields returns the field with the given name or, if the field is a vector, its components.
func numericFields(schema *filter.Schema, name string) ([]*filter.Field, error) {
	if len(name) > maxFilter {
		return nil, errors.New("the name is too long")
	}
	f, err := schema.Resolve(name, nil)
	if err != nil {
		return nil, err
	}
	if slices.Contains(f.Kinds, wire.Vector) {
		var list []*filter.Field
		for _, axis := range []string{".x", ".y", ".z"} {
			if c := schema.Field(name + axis); c != nil {
				list = append(list, c)
			}
		}
		return list, nil
	}
	if !f.Numeric() {
		return nil, errors.New(name + " is " + f.Type() + ", which cannot be plotted")
	}
	return []*filter.Field{f}, nil
}

func (j *plotJob) take(x *filter.Subject, row int) {
	for i, f := range j.fields {
		j.scratch = f.Values(x, j.scratch[:0])
		if len(j.scratch) == 0 {
			continue
		}
		values := j.scratch
		name := ""
		if j.by != nil {
			if whose := j.by.Values(x, nil); len(whose) > 0 {
				name = lineName(&whose[0])
			}
		}
		if len(j.fields) > 1 {
			name = strings.TrimSpace(name + " " + "xyz"[i:i+1])
		}
		for k := range values {
			j.add(name, x.Place.Time, &values[k], row)
		}
	}
}

// lineName returns the name of the line for points that share a value. For a player, the name consists of number and
// call sign.
func lineName(v *filter.Value) string {
	name := string(v.Append(nil))
	if v.Kind == wire.Enum && len(v.Bytes) > 0 {
		name += " " + format.Unquoted(string(v.Bytes))
	}
	return name[:min(len(name), maxValue)]
}

func (j *plotJob) add(name string, time int64, value *filter.Value, row int) {
	number, ok := value.Number()
	if !ok || math.IsNaN(number) || math.IsInf(number, 0) {
		return
	}
	points, known := j.lines[name]
	if j.kept >= maxKept || !known && len(j.names) >= maxLines {
		j.dropped++
		return
	}
	if !known {
		j.names = append(j.names, name)
	}
	j.kept++
	j.lines[name] = append(points, point{time, number, int32(row)})
}

// plotMeasured returns lines of measurements. If there are too many, it returns the lines with the greatest numbers.
func (p *plots) plotMeasured(q *plotRequest) (*plotAnswer, error) {
	m, x := q.Measured, p.filters.rows
	a := &plotAnswer{Done: true, Examined: x.len(), Of: x.len(), Lines: []*Line{}}
	list := slices.DeleteFunc(slices.Clone(p.values.order), func(s *series) bool { return !m.matches(s.name()) })
	if a.LeftOut = max(len(list)-maxLines, 0); a.LeftOut > 0 {
		slices.SortStableFunc(list, func(s, o *series) int { return cmp.Compare(o.max, s.max) })
	}
	for _, s := range list[:len(list)-a.LeftOut] {
		a.Unit = s.unit
		a.Lines = append(a.Lines, lineOf(x, format.Unquoted(s.who), s.points, q.Points))
		a.LeftOut += int(s.count) - len(s.points)
	}
	return a, nil
}

// lineOf makes a line from points. If there are more than limit points, it keeps the minimum and the maximum of each
// interval.
func lineOf(x *rows, name string, points []point, limit int) *Line {
	_, limit = cut(maxPoints, 0, limit, usualPoints, maxPoints)
	l := &Line{Name: name, Count: len(points), Times: []float64{}, Values: []float64{}, Rows: []int{}}
	for i, p := range points {
		if i == 0 {
			l.Min, l.Max = p.number, p.number
		}
		l.Min, l.Max = min(l.Min, p.number), max(l.Max, p.number)
		l.Mean += p.number / float64(len(points))
	}
	l.Min, l.Mean, l.Max = finite(l.Min), finite(l.Mean), finite(l.Max)
	each := 1
	if len(points) > limit {
		each = (2*len(points) + limit - 1) / max(limit, 2)
	}
	for len(points) > 0 {
		some := points[:min(each, len(points))]
		points = points[len(some):]
		lowest, highest := 0, 0
		for i := range some {
			if some[i].number < some[lowest].number {
				lowest = i
			}
			if some[i].number > some[highest].number {
				highest = i
			}
		}
		l.add(x, &some[min(lowest, highest)])
		if lowest != highest {
			l.add(x, &some[max(lowest, highest)])
		}
	}
	return l
}

func (l *Line) add(x *rows, p *point) {
	if math.IsNaN(p.number) || math.IsInf(p.number, 0) {
		return
	}
	l.Times, l.Values = append(l.Times, x.seconds(p.time)), append(l.Values, p.number)
	l.Rows = append(l.Rows, min(int(p.row), x.len()-1))
}
