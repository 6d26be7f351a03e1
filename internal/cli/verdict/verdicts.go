package verdict

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/expect"
	"github.com/gamedissect/gamedissect/internal/report"
)

// verdicts reports results as text, JSON or GitHub annotations, and counts them.
type verdicts struct {
	out      *term.Output
	style    print.Style
	quiet    bool
	all      bool
	github   bool // also write annotations for GitHub
	outcomes []outcome
	total    int
	skipped  int
	failed   int
	unread   int // number of captures not read to the end
}

// lineIndent is the number of columns before a message's line.
const lineIndent = 10

// maxGroups is how many failed conversations are shown for an expectation. With -V, all are shown.
const maxGroups = 5

func (v *verdicts) add(form string, o outcome) {
	v.outcomes = append(v.outcomes, o)
	for _, res := range o.results {
		v.total++
		switch {
		case res.Skipped != "":
			v.skipped++
		case !res.OK():
			v.failed++
		}
		if form == "json" {
			v.json(o.capture, res)
			continue
		}
		v.text(o.capture, res)
		if v.github && !res.OK() {
			v.annotate(o.capture, res)
		}
	}
	if len(o.trouble) > 0 {
		v.unread++
	}
	for _, why := range o.trouble {
		v.readError(form, o.capture, why)
	}
	v.out.Packet()
}

func (v *verdicts) end(form string) error {
	allSkipped := v.total > 0 && v.skipped == v.total // reported even with -q, because nothing was checked
	if form != "json" && !(v.quiet && v.failed+v.unread == 0 && !allSkipped) {
		v.out.Buf = append(append(v.out.Buf, v.sum()...), '\n')
	}
	return v.out.Flush()
}

func (v *verdicts) sum() string {
	text := report.Plural(int64(v.total), "expectation")
	if v.failed > 0 {
		text += ", " + strconv.Itoa(v.failed) + " not fulfilled"
	}
	if v.skipped > 0 {
		text += ", " + strconv.Itoa(v.skipped) + " skipped (--require makes that a failure)"
	}
	switch done := v.total - v.failed - v.skipped; {
	case v.failed > 0 || done == 0:
	case v.skipped > 0:
		text += ", " + strconv.Itoa(done) + " fulfilled"
	default:
		text += ", all fulfilled"
	}
	if v.unread > 0 {
		text += "; " + report.Plural(int64(v.unread), "capture") + " not read to the end"
	}
	return text
}

func (v *verdicts) readError(form, capture, why string) {
	if form == "json" {
		v.line(&jsonUnread{Capture: capture, Error: why})
		return
	}
	b := v.coloured(v.out.Buf, v.style.Error, "ERROR ")
	v.out.Buf = append(format.AppendPlain(b, why), '\n')
	if v.github {
		v.out.Buf = AppendAnnotation(v.out.Buf, Place{File: capture, Text: why}, UnreadTitle)
	}
}

func (v *verdicts) text(capture string, res *expect.Result) {
	word, colour, summary := "FAIL  ", v.style.Error, res.Trouble
	switch {
	case res.Skipped != "":
		word, colour, summary = "skip  ", v.style.Note, res.Skipped
	case res.OK():
		word, colour, summary = "ok    ", v.style.Meaning, res.Summary()
	}
	if v.quiet && res.OK() {
		return
	}
	v.out.Buf = v.coloured(v.out.Buf, colour, word)
	v.wrapped(len(word), len(word), res.Name+"  "+place(res.File, res.Line)+"  "+capture+": "+summary)
	groups := res.Telling()
	switch {
	case v.all:
		groups = res.Groups
	case res.OK():
		return
	}
	v.findings(res.Findings, 4)
	for i := range groups {
		if i == maxGroups && !v.all {
			b := append(v.out.Buf, "    ... "...)
			v.out.Buf = append(append(b, report.FormatCount(int64(len(groups)-i))...), " more (-V shows all)\n"...)
			break
		}
		v.group(&groups[i])
	}
}

