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
	filters  []*filterJob // the one used last comes last
	plots    []*plotJob
	sequence *sequenceJob
	export   *exportJob
}

const (
	maxJobs   = 4
	maxFilter = 16 << 10 // bytes
)

// filterJob finds the rows that match a filter.
type filterJob struct {
	text    string
	filter  *filter.Filter
	history *history
	next    int // row
	matches []uint32
}

// jobFor gives the job of a filter's text, a new one if there is none.
func (v *View) jobFor(text string) (*filterJob, error) {
	list := v.jobs.filters
	if at := slices.IndexFunc(list, func(j *filterJob) bool { return j.text == text }); at >= 0 {
		j := list[at]
		v.jobs.filters = append(slices.Delete(list, at, at+1), j)
		return j, nil
	}
	f, err := v.compile(text)
	if err != nil {
		return nil, err
	}
	j := &filterJob{text: text, filter: f, history: v.newHistory()}
	if len(list) == maxJobs {
		list = slices.Delete(list, 0, 1)
	}
	v.jobs.filters = append(list, j)
	return j, nil
}

func (v *View) compile(text string) (*filter.Filter, error) {
	if len(text) > maxFilter {
		return nil, errors.New("the filter is too long")
	}
	return v.schema.Compile(text, nil)
}

// A history is what filters remember of the rows before, within bounds.
type history struct {
	*filter.History
	memory *bounded.Budget
}

// historyMemory is about what the history of a job may take, in bytes.
const historyMemory = 8 << 20

func (v *View) newHistory() *history {
	h := &history{memory: bounded.NewBudget(historyMemory)}
	h.History = filter.NewHistory(h.memory)
	if v.packets > 0 {
		h.Packet(v.first)
	}
	return h
}

// advanced gives the job of a filter's text, after some work on it.
func (v *View) advanced(text string, ms *int) (*filterJob, error) {
	j, err := v.jobFor(text)
	if err == nil {
		err = v.advance(j, newLimit(ms))
	}
	return j, err
}

// matching returns a function that reports whether a row is one of those that match a filter, as far as they are known.
// Without a filter it is true of any row, and of -1. done reports that all rows were examined.
func (v *View) matching(text string, ms *int) (matches func(row int) bool, done bool, err error) {
	if text == "" {
		return func(int) bool { return true }, true, nil
	}
	j, err := v.advanced(text, ms)
	if err != nil {
		return nil, false, err
	}
	return j.has, j.next == v.index.len(), nil
}

// has reports whether a row matches.
func (j *filterJob) has(row int) bool {
	_, ok := slices.BinarySearch(j.matches, uint32(row))
	return ok
}

// advance goes on with a job until it reached the last row, or a limit.
func (v *View) advance(j *filterJob, l limit) error {
	for j.next < v.index.len() {
		x, err := v.subject(j.history, j.next)
		if err != nil {
			return err
		}
		if j.filter.Match(x) {
			j.matches = append(j.matches, uint32(j.next))
		}
		j.next++
		if l.over() {
			break
		}
	}
	return nil
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
	a := &filterAnswer{Text: q.Text, Of: v.index.len()}
	if strings.TrimSpace(q.Text) == "" {
		a.Examined, a.Matches, a.Done = a.Of, a.Of, true
		return a, nil
	}
	j, err := v.advanced(q.Text, q.MS)
	if err != nil {
		return nil, err
	}
	a.Examined, a.Matches, a.Done = j.next, len(j.matches), j.next == a.Of
	return a, nil
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
	from := to
	for from > 0 && isNameByte(q.Text[from-1]) {
		from--
	}
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

func isNameByte(b byte) bool {
	return b == '_' || b == '.' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// compared is the field that a text ends with and a comparison behind it, nil if it does not end so.
func (v *View) compared(text string) *filter.Field {
	for _, sign := range [...]string{"==", "!=", " eq", " ne"} {
		before, ok := strings.CutSuffix(text, sign)
		if !ok {
			continue
		}
		before = strings.TrimRight(before, " ")
		from := len(before)
		for from > 0 && isNameByte(before[from-1]) {
			from--
		}
		return v.schema.Field(before[from:])
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
