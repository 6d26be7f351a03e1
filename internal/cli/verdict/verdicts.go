package verdict

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/expect"
	"github.com/gamedissect/gamedissect/internal/print"
	"github.com/gamedissect/gamedissect/internal/report"
)

// verdicts writes how captures stand to expectations.
type verdicts struct {
	out      *term.Output
	style    print.Style
	quiet    bool
	all      bool
	github   bool // annotations for GitHub's pages as well
	outcomes []outcome
	total    int
	skipped  int
	failed   int
	broken   int // captures
}

// besideLines is how many columns stand in front of messages.
const besideLines = 10

// mostGroups is how many conversations that fail are shown of an expectation.
const mostGroups = 5

// add takes the results of a capture.
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
		v.broken++
	}
	for _, why := range o.trouble {
		v.unread(form, o.capture, why)
	}
	v.out.Packet()
}

// end writes the sum.
func (v *verdicts) end(form string) error {
	allSkipped := v.total > 0 && v.skipped == v.total // which -q says as well: nothing was checked
	if form != "json" && !(v.quiet && v.failed+v.broken == 0 && !allSkipped) {
		v.out.Buf = append(append(v.out.Buf, v.sum()...), '\n')
	}
	return v.out.Flush()
}

// sum counts the expectations.
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
	if v.broken > 0 {
		text += "; " + report.Plural(int64(v.broken), "capture") + " not read to the end"
	}
	return text
}

// unread writes why a capture was not read to its end.
func (v *verdicts) unread(form, capture, why string) {
	if form == "json" {
		v.line(&jsonUnread{Capture: capture, Error: why})
		return
	}
	b := v.coloured(v.out.Buf, v.style.Error, "ERROR ")
	v.out.Buf = append(term.AppendPlain(b, why), '\n')
	if v.github {
		v.annotation(capture, 0, unreadTitle, why)
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
		if i == mostGroups && !v.all {
			b := append(v.out.Buf, "    ... "...)
			v.out.Buf = append(append(b, report.FormatCount(int64(len(groups)-i))...), " more (-V shows all)\n"...)
			break
		}
		v.group(&groups[i])
	}
}

// wrapped writes a text that begins at a column, on a terminal in lines that fit, the others behind an indent.
func (v *verdicts) wrapped(column, indent int, text string) {
	v.out.Buf = append(term.AppendFitting(v.out.Buf, term.AppendPlain(nil, text), column, indent, v.out.Width), '\n')
}

func place(file string, line int) string { return file + ":" + strconv.Itoa(line) }

func (v *verdicts) coloured(b []byte, colour, text string) []byte {
	b = append(append(b, colour...), text...)
	if colour != "" {
		b = append(b, v.style.Reset...)
	}
	return b
}

// group writes why a conversation, client or server does not fulfil an expectation: the cause, and what it is about.
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

// indented writes a text behind an indent.
func (v *verdicts) indented(indent int, text string) {
	v.out.Buf = append(v.out.Buf, strings.Repeat(" ", indent)...)
	v.wrapped(indent, indent+2, text)
}

// stepOf tells which step waited, and how far it had come.
func stepOf(f *expect.Failure) (text string) {
	if f.Step != nil {
		text = ": " + f.Step.Text
	}
	if f.Matched > 0 {
		text += ", behind " + report.Plural(int64(f.Matched), "message") + " as expected"
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

// frames writes the messages around a failure, the one that is nearest, and what was bound.
func (v *verdicts) frames(f *expect.Failure) {
	line := func(mark, text string) {
		for part := range strings.SplitSeq(text, "\n") { // two where two addresses leave no room
			b := append(append(v.out.Buf, "      "...), mark...)
			v.out.Buf, mark = append(term.AppendPlain(b, part), '\n'), "    "
		}
	}
	for _, x := range f.Before {
		line("    ", x.Line)
	}
	if f.Frame != nil {
		line("  > ", f.Frame.Line)
	}
	for _, x := range f.After {
		line("    ", x.Line)
	}
	if f.Nearest != nil && f.Nearest != f.Frame {
		line("  ", "nearest to what is expected:")
		line("  ~ ", f.Nearest.Line)
	}
	if len(f.Bound) > 0 {
		v.indented(8, "saved so far: "+strings.Join(f.Bound, ", "))
	}
}

// annotate writes what GitHub shows beside the line of the file.
func (v *verdicts) annotate(capture string, res *expect.Result) {
	for i, t := range tellings(capture, res) {
		if i < mostGroups {
			v.annotation(res.File, t.line, res.Name, t.text)
		}
	}
}

// A telling is a sentence about a line of a file of expectations.
type telling struct {
	line int
	text string
}

// tellings says in a sentence each why an expectation is not fulfilled, and where.
func tellings(capture string, res *expect.Result) (list []telling) {
	for _, g := range res.Telling() {
		for _, f := range g.Failures {
			list = append(list, telling{f.Line, f.Sentence() + "; " + capture + ", " + g.Name + stepOf(f)})
		}
	}
	if list == nil {
		list = []telling{{res.Line, res.Cause() + "; " + capture}}
	}
	return list
}

// annotation writes one of them. Line 0 is the whole file.
func (v *verdicts) annotation(file string, line int, title, text string) {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	b := append(v.out.Buf, "::error file="...)
	b = append(b, property.Replace(string(term.AppendPlain(nil, filepath.ToSlash(file))))...)
	if line > 0 {
		b = strconv.AppendInt(append(b, ",line="...), int64(line), 10)
	}
	b = append(append(b, ",title="...), property.Replace(string(term.AppendPlain(nil, title)))...)
	b = append(append(b, "::"...), data.Replace(string(term.AppendPlain(nil, text)))...)
	v.out.Buf = append(b, '\n')
}

// jsonUnread is the form of -T json for a capture that was not read to its end.
type jsonUnread struct {
	Capture string `json:"capture"`
	OK      bool   `json:"ok"` // never
	Error   string `json:"error"`
}

// jsonResult is the form of -T json.
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

// line writes an object of JSON.
func (v *verdicts) line(j any) {
	b, err := json.Marshal(j)
	option.Must(err) // texts and numbers
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

// writeResults writes the outcomes to a file in a form, if a file is named.
func writeResults(to *outfile.File, list []outcome, form func([]outcome) ([]byte, error)) error {
	if to == nil {
		return nil
	}
	b, err := form(list)
	if err != nil {
		return err
	}
	return to.WriteAll(b)
}
