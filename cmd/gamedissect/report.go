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
	failed   int
	broken   int // captures
}

// mostGroups is how many conversations that fail are shown of an expectation.
const mostGroups = 5

// add takes the results of a capture.
func (r *report) add(form string, o outcome) {
	r.outcomes = append(r.outcomes, o)
	for _, res := range o.results {
		r.total++
		if !res.OK() {
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
	if form != "json" && !(r.quiet && r.failed+r.broken == 0) {
		b := append(r.out.buf, counted(int64(r.total), "expectation")...)
		if r.failed > 0 {
			b = append(strconv.AppendInt(append(b, ", "...), int64(r.failed), 10), " not fulfilled"...)
		} else if r.total > 0 {
			b = append(b, ", all fulfilled"...)
		}
		if r.broken > 0 {
			b = append(append(append(b, "; "...), counted(int64(r.broken), "capture")...), " not read to the end"...)
		}
		r.out.buf = append(b, '\n')
	}
	return r.out.flush()
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
	b := r.out.buf
	if res.OK() {
		if r.quiet {
			return
		}
		b = r.coloured(b, r.style.Meaning, "ok    ")
	} else {
		b = r.coloured(b, r.style.Error, "FAIL  ")
	}
	b = appendPlain(b, res.Name)
	b = append(b, "  "...)
	b = appendPlain(b, place(res.File, res.Line))
	b = append(b, "  "...)
	b = appendPlain(b, capture)
	b = append(b, ": "...)
	if res.OK() {
		b = append(append(b, res.Summary()...), '\n')
		if !r.all {
			r.out.buf = b
			return
		}
	} else {
		b = append(append(b, res.Trouble...), '\n')
	}
	r.out.buf = b
	r.findings(res.Findings, "    ")
	shown := 0
	for i := range res.Groups {
		g := &res.Groups[i]
		if len(g.Failures) == 0 && !r.all {
			continue
		}
		if shown++; shown > mostGroups && !r.all {
			continue
		}
		r.group(res, g)
	}
	if shown > mostGroups && !r.all {
		r.out.buf = append(append(r.out.buf, "    ... "...), thousands(int64(shown-mostGroups))...)
		r.out.buf = append(r.out.buf, " more (-V shows all)\n"...)
	}
}

func place(file string, line int) string { return file + ":" + strconv.Itoa(line) }

func (r *report) coloured(b []byte, colour, text string) []byte {
	b = append(append(b, colour...), text...)
	if colour != "" {
		b = append(b, r.style.Reset...)
	}
	return b
}

// group writes why a conversation, client or server does not fulfil an expectation.
func (r *report) group(res *expect.Result, g *expect.Group) {
	r.out.buf = append(append(r.out.buf, "    "...), g.Name...)
	r.out.buf = append(append(r.out.buf, ", "...), counted(int64(g.Messages), "message")...)
	if len(g.Failures) == 0 {
		r.out.buf = append(r.out.buf, ": fulfils it\n"...)
		return
	}
	r.out.buf = append(r.out.buf, '\n')
	for _, f := range g.Failures {
		b := append(r.out.buf, "      "...)
		b = appendPlain(b, place(filepath.Base(res.File), f.Line))
		b = append(b, ": "...)
		b = append(appendPlain(b, summary(f)), '\n')
		r.out.buf = b
		r.findings(f.Findings, "        ")
		if f.Step == nil && f.Frame == nil {
			continue
		}
		r.frames(f)
	}
}

// summary says in a line what is wrong.
func summary(f *expect.Failure) string {
	step := ""
	if f.Step != nil {
		step = f.Step.Text + ": "
	}
	switch {
	case f.Frame != nil:
		return step + "frame " + strconv.Itoa(f.Frame.Number) + " " + f.Reason + behind(f.Matched)
	case f.Step != nil:
		return step + f.Reason + behind(f.Matched)
	}
	return f.Reason
}

func behind(matched int) string {
	if matched == 0 {
		return ""
	}
	return ", behind " + counted(int64(matched), "message") + " as expected"
}

func (r *report) findings(list []expect.Finding, indent string) {
	for _, f := range list {
		b := append(append(r.out.buf, indent...), "frame "...)
		b = append(strconv.AppendInt(b, int64(f.Frame), 10), ": "...)
		b = r.coloured(b, r.style.ForSeverity(f.Rule.Severity), f.Rule.ID)
		r.out.buf = append(appendPlain(append(b, "  "...), f.Text), '\n')
	}
}

// frames writes the messages around a failure, the one that is nearest, and what was bound.
func (r *report) frames(f *expect.Failure) {
	line := func(mark, text string) {
		b := append(append(r.out.buf, "      "...), mark...)
		r.out.buf = append(appendPlain(b, text), '\n')
	}
	for _, x := range f.Before {
		line("    ", x.Line)
	}
	if f.Frame != nil {
		line("  > ", f.Frame.Line)
		if f.Nearest == f.Frame {
			differs(line, f)
		}
	}
	for _, x := range f.After {
		line("    ", x.Line)
	}
	if f.Nearest != nil && f.Nearest != f.Frame {
		line("  ", "nearest to what is expected:")
		line("  ~ ", f.Nearest.Line)
		differs(line, f)
	}
	if len(f.Bound) > 0 {
		line("  ", "saved so far: "+strings.Join(f.Bound, ", "))
	}
}

// differs writes where the message nearest to what is expected differs from it.
func differs(line func(mark, text string), f *expect.Failure) {
	for _, d := range f.Differs {
		line("        ", d)
	}
}

// annotate writes what GitHub shows beside the line of the file.
func (r *report) annotate(capture string, res *expect.Result) {
	write := func(line int, text string) { r.annotation(res.File, line, res.Name, capture+": "+text) }
	shown := 0
	for i := range res.Groups {
		for _, f := range res.Groups[i].Failures {
			if shown++; shown <= mostGroups {
				write(f.Line, res.Groups[i].Name+": "+summary(f))
			}
		}
	}
	if shown == 0 {
		write(res.Line, res.Trouble)
	}
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
	Reason   string        `json:"reason"`
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
		Trouble:  res.Trouble,
		Findings: jsonFindingList(res.Findings), Groups: []jsonGroup{}}
	for i := range res.Groups {
		g := &res.Groups[i]
		one := jsonGroup{Name: g.Name, Messages: g.Messages, OK: len(g.Failures) == 0}
		for _, f := range g.Failures {
			x := jsonFailure{Line: f.Line, Reason: f.Reason, Matched: f.Matched, Differs: f.Differs, Saved: f.Bound,
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
