package message

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// belowLine is the column of findings below the line of a message.
const belowLine = 6

type brokenRule struct {
	first *wire.Finding
	times int
}

// count returns the rules that a message breaks. The result is valid until the next call.
func (w *LineWriter) count(m *decode.Message) []brokenRule {
	w.broken = w.broken[:0]
	for i := range m.Findings {
		f := &m.Findings[i]
		at := slices.IndexFunc(w.broken, func(r brokenRule) bool { return r.first.Rule == f.Rule })
		if at < 0 {
			at = len(w.broken)
			w.broken = append(w.broken, brokenRule{first: f})
		}
		w.broken[at].times++
	}
	return w.broken
}

// marks appends each rule that a message breaks, with the number of findings.
func (w *LineWriter) marks(b []byte, m *decode.Message) []byte {
	for _, r := range w.count(m) {
		b = append(w.mark(b, &r), "  "...)
	}
	return b
}

// MarksBelow appends a line for each rule that a message breaks.
func (w *LineWriter) MarksBelow(b []byte, m *decode.Message) []byte {
	for _, r := range w.count(m) {
		b = w.mark(term.AppendBlanks(append(b, '\n'), belowLine), &r)
	}
	return b
}

func (w *LineWriter) mark(b []byte, r *brokenRule) []byte {
	b = append(b, w.style.ForSeverity(r.first.Rule.Severity)...)
	b = append(b, "! "...)
	b = append(b, r.first.Rule.ID...)
	if r.times > 1 {
		b = strconv.AppendInt(append(b, " x"...), int64(r.times), 10)
	}
	return append(b, w.style.Reset...)
}

// below writes a line for each rule that a message breaks, with the number of findings and the text of the first one.
func (w *LineWriter) below(m *decode.Message) {
	for _, r := range w.count(m) {
		w.Out.Buf = w.appendFinding(w.Out.Buf, belowLine, r.first.Rule, r.times, r.first.Text)
	}
}

// Finding writes a finding that belongs to no message.
func (w *LineWriter) Finding(f *wire.TrafficFinding) {
	b := w.Out.Buf
	switch {
	case w.Out.Width == 0:
		b = w.place(b, &f.Place)
		w.Out.Buf = w.appendFinding(b, 0, f.Rule, 1, f.Text)
		return
	case w.narrow:
		b = w.files.introduce(b, f.File, w.Out.Width)
		b = w.appendWhen(b, &f.Place)
		if f.Protocol != nil {
			b = append(b, ' ')
			b = appendConversation(b, f.ConversationID())
			b = appendBoth(append(b, "  "...), &f.Place)
		}
	default:
		b = term.TrimRight(w.place(b, &f.Place))
	}
	w.Out.Buf = w.appendFinding(append(b, '\n'), belowLine, f.Rule, 1, f.Text)
}

// appendFinding appends a whole finding, indented to a column, on as many lines as it needs.
func (w *LineWriter) appendFinding(b []byte, column int, rule *wire.Rule, times int, text string) []byte {
	t := print.AppendFinding(w.scratch[:0], rule, times, text)
	if w.Out.Width > 0 {
		column = min(column, w.Out.Width/2)
	}
	from := len(t)
	t = term.AppendFitting(t, t, column, column+len("! "), w.Out.Width)
	w.scratch = t
	colour := w.style.ForSeverity(rule.Severity)
	b = term.AppendBlanks(b, column)
	for line := range bytes.Lines(t[from:]) {
		b = append(append(b, colour...), bytes.TrimSuffix(line, []byte("\n"))...)
		if colour != "" {
			b = append(b, w.style.Reset...)
		}
		b = append(b, '\n')
	}
	return b
}
