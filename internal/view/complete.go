package view

import (
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/internal/filter"
)

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

func (f *filters) complete(q *completeRequest) (*completeAnswer, error) {
	to := len(q.Text)
	if q.Offset != nil {
		to = min(max(*q.Offset, 0), len(q.Text))
	}
	from := len(strings.TrimRightFunc(q.Text[:to], inName))
	a := &completeAnswer{From: from, To: to, Names: []Name{}}
	word := q.Text[from:to]
	var names []Name
	if field := f.compared(strings.TrimRight(q.Text[:from], ` "`)); field != nil {
		if strings.HasSuffix(q.Text[:from], `"`) {
			a.From--
		}
		for _, value := range valuesOf(field) {
			if text := strings.Trim(value, `"`); strings.HasPrefix(strings.ToLower(text), strings.ToLower(word)) {
				names = append(names, Name{Name: value, Type: "value"})
			}
		}
	}
	if len(names) == 0 {
		a.From = from
		for _, name := range f.schema.Names() {
			if strings.HasPrefix(name, word) {
				names = append(names, f.nameOf(name))
			}
		}
		names = likelyFirst(f, names, func(n Name) string { return n.Name })
	}
	_, end := cut(len(names), 0, q.Count, usualNames, maxNames)
	a.Names, a.More = append(a.Names, names[:end]...), len(names)-end
	return a, nil
}

func inName(r rune) bool {
	return r == '_' || r == '.' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// compared is the field that a text ends with and a comparison after it, nil if it does not end so.
func (f *filters) compared(text string) *filter.Field {
	for _, sign := range [...]string{"==", "!=", " eq", " ne"} {
		before, ok := strings.CutSuffix(text, sign)
		if !ok {
			continue
		}
		before = strings.TrimRight(before, " ")
		return f.schema.Field(before[len(strings.TrimRightFunc(before, inName)):])
	}
	return nil
}

func (f *filters) nameOf(name string) Name {
	n := Name{Name: name}
	if field := f.schema.Field(name); field != nil {
		n.Type, n.Values = field.Type(), valuesOf(field)
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

func (f *filters) fields(q *fieldsRequest) (*fieldsAnswer, error) {
	a := &fieldsAnswer{Fields: []Name{}}
	for _, name := range f.schema.Names() {
		if q.Protocol == "" || name == q.Protocol || strings.HasPrefix(name, q.Protocol+".") {
			a.Fields = append(a.Fields, f.nameOf(name))
		}
	}
	return a, nil
}

// likelyFirst puts the fields of protocols that the capture has no message of after all others.
func likelyFirst[T any](f *filters, list []T, nameOf func(T) string) []T {
	seen := f.rows.protocols()
	absent := map[string]bool{}
	for _, p := range f.protocols {
		absent[p.Name] = seen[p.Name] == 0
	}
	rank := func(of T) int {
		if protocol, _, _ := strings.Cut(nameOf(of), "."); absent[protocol] {
			return 1
		}
		return 0
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b T) int { return rank(a) - rank(b) })
	return list
}
