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

// Name is a field name that a filter may use.
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

	fewestWithin = 3 // a shorter word matches only at the beginning of a name
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
		names = f.fieldsLike(word)
	}
	_, end := cut(len(names), 0, q.Count, usualNames, maxNames)
	a.Names, a.More = append(a.Names, names[:end]...), len(names)-end
	return a, nil
}

// fieldsLike returns the fields whose names begin with a word, and then the fields whose names contain the word
// elsewhere. It ignores case for the latter.
func (f *filters) fieldsLike(word string) []Name {
	var begin, within []Name
	low := strings.ToLower(word)
	for _, name := range f.schema.Names() {
		switch {
		case strings.HasPrefix(name, word):
			begin = append(begin, f.named(name))
		case len(low) >= fewestWithin && strings.Contains(strings.ToLower(name), low):
			within = append(within, f.named(name))
		}
	}
	nameOf := func(n Name) string { return n.Name }
	return append(likelyFirst(f, begin, nameOf), likelyFirst(f, within, nameOf)...)
}

func inName(r rune) bool {
	return r == '_' || r == '.' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// compared returns the field that text compares, if text ends with the name of a field and a comparison operator.
// Otherwise it returns nil.
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

func (f *filters) named(name string) Name {
	n := Name{Name: name}
	if field := f.schema.Field(name); field != nil {
		n.Type, n.Values = field.Type(), valuesOf(field)
	}
	return n
}

// valuesOf returns a field's named values in the syntax of filters.
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
			a.Fields = append(a.Fields, f.named(name))
		}
	}
	return a, nil
}

// likelyFirst moves fields to the end of a list if the capture has no messages of their protocols.
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

// Limits of the search for the part of a filter that a proposal replaces.
const (
	maxProposals = 5
	triedBefore  = 6  // word boundaries tried before the error
	triedAfter   = 12 // word boundaries tried after the error
)

// mended returns the corrected filter for each proposal of an error. In such a filter, the proposal replaces the wrong
// text or a larger part around it, such as a comparison. If no such filter compiles, the result is "".
func (f *filters) mended(e *filter.Error, proposals []string) []string {
	var list []string
	end := min(e.Off+e.Size, len(e.Text))
	before, after := places(e.Text[:e.Off], true), places(e.Text[end:], false)
	for _, proposal := range proposals {
		list = append(list, f.mendedBy(e.Text, proposal, e.Off, end, before, after))
	}
	return list
}

// mendedBy replaces the smallest part of a text that makes the resulting filter compile.
func (f *filters) mendedBy(text, proposal string, from, to int, before, after []int) string {
	for wider := range len(before) + len(after) - 1 {
		for back := max(wider-len(after)+1, 0); back <= min(wider, len(before)-1); back++ {
			first, rest := text[:from-before[back]], text[to+after[wider-back]:]
			if glued(first, proposal) || glued(proposal, rest) {
				continue
			}
			if _, err := f.compile(first + proposal + rest); err == nil {
				return first + proposal + rest
			}
		}
	}
	return ""
}

// glued reports whether two texts would form one word if they were joined.
func glued(a, b string) bool {
	return a != "" && b != "" && inName(rune(a[len(a)-1])) && inName(rune(b[0]))
}

// places returns the distances of the nearest word boundaries from the beginning of a text or, if fromEnd is true, from
// its end.
func places(text string, fromEnd bool) []int {
	limit := triedAfter
	if fromEnd {
		limit = triedBefore
	}
	list := []int{0}
	for n := 1; n <= len(text) && len(list) <= limit; n++ {
		at := n
		if fromEnd {
			at = len(text) - n
		}
		if at == 0 || at == len(text) || inName(rune(text[at-1])) != inName(rune(text[at])) {
			list = append(list, n)
		}
	}
	return list
}
