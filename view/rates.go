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
	MS        *int     `json:"ms"`
}

// Rate is how many rows of a kind there were in each interval.
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
	mostIntervals  = 5000
	mostRates      = 20
)

func (v *View) rates(q *ratesRequest) (*ratesAnswer, error) {
	if q.Intervals <= 0 {
		q.Intervals = usualIntervals
	}
	q.Intervals = min(q.Intervals, mostIntervals)
	name, err := v.kindNamer(q.By)
	if err != nil {
		return nil, err
	}
	matches, done, err := v.matching(q.Filter, q.MS)
	if err != nil {
		return nil, err
	}
	a := &ratesAnswer{Done: done, Intervals: q.Intervals, Series: []*Rate{}, Bytes: make([]int64, q.Intervals)}
	to := v.seconds(v.last)
	if q.To != nil {
		to = min(*q.To, to)
	}
	if q.From != nil {
		a.From = *q.From
	}
	if a.Interval = (to - a.From) / float64(q.Intervals); !(a.Interval > 1e-9) || math.IsInf(a.Interval, 0) {
		a.Interval = 1e-3
	}
	a.count(v, name, matches)
	for _, b := range v.noted.bytes {
		if i, ok := a.interval(float64(b.part) / partsOfSecond); ok {
			a.Bytes[i] += int64(b.bytes)
		}
	}
	return a, nil
}

// interval gives that of a time.
func (a *ratesAnswer) interval(seconds float64) (int, bool) {
	at := (seconds - a.From) / a.Interval
	if at < 0 || at > float64(a.Intervals) {
		return 0, false
	}
	return min(int(at), a.Intervals-1), true
}

// count counts rows: first all of each kind, then, for the most frequent kinds, those in each interval.
func (a *ratesAnswer) count(v *View, name func(*row) string, matches func(int) bool) {
	x := &v.index
	totals := map[string]int{}
	var wanted []uint32
	for n := range x.len() {
		r := x.row(n)
		if _, ok := a.interval(v.seconds(r.time)); !ok || r.flags&isFinding != 0 || !matches(n) {
			continue
		}
		totals[name(r)]++
		wanted = append(wanted, uint32(n))
	}
	rates := map[string]*Rate{}
	for kind, total := range totals {
		rates[kind] = &Rate{Name: kind, Total: total}
		a.Series = append(a.Series, rates[kind])
	}
	slices.SortFunc(a.Series, func(a, b *Rate) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Name, b.Name))
	})
	if len(a.Series) > mostRates {
		others := &Rate{Name: "others"}
		for _, r := range a.Series[mostRates:] {
			others.Total += r.Total
			rates[r.Name] = others
		}
		a.Series = append(a.Series[:mostRates], others)
	}
	for _, r := range a.Series {
		r.Counts = make([]int, a.Intervals)
	}
	for _, n := range wanted {
		r := x.row(int(n))
		i, _ := a.interval(v.seconds(r.time))
		rates[name(r)].Counts[i]++
	}
}

// kindNamer gives what names the kind of a row.
func (v *View) kindNamer(by string) (func(*row) string, error) {
	x := &v.index
	switch by {
	case "", "name":
		names := make([]string, len(x.kinds))
		for i, k := range x.kinds[min(1, len(x.kinds)):] {
			names[i+1] = k.protocol.Name + " " + k.message.Name
		}
		return func(r *row) string { return names[r.kind] }, nil
	case "protocol":
		return func(r *row) string { return x.kinds[r.kind].protocol.Name }, nil
	case "stream":
		return func(r *row) string {
			p := x.place(r, "")
			return streamOf(&p)
		}, nil
	case "severity":
		return func(r *row) string {
			if r.flags&hasFindings == 0 {
				return "none"
			}
			return wire.Severity(r.worst).String()
		}, nil
	}
	return nil, errors.New("by is name, protocol, stream or severity")
}