// wrapped writes a text that begins at a column. On a terminal it wraps the text and indents the lines after the first.
func (v *verdicts) wrapped(column, indent int, text string) {
	v.out.Buf = append(term.AppendFitting(v.out.Buf, format.AppendPlain(nil, text), column, indent, v.out.Width), '\n')
}

func place(file string, line int) string { return file + ":" + strconv.Itoa(line) }

func (v *verdicts) coloured(b []byte, colour, text string) []byte {
	b = append(append(b, colour...), text...)
	if colour != "" {
		b = append(b, v.style.Reset...)
	}
	return b
}

// group writes that a conversation, client or server fulfils an expectation, or why it does not.
func (v *verdicts) group(g *expect.Group) {
	about := g.Name + ", " + report.Plural(int64(g.Messages), "message")
	if len(g.Failures) == 0 {
		v.indented(4, about+": fulfils it")
		return
	}
	for _, f := range g.Failures {
		v.indented(4, f.Sentence())
		v.indented(6, about+stepOf(f))
		v.findings(f.Findings, 8)
		if f.Step != nil || f.Frame != nil {
			v.frames(f)
		}
	}
}

func (v *verdicts) indented(indent int, text string) {
	v.out.Buf = append(v.out.Buf, strings.Repeat(" ", indent)...)
	v.wrapped(indent, indent+2, text)
}

// stepOf describes the step that failed, and how many messages matched before that step.
func stepOf(f *expect.Failure) (text string) {
	if f.Step != nil {
		text = ": " + f.Step.Text
	}
	if f.Matched > 0 {
		text += ", after " + report.Plural(int64(f.Matched), "message") + " as expected"
	}
	return text
}

func (v *verdicts) findings(list []expect.Finding, indent int) {
	for _, f := range list {
		frame := "frame " + strconv.Itoa(f.Frame) + ": "
		b := append(append(v.out.Buf, strings.Repeat(" ", indent)...), frame...)
		v.out.Buf = append(v.coloured(b, v.style.ForSeverity(f.Rule.Severity), f.Rule.ID), "  "...)
		v.wrapped(indent+len(frame)+len(f.Rule.ID)+2, indent+2, f.Text)
	}
}

// frames writes the messages around a failure, the message that is most like the expected one, and the saved values.
func (v *verdicts) frames(f *expect.Failure) {
	line := func(mark, text string) {
		for part := range strings.SplitSeq(text, "\n") { // two lines on a narrow terminal
			b := append(append(v.out.Buf, "      "...), mark...)
			v.out.Buf, mark = append(format.AppendPlain(b, part), '\n'), "    "
		}
	}
	near := f.Nearest != nil && f.Nearest != f.Frame // show the message, unless it is among those around the failure
	around := func(x *expect.Frame) {
		mark := "    "
		if near && x.Number == f.Nearest.Number {
			mark, near = "  ~ ", false
		}
		line(mark, x.Line)
	}
	for i := range f.Before {
		around(&f.Before[i])
	}
	if f.Frame != nil {
		line("  > ", f.Frame.Line)
	}
	for i := range f.After {
		around(&f.After[i])
	}
	if near {
		line("  ", "most similar to the expected message:")
		line("  ~ ", f.Nearest.Line)
	}
	if len(f.Bound) > 0 {
		v.indented(8, "saved so far: "+strings.Join(f.Bound, ", "))
	}
}

// annotate writes GitHub's annotations for the lines of the expectation.
func (v *verdicts) annotate(capture string, res *expect.Result) {
	for i, t := range annotations(capture, res) {
		if i < maxGroups {
			v.out.Buf = AppendAnnotation(v.out.Buf, t, res.Name)
		}
	}
}

