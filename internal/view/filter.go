package view

import (
	"errors"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// jobs is work that goes on from call to call.
type jobs struct {
	filters  recent[*filterJob]
	plots    recent[*plotJob]
	sequence recent[*sequenceJob]
	export   *exportJob
}

// recent remembers the jobs used last by what they are asked for. The latest stands last.
type recent[J any] []remembered[J]

type remembered[J any] struct {
	key string
	job J
}

// job gives the one of a key, a new one if there is none, and remembers at most so many.
func (r *recent[J]) job(key string, most int, begin func() (J, error)) (J, error) {
	list := *r
	at := slices.IndexFunc(list, func(x remembered[J]) bool { return x.key == key })
	if at < 0 {
		job, err := begin()
		if err != nil {
			return job, err
		}
		at, list = len(list), append(list, remembered[J]{key, job})
	}
	one := list[at]
	list = append(slices.Delete(list, at, at+1), one)
	*r = slices.Delete(list, 0, max(len(list)-most, 0))
	return one.job, nil
}

const (
	maxJobs   = 4
	maxFilter = 16 << 10 // bytes
)

// A scan goes once through all rows, in order, and takes those that match a filter.
type scan struct {
	filter  *filter.Filter // nil: all match
	history *filter.History
	memory  *bounded.Budget // of the history
	next    int             // row
}

// historyMemory is about what the history of a scan may take, in bytes.
const historyMemory = 8 << 20

func (v *View) newScan(text string) (scan, error) {
	s := scan{memory: bounded.NewBudget(historyMemory)}
	s.history = filter.NewHistory(s.memory)
	if v.packets > 0 {
		s.history.Packet(v.first)
	}
	if strings.TrimSpace(text) == "" {
		return s, nil
	}
	var err error
	s.filter, err = v.compile(text)
	return s, err
}

func (v *View) compile(text string) (*filter.Filter, error) {
	if len(text) > maxFilter {
		return nil, errors.New("the filter is too long")
	}
	return v.schema.Compile(text, nil)
}

// scan goes on until the last row, or a limit.
func (v *View) scan(s *scan, l limit, take func(x *filter.Subject, row int)) error {
	for s.next < v.index.len() {
		x, err := v.subject(s, s.next)
		if err != nil {
			return err
		}
		if s.filter == nil || s.filter.Match(x) {
			take(x, s.next)
		}
		s.next++
		if l.over() {
			break
		}
	}
	return nil
}

// A filterJob finds the rows that match a filter. Without a filter these are all, and are not looked at.
type filterJob struct {
	scan
	index   *index
	matches []uint32
}

// jobFor gives the job of a filter's text.
func (v *View) jobFor(text string) (*filterJob, error) {
	if strings.TrimSpace(text) == "" {
		return &filterJob{index: &v.index}, nil
	}
	return v.jobs.filters.job(text, maxJobs, func() (*filterJob, error) {
		s, err := v.newScan(text)
		return &filterJob{scan: s, index: &v.index}, err
	})
}

// advance goes on with a job until it reached the last row, or a limit.
func (v *View) advance(j *filterJob, l limit) error {
	if j.filter == nil {
		return nil
	}
	return v.scan(&j.scan, l, func(_ *filter.Subject, row int) { j.matches = append(j.matches, uint32(row)) })
}

// advanced gives the job of a filter's text, after some work on it.
func (v *View) advanced(text string, ms *int) (*filterJob, error) {
	j, err := v.jobFor(text)
	if err == nil {
		err = v.advance(j, newLimit(ms))
	}
	return j, err
}

// examined is the number of rows that the filter was applied to.
func (j *filterJob) examined() int {
	if j.filter == nil {
		return j.index.len()
	}
	return j.next
}

func (j *filterJob) done() bool { return j.examined() == j.index.len() }

// len is the number of rows that match so far.
func (j *filterJob) len() int {
	if j.filter == nil {
		return j.index.len()
	}
	return len(j.matches)
}

// row gives the nth row that matches.
func (j *filterJob) row(n int) int {
	if j.filter == nil {
		return n
	}
	return int(j.matches[n])
}

// find counts the matches before a row.
func (j *filterJob) find(row int) int {
	row = min(max(row, 0), j.index.len())
	if j.filter == nil {
		return row
	}
	n, _ := slices.BinarySearch(j.matches, uint32(row))
	return n
}

// has reports whether a row matches. Without a filter all do, also -1, which stands for none.
func (j *filterJob) has(row int) bool {
	if j.filter == nil {
		return true
	}
	_, ok := slices.BinarySearch(j.matches, uint32(row))
	return ok
}

type filterRequest struct {
	Text string `json:"text"`
	MS   *int   `json:"ms"`
}

type filterAnswer struct {
	Text     string `json:"text"`
	Examined int    `json:"examined"`
	Of       int    `json:"of"`
	Matches  int    `json:"matches"`
	Done     bool   `json:"done"`
}

func (v *View) filter(q *filterRequest) (*filterAnswer, error) {
	j, err := v.advanced(q.Text, q.MS)
	if err != nil {
		return nil, err
	}
	return &filterAnswer{q.Text, j.examined(), v.index.len(), j.len(), j.done()}, nil
}

type completeRequest struct {
	Text   string `json:"text"`
	Offset *int   `json:"offset"`
	Count  int    `json:"count"`
}

// Name is a field that filters may name.
type Name struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Values []string `json:"values,omitempty"`
}

