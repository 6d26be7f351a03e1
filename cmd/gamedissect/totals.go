package main

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// totals count what was found.
type totals struct {
	files    bool // several are read: name them
	messages map[messageKey]*messageTotal
	findings map[*wire.Rule]*findingTotal
	order    []*wire.Rule // in which they were first broken
}

type messageKey struct {
	protocol *wire.Protocol
	name     string
}

type messageTotal struct{ count, bytes int64 }

type findingTotal struct {
	count int64
	frame int
	file  string
	text  string // of the first
}

func newTotals(files bool) *totals {
	return &totals{files: files, messages: make(map[messageKey]*messageTotal), findings: make(map[*wire.Rule]*findingTotal)}
}

func (t *totals) message(m *decode.Message) {
	key := messageKey{m.Protocol, m.Name}
	total := t.messages[key]
	if total == nil {
		total = new(messageTotal)
		t.messages[key] = total
	}
	total.count++
	total.bytes += int64(m.Length)
	for i := range m.Findings {
		t.found(m.Findings[i].Rule, m.Findings[i].Text, &m.Place)
	}
}

func (t *totals) finding(f *decode.Finding) { t.found(f.Rule, f.Text, &f.Place) }

func (t *totals) found(r *wire.Rule, text string, p *decode.Place) {
	total := t.findings[r]
	if total == nil {
		total = &findingTotal{frame: p.Frame, file: p.File, text: text}
		t.findings[r] = total
		t.order = append(t.order, r)
	}
	total.count++
}

// print writes the totals.
func (t *totals) print(out *output, c decode.Counters) {
	b := t.appendMessages(out.buf)
	b = append(b, packets(c)...)
	b = append(b, '\n')
	out.buf = t.appendFindings(b)
	_ = out.flush() // kept in err
}

func packets(c decode.Counters) string {
	return counted(c.Packets, "packet") + ", " + counted(c.Messages, "message") + ", " + counted(c.Other, "packet") + " of other traffic"
}

func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(n) + " " + what + "s"
}

func (t *totals) appendMessages(b []byte) []byte {
	keys := make([]messageKey, 0, len(t.messages))
	for k := range t.messages {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y messageKey) int {
		return cmp.Or(cmp.Compare(x.protocol.Name, y.protocol.Name), cmp.Compare(t.messages[y].count, t.messages[x].count), cmp.Compare(x.name, y.name))
	})
	show := table{heading: []string{"protocol", "message", "count", "bytes"}, right: []bool{false, false, true, true}}
	for _, k := range keys {
		m := t.messages[k]
		show.rows = append(show.rows, []string{k.protocol.Name, k.name, thousands(m.count), thousands(m.bytes)})
	}
	b = show.append(b)
	if len(keys) > 0 {
		b = append(b, '\n')
	}
	return b
}

func (t *totals) appendFindings(b []byte) []byte {
	slices.SortStableFunc(t.order, func(x, y *wire.Rule) int { return cmp.Compare(y.Severity, x.Severity) })
	show := table{heading: []string{"severity", "rule", "count", "first frame", "example"}, right: []bool{false, false, true, true, false}}
	for _, r := range t.order {
		f := t.findings[r]
		first := strconv.Itoa(f.frame)
		if t.files {
			first = string(appendPlain(nil, f.file)) + ":" + first
		}
		show.rows = append(show.rows, []string{r.Severity.String(), r.ID, thousands(f.count), first, f.text})
	}
	if len(show.rows) > 0 {
		b = append(b, '\n')
	}
	return show.append(b)
}

// thousands writes a number with a comma after every third digit.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
