package view

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

type ratesRequest struct {
	Intervals int      `json:"intervals"`
	From      *float64 `json:"from"`
	To        *float64 `json:"to"`
	By        string   `json:"by"`
	Filter    string   `json:"filter"`
	Round     bool     `json:"round"`
	MS        *int     `json:"ms"`
}

// Rate is the number of rows of one kind in each interval.
type Rate struct {
	Name   string `json:"name"`
	Total  int    `json:"total"`
	Counts []int  `json:"counts"`
}

type ratesAnswer struct {
	Done      bool    `json:"done"`
	From      float64 `json:"from"`
	Interval  float64 `json:"interval"`
	Intervals int     `json:"intervals"`
	Series    []*Rate `json:"series"`
	Bytes     []int64 `json:"bytes"`
}

const (
	usualIntervals = 200
	maxIntervals   = 5000
	maxRates       = 8
)

// rates counts messages and bytes in equal intervals.
func (p *plots) rates(q *ratesRequest) (*ratesAnswer, error) {
	if q.Intervals <= 0 {
		q.Intervals = usualIntervals
	}
	q.Intervals = min(q.Intervals, maxIntervals)
	k, err := kindsBy(&p.filters.rows.index, q.By)
	if err != nil {
		return nil, err
	}
	j, err := p.filters.advanced(q.Filter, newLimit(q.MS))
	if err != nil {
		return nil, err
	}
	a := &ratesAnswer{Done: j.done(), Intervals: q.Intervals, Series: []*Rate{}}
	to := j.rows.seconds(j.rows.last)
	if q.To != nil {
		to = min(*q.To, to)
	}
	if q.From != nil {
		a.From = *q.From
	}
	if a.Interval = (to - a.From) / float64(q.Intervals); !(a.Interval > 1e-9) || math.IsInf(a.Interval, 0) {
		a.Interval = 1e-3
	}
	if q.Round {
		a.round(to)
	}
	a.Bytes = make([]int64, a.Intervals)
	a.count(k, j)
	for _, b := range p.values.bytes {
		if i, ok := a.interval(float64(b.part) / partsOfSecond); ok {
			a.Bytes[i] += int64(b.bytes)
		}
	}
	return a, nil
}

// round lengthens the intervals to a round number of seconds, and moves their beginning to a multiple of that number.
func (a *ratesAnswer) round(to float64) {
	power := math.Pow(10, math.Floor(math.Log10(a.Interval)))
	for _, step := range []float64{1, 2, 5, 10} {
		if step*power >= a.Interval*(1-1e-9) {
			a.Interval = step * power
			break
		}
	}
	a.From = math.Floor(a.From/a.Interval+1e-9) * a.Interval
	a.Intervals = min(max(int(math.Ceil((to-a.From)/a.Interval)), 1), a.Intervals+1)
}

func (a *ratesAnswer) interval(seconds float64) (int, bool) {
	at := (seconds - a.From) / a.Interval
	if at < 0 || at > float64(a.Intervals) {
		return 0, false
	}
	return min(int(at), a.Intervals-1), true
}

// count counts rows: first the total of each series, and then, for the most frequent series, the rows in each interval.
func (a *ratesAnswer) count(k *kinds, j *filterJob) {
	x := j.rows
	rates := make([]*Rate, k.count)
	named := map[string]*Rate{}
	var wanted []uint32
	for n := range x.len() {
		r := x.row(n)
		if _, ok := a.interval(x.seconds(r.time)); !ok || r.flags&isFinding != 0 || !j.has(n) {
			continue
		}
		wanted = append(wanted, uint32(n))
		kind := k.of(r)
		if rates[kind] == nil {
			name := k.label(kind)
			if named[name] == nil {
				named[name] = &Rate{Name: name}
				a.Series = append(a.Series, named[name])
			}
			rates[kind] = named[name]
		}
		rates[kind].Total++
	}
	a.joinOthers()
	for _, n := range wanted {
		r := x.row(int(n))
		i, _ := a.interval(x.seconds(r.time))
		rates[k.of(r)].Counts[i]++
	}
}

// joinOthers sorts the series, and merges all but the most frequent ones.
func (a *ratesAnswer) joinOthers() {
	slices.SortFunc(a.Series, func(a, b *Rate) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Name, b.Name))
	})
	for _, r := range a.Series[:min(len(a.Series), maxRates)] {
		r.Counts = make([]int, a.Intervals)
	}
	if len(a.Series) > maxRates {
		others := &Rate{Name: "others", Counts: make([]int, a.Intervals)}
		for _, r := range a.Series[maxRates:] {
			others.Total += r.Total
			r.Counts = others.Counts
		}
		a.Series = append(a.Series[:maxRates], others)
	}
}

type kinds struct {
	count int
	of    func(*row) int
	label func(int) string // several series may have the same label
}

func kindsBy(x *index, by string) (*kinds, error) {
	ofMessage := func(r *row) int { return int(r.kind) }
	switch by {
	case "", "name":
		return &kinds{len(x.kinds), ofMessage, func(k int) string {
			return x.kinds[k].protocol.Name + " " + x.kinds[k].message.Name
		}}, nil
	case "protocol":
		return &kinds{len(x.kinds), ofMessage, func(k int) string { return x.kinds[k].protocol.Name }}, nil
	case "stream":
		return &kinds{len(x.contexts), func(r *row) int { return int(r.context) }, func(k int) string {
			p := x.place(&row{context: uint32(k)}, "")
			return streamOf(&p)
		}}, nil
	case "severity":
		return &kinds{len(severityNames), severityOf, func(k int) string { return severityNames[k] }}, nil
	}
	return nil, errors.New("by must be name, protocol, stream or severity")
}

var severityNames = [...]string{"none", wire.Note.String(), wire.Warning.String(), wire.Error.String()}

func severityOf(r *row) int {
	if r.flags&hasFindings == 0 {
		return 0
	}
	return 1 + int(r.worst)
}
