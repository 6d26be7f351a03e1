package main

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/expect"
	"github.com/gamedissect/gamedissect/decode/print"
)

// report writes how captures stand to expectations.
type report struct {
	out      *output
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
func (r *report) add(form string, o outcome) {
	r.outcomes = append(r.outcomes, o)
	for _, res := range o.results {
		r.total++
		switch {
		case res.Skipped != "":
			r.skipped++
		case !res.OK():
			r.failed++
		}
		if form == "json" {
			r.json(o.capture, res)
			continue
		}
		r.text(o.capture, res)
		if r.github && !res.OK() {
			r.annotate(o.capture, res)
		}
	}
	if len(o.trouble) > 0 {
		r.broken++
	}
	for _, why := range o.trouble {
		r.unread(form, o.capture, why)
	}
	r.out.packet()
}

// end writes the sum.
func (r *report) end(form string) error {
	allSkipped := r.total > 0 && r.skipped == r.total // which -q says as well: nothing was checked
	if form != "json" && !(r.quiet && r.failed+r.broken == 0 && !allSkipped) {
		r.out.buf = append(append(r.out.buf, r.sum()...), '\n')
	}
	return r.out.flush()
}

// sum counts the expectations.
func (r *report) sum() string {
	text := counted(int64(r.total), "expectation")
	if r.failed > 0 {
		text += ", " + strconv.Itoa(r.failed) + " not fulfilled"
	}
	if r.skipped > 0 {
		text += ", " + strconv.Itoa(r.skipped) + " skipped (--require makes that a failure)"
	}
	switch done := r.total - r.failed - r.skipped; {
	case r.failed > 0 || done == 0:
	case r.skipped > 0:
		text += ", " + strconv.Itoa(done) + " fulfilled"
	default:
		text += ", all fulfilled"
	}
	if r.broken > 0 {
		text += "; " + counted(int64(r.broken), "capture") + " not read to the end"
	}
	return text
}

// unread writes why a capture was not read to its end.
func (r *report) unread(form, capture, why string) {
	if form == "json" {
		r.line(&jsonUnread{Capture: capture, Error: why})
		return
	}
	b := r.coloured(r.out.buf, r.style.Error, "ERROR ")
	r.out.buf = append(appendPlain(b, why), '\n')
	if r.github {
		r.annotation(capture, 0, unreadTitle, why)
	}
}

func (r *report) text(capture string, res *expect.Result) {
	word, colour, summary := "FAIL  ", r.style.Error, res.Trouble
	switch {
	case res.Skipped != "":
		word, colour, summary = "skip  ", r.style.Note, res.Skipped
	case res.OK():
		word, colour, summary = "ok    ", r.style.Meaning, res.Summary()
	}
	if r.quiet && res.OK() {
		return
	}
	r.out.buf = r.coloured(r.out.buf, colour, word)
	r.wrapped(len(word), len(word), res.Name+"  "+place(res.File, res.Line)+"  "+capture+": "+summary)
	groups := res.Telling()
	switch {
	case r.all:
		groups = res.Groups
	case res.OK():
		return
	}
	r.findings(res.Findings, 4)
	for i := range groups {
		if i == mostGroups && !r.all {
			b := append(r.out.buf, "    ... "...)
			r.out.buf = append(append(b, thousands(int64(len(groups)-i))...), " more (-V shows all)\n"...)
			break
		}
		r.group(&groups[i])
	}
}

// wrapped writes a text that begins at a column, on a terminal in lines that fit, the others behind an indent.
func (r *report) wrapped(column, indent int, text string) {
	r.out.buf = append(appendFitting(r.out.buf, appendPlain(nil, text), column, indent, r.out.width), '\n')
}

func place(file string, line int) string { return file + ":" + strconv.Itoa(line) }

func (r *report) coloured(b []byte, colour, text string) []byte {
	b = append(append(b, colour...), text...)
	if colour != "" {
		b = append(b, r.style.Reset...)
	}
	return b
}

// group writes why a conversation, client or server does not fulfil an expectation: the cause, and what it is about.
func (r *report) group(g *expect.Group) {
	about := g.Name + ", " + counted(int64(g.Messages), "message")
	if len(g.Failures) == 0 {
		r.indented(4, about+": fulfils it")
		return
	}
	for _, f := range g.Failures {
		r.indented(4, f.Sentence())
		r.indented(6, about+stepOf(f))
		r.findings(f.Findings, 8)
		if f.Step != nil || f.Frame != nil {
			r.frames(f)
		}
	}
}

// indented writes a text behind an indent.
func (r *report) indented(indent int, text string) {
	r.out.buf = append(r.out.buf, strings.Repeat(" ", indent)...)
	r.wrapped(indent, indent+2, text)
}

// stepOf tells which step waited, and how far it had come.
func stepOf(f *expect.Failure) (text string) {
	if f.Step != nil {
		text = ": " + f.Step.Text
	}
	if f.Matched > 0 {
		text += ", behind " + counted(int64(f.Matched), "message") + " as expected"
	}
	return text
}

func (r *report) findings(list []expect.Finding, indent int) {
	for _, f := range list {
		frame := "frame " + strconv.Itoa(f.Frame) + ": "
		b := append(append(r.out.buf, strings.Repeat(" ", indent)...), frame...)
		r.out.buf = append(r.coloured(b, r.style.ForSeverity(f.Rule.Severity), f.Rule.ID), "  "...)
		r.wrapped(indent+len(frame)+len(f.Rule.ID)+2, indent+2, f.Text)
	}
}

// frames writes the messages around a failure, the one that is nearest, and what was bound.
func (r *report) frames(f *expect.Failure) {
	line := func(mark, text string) {
		for part := range strings.SplitSeq(text, "\n") { // two where two addresses leave no room
			b := append(append(r.out.buf, "      "...), mark...)
			r.out.buf, mark = append(appendPlain(b, part), '\n'), "    "
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
		r.indented(8, "saved so far: "+strings.Join(f.Bound, ", "))
	}
}

// annotate writes what GitHub shows beside the line of the file.
func (r *report) annotate(capture string, res *expect.Result) {
	for i, t := range tellings(capture, res) {
		if i < mostGroups {
			r.annotation(res.File, t.line, res.Name, t.text)
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
func (r *report) annotation(file string, line int, title, text string) {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	b := append(r.out.buf, "::error file="...)
	b = append(b, property.Replace(string(appendPlain(nil, filepath.ToSlash(file))))...)
	if line > 0 {
		b = strconv.AppendInt(append(b, ",line="...), int64(line), 10)
	}
	b = append(append(b, ",title="...), property.Replace(string(appendPlain(nil, title)))...)
	b = append(append(b, "::"...), data.Replace(string(appendPlain(nil, text)))...)
	r.out.buf = append(b, '\n')
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

func (r *report) json(capture string, res *expect.Result) {
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
	r.line(&j)
}

// line writes an object of JSON.
func (r *report) line(j any) {
	b, err := json.Marshal(j)
	must(err) // texts and numbers
	r.out.width = 0
	r.out.buf = append(append(r.out.buf, plainJSON(b)...), '\n')
}

func jsonFindingList(list []expect.Finding) []jsonFinding {
	var j []jsonFinding
	for _, f := range list {
		j = append(j, jsonFinding{f.Frame, f.Rule.ID, f.Rule.Severity.String(), f.Text})
	}
	return j
}

// writeReport writes the outcomes to a file in a form, if a file is named.
func writeReport(to *outfile, list []outcome, form func([]outcome) ([]byte, error)) error {
	if to == nil {
		return nil
	}
	b, err := form(list)
	if err != nil {
		return err
	}
	return to.writeAll(b)
}