// annotations returns the reasons why an expectation is not fulfilled.
func annotations(capture string, res *expect.Result) (list []Place) {
	for _, g := range res.Telling() {
		for _, f := range g.Failures {
			list = append(list, Place{File: res.File, Line: f.Line,
				Text: f.Sentence() + "; " + capture + ", " + g.Name + stepOf(f)})
		}
	}
	if list == nil {
		list = []Place{{File: res.File, Line: res.Line, Text: res.Cause() + "; " + capture}}
	}
	return list
}

// jsonUnread is a read error in the format of -T json.
type jsonUnread struct {
	Capture string `json:"capture"`
	OK      bool   `json:"ok"` // always false
	Error   string `json:"error"`
}

type jsonResult struct {
	Expectation string        `json:"expectation"`
	File        string        `json:"file"`
	Line        int           `json:"line"`
	Capture     string        `json:"capture"`
	OK          bool          `json:"ok"`
	Skipped     string        `json:"skipped,omitempty"`
	Cause       string        `json:"cause,omitempty"`
	Trouble     string        `json:"trouble,omitempty"`
	Findings    []jsonFinding `json:"findings,omitempty"`
	Groups      []jsonGroup   `json:"groups"`
}

type jsonGroup struct {
	Name     string        `json:"name"`
	Messages int           `json:"messages"`
	OK       bool          `json:"ok"`
	Failures []jsonFailure `json:"failures,omitempty"`
}

type jsonFailure struct {
	Line     int           `json:"line"`
	Step     string        `json:"step,omitempty"`
	Cause    string        `json:"cause"`
	Matched  int           `json:"matched"`
	Frame    int           `json:"frame,omitempty"`
	Nearest  int           `json:"nearest,omitempty"`
	Differs  []string      `json:"differs,omitempty"`
	Saved    []string      `json:"saved,omitempty"`
	Around   []string      `json:"around,omitempty"`
	Findings []jsonFinding `json:"findings,omitempty"`
}

type jsonFinding struct {
	Frame    int    `json:"frame"`
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Text     string `json:"text"`
}

func (v *verdicts) json(capture string, res *expect.Result) {
	j := jsonResult{Expectation: res.Name, File: res.File, Line: res.Line, Capture: capture, OK: res.OK(),
		Skipped: res.Skipped, Trouble: res.Trouble,
		Findings: jsonFindingList(res.Findings), Groups: []jsonGroup{}}
	if !res.OK() {
		j.Cause = res.Cause()
	}
	for i := range res.Groups {
		g := &res.Groups[i]
		one := jsonGroup{Name: g.Name, Messages: g.Messages, OK: len(g.Failures) == 0}
		for _, f := range g.Failures {
			x := jsonFailure{Line: f.Line, Cause: f.Cause, Matched: f.Matched, Differs: f.Differs, Saved: f.Bound,
				Findings: jsonFindingList(f.Findings)}
			if f.Step != nil {
				x.Step = f.Step.Text
			}
			for _, b := range f.Before {
				x.Around = append(x.Around, b.Line)
			}
			if f.Frame != nil {
				x.Frame = f.Frame.Number
				x.Around = append(x.Around, f.Frame.Line)
			}
			for _, a := range f.After {
				x.Around = append(x.Around, a.Line)
			}
			if f.Nearest != nil {
				x.Nearest = f.Nearest.Number
			}
			one.Failures = append(one.Failures, x)
		}
		j.Groups = append(j.Groups, one)
	}
	v.line(&j)
}

func (v *verdicts) line(j any) {
	b, err := json.Marshal(j)
	option.Must(err) // encoding texts and numbers cannot fail
	v.out.Width = 0
	v.out.Buf = append(append(v.out.Buf, term.PlainJSON(b)...), '\n')
}

func jsonFindingList(list []expect.Finding) []jsonFinding {
	var j []jsonFinding
	for _, f := range list {
		j = append(j, jsonFinding{f.Frame, f.Rule.ID, f.Rule.Severity.String(), f.Text})
	}
	return j
}