type completeAnswer struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Names []Name `json:"names"`
	More  int    `json:"more"`
}

const (
	usualNames = 20
	maxNames   = 500
	maxValues  = 64
)

func (v *View) complete(q *completeRequest) (*completeAnswer, error) {
	to := len(q.Text)
	if q.Offset != nil {
		to = min(max(*q.Offset, 0), len(q.Text))
	}
	from := len(strings.TrimRightFunc(q.Text[:to], inName))
	a := &completeAnswer{From: from, To: to, Names: []Name{}}
	word := q.Text[from:to]
	var names []Name
	if f := v.compared(strings.TrimRight(q.Text[:from], ` "`)); f != nil {
		if strings.HasSuffix(q.Text[:from], `"`) {
			a.From--
		}
		for _, value := range valuesOf(f) {
			if text := strings.Trim(value, `"`); strings.HasPrefix(strings.ToLower(text), strings.ToLower(word)) {
				names = append(names, Name{Name: value, Type: "value"})
			}
		}
	}
	if len(names) == 0 {
		a.From = from
		for _, name := range v.schema.Names() {
			if strings.HasPrefix(name, word) {
				names = append(names, v.nameOf(name))
			}
		}
		names = likelyFirst(v, names, func(n Name) string { return n.Name })
	}
	_, end := cut(len(names), 0, q.Count, usualNames, maxNames)
	a.Names, a.More = append(a.Names, names[:end]...), len(names)-end
	return a, nil
}

func inName(r rune) bool {
	return r == '_' || r == '.' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// compared is the field that a text ends with and a comparison behind it, nil if it does not end so.
func (v *View) compared(text string) *filter.Field {
	for _, sign := range [...]string{"==", "!=", " eq", " ne"} {
		before, ok := strings.CutSuffix(text, sign)
		if !ok {
			continue
		}
		before = strings.TrimRight(before, " ")
		return v.schema.Field(before[len(strings.TrimRightFunc(before, inName)):])
	}
	return nil
}

func (v *View) nameOf(name string) Name {
	n := Name{Name: name}
	if f := v.schema.Field(name); f != nil {
		n.Type, n.Values = f.Type(), valuesOf(f)
	}
	return n
}

// valuesOf are the values that have names, as they stand in filters.
func valuesOf(f *filter.Field) (values []string) {
	for _, s := range f.Symbols {
		values = append(values, filter.Quote([]byte(s.Name)))
	}
	for _, known := range f.Known() {
		values = append(values, filter.Quote([]byte(known)))
	}
	slices.Sort(values)
	values = slices.Compact(values)
	return values[:min(len(values), maxValues)]
}

type fieldsRequest struct {
	Protocol string `json:"protocol"`
}

type fieldsAnswer struct {
	Fields []Name `json:"fields"`
}

func (v *View) fields(q *fieldsRequest) (*fieldsAnswer, error) {
	a := &fieldsAnswer{Fields: []Name{}}
	for _, name := range v.schema.Names() {
		if q.Protocol == "" || name == q.Protocol || strings.HasPrefix(name, q.Protocol+".") {
			a.Fields = append(a.Fields, v.nameOf(name))
		}
	}
	return a, nil
}
