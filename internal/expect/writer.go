package expect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A scriptWriter writes expectations as a file.
type scriptWriter struct {
	strings.Builder
	per     string
	filter  string
	loose   bool
	written int // expectations
}

// Bounds on a written expectation. A class with more becomes several expectations that some groups have to fulfil.
const (
	maxVariants     = 100
	maxWrittenSteps = 2000
)

// some writes expectations that some groups have to fulfil.
func (w *scriptWriter) some(list []*writtenExpectation) {
	if len(list) > maxScripts {
		fmt.Fprintf(w, "# Of %d different expectations these are the first %d.\n", len(list), maxScripts)
		list = list[:maxScripts]
	}
	for _, s := range list {
		w.begin(s.recording.protocol, s.span())
		groups := wire.Counted(s.count, w.per)
		fmt.Fprintf(w, "fulfilled: some # %s of this capture; all would be stricter\nsequence:\n", groups)
		w.lines(s.lines, "  ")
		if s.recording.truncated {
			w.WriteString("  - rest: anything # it goes on\n")
		}
	}
}

// begin begins an expectation.
func (w *scriptWriter) begin(p *wire.Protocol, about string) {
	if w.written++; w.written > 1 {
		w.WriteString("---\n")
	}
	fmt.Fprintf(w, "name: %s %d, %s\nprotocol: %s\n", p.Name, w.written, about, p.Name)
	if w.per != perConversation {
		fmt.Fprintf(w, "per: %s\n", w.per)
	}
	if w.filter != "" {
		fmt.Fprintf(w, "filter: %s\n", scalar(w.filter))
	}
}

// span names the first and the last message.
func (s *writtenExpectation) span() string {
	first, last := &s.recording.messages[0], &s.recording.messages[len(s.recording.messages)-1]
	if last == first {
		return first.kind.Name
	}
	return first.kind.Name + " to " + last.kind.Name
}

// classes writes an expectation for each class, and for each protocol one about findings.
func (w *scriptWriter) classes(list []*class, broken map[*wire.Protocol]map[*wire.Rule]bool) {
	var protocols []*wire.Protocol
	for _, c := range list {
		if !slices.Contains(protocols, c.protocol) {
			protocols = append(protocols, c.protocol)
		}
		if len(c.variants) > 0 {
			w.class(c)
		}
	}
	for _, p := range protocols {
		w.middles(p, list)
		w.begin(p, "findings")
		w.bounds(broken[nil], broken[p])
	}
}

// middles writes the expectation that no group begins with an answer, which would mean that its question is lost. On a
// connection the missing beginning shows anyway.
func (w *scriptWriter) middles(p *wire.Protocol, list []*class) {
	answers := make(map[string]bool)
	for _, c := range list {
		for _, v := range c.variants {
			for i := range v.recording.messages {
				m := &v.recording.messages[i]
				if c.protocol == p && c.again && m.direction != c.direction && m.direction == c.direction.Reverse() {
					answers[filter.MessagePath(p, m.kind)] = true
				}
			}
		}
	}
	for _, c := range list {
		delete(answers, filter.MessagePath(c.protocol, &wire.MessageType{Name: c.message}))
	}
	if len(answers) == 0 || w.per == perCapture {
		return
	}
	w.begin(p, "answers without a question")
	fmt.Fprintf(w, "begins: %s\nfulfilled: 0\nsequence:\n  - expect: any\n  - rest: anything\n",
		scalar(strings.Join(slices.Sorted(maps.Keys(answers)), " || ")))
}

// bounds writes the expectation that there are no other findings than recorded. If there were notes, all notes are
// allowed: normal traffic may have them.
func (w *scriptWriter) bounds(broken ...map[*wire.Rule]bool) {
	severity := wire.Note
	var allowed []string
	for _, list := range broken {
		for rule := range list {
			if rule.Severity == wire.Note {
				severity = wire.Warning
			} else {
				allowed = append(allowed, rule.ID)
			}
		}
	}
	fmt.Fprintf(w, "bounds:\n  findings: %s\n", severity)
	if len(allowed) > 0 {
		slices.Sort(allowed)
		fmt.Fprintf(w, "  allow: [%s]\n", strings.Join(slices.Compact(allowed), ", "))
	}
}

// class writes the expectation of a class.
func (w *scriptWriter) class(c *class) {
	steps := 0
	for _, v := range c.variants {
		steps += countSteps(v.lines)
	}
	if c.truncated || len(c.variants) > maxVariants || steps > maxWrittenSteps {
		w.some(c.variants)
		return
	}
	about := c.message
	if len(c.variants) == 1 {
		about = c.variants[0].span()
	}
	w.begin(c.protocol, about)
	if w.per != perCapture {
		fmt.Fprintf(w, "begins: %s\n", scalar(c.begins))
	}
	fmt.Fprintf(w, "fulfilled: all # %s of this capture\nmode: ordered\n", wire.Counted(c.groups, w.per))
	w.WriteString("sequence:\n")
	switch {
	case len(c.variants) == 1 && !c.empty && !c.again:
		w.lines(c.variants[0].lines, "  ")
		return
	case len(c.variants) == 1:
		w.WriteString("  - sequence:\n")
		w.lines(c.variants[0].lines, "      ")
	default:
		w.WriteString("  - one_of:\n")
		for _, v := range c.variants {
			w.variant(v)
		}
	}
	if c.again {
		w.WriteString("    repeat: 1..\n")
	}
	if c.empty {
		w.WriteString("    optional: true\n")
	}
}

// variant writes one of several sequences.
func (w *scriptWriter) variant(v *writtenExpectation) {
	if len(v.lines) == 1 && v.lines[0].counter == nil {
		w.lines(v.lines, "      ")
		return
	}
	fmt.Fprintf(w, "      - sequence: # %s\n", wire.Counted(v.count, w.per))
	w.lines(v.lines, "          ")
}

func countSteps(lines []line) (n int) {
	for i := range lines {
		n += max(1, countSteps(lines[i].parts))
	}
	return n
}

// lines writes steps with an indent.
func (w *scriptWriter) lines(lines []line, indent string) {
	for i := range lines {
		l := &lines[i]
		if l.parts == nil {
			w.step(l, indent)
			continue
		}
		kind := "sequence"
		if l.mixed {
			kind = "any_order"
		}
		fmt.Fprintf(w, "%s- %s:%s\n", indent, kind, l.frames())
		w.lines(l.parts, indent+"    ")
		if l.repeated {
			fmt.Fprintf(w, "%s  repeat: 1..\n", indent)
		}
	}
}

// step writes a step. If its parts have a counter, it writes one step for the first part and one for the others.
func (w *scriptWriter) step(l *line, indent string) {
	one := writtenStep{line: l, where: l.where, save: l.save, within: -1, frames: l.frames()}
	switch {
	case w.loose && l.repeated:
		one.repeat = "1.."
	case w.loose:
	case l.counter.counts():
		one.save = append(slices.Clip(l.save), "part: "+l.counter.path)
		one.within = l.before
		if l.counter.always {
			one.where = append(slices.Clip(l.where), fmt.Sprintf("%s == %d", l.counter.path, l.counter.first))
		}
		w.plainStep(&one, indent)
		one.frames = ""
		one.where = append(slices.Clip(l.where), l.counter.path+" > $part")
		one.within = l.between
		one.repeat = fmt.Sprintf("0..%d", l.most-1)
	default:
		one.within = l.before
		if l.most > 1 {
			one.within = max(one.within, l.between)
			one.repeat = fmt.Sprintf("1..%d", l.most)
		}
	}
	w.plainStep(&one, indent)
}

// A writtenStep is a step to be written.
type writtenStep struct {
	*line
	where, save []string
	within      int64 // the longest time it took; -1: no limit
	repeat      string
	frames      string
}

// plainStep writes a step.
func (w *scriptWriter) plainStep(l *writtenStep, indent string) {
	fmt.Fprintf(w, "%s- %s%s\n", indent, l.head, l.frames)
	if from := fromNames[l.direction]; from != "" {
		fmt.Fprintf(w, "%s  from: %s\n", indent, from)
	}
	switch len(l.where) {
	case 0:
	case 1:
		fmt.Fprintf(w, "%s  where: %s\n", indent, scalar(l.where[0]))
	default:
		fmt.Fprintf(w, "%s  where:\n", indent)
		for _, x := range l.where {
			fmt.Fprintf(w, "%s    - %s\n", indent, scalar(x))
		}
	}
	if len(l.save) > 0 {
		fmt.Fprintf(w, "%s  save: {%s}\n", indent, strings.Join(l.save, ", "))
	}
	if within := margin(l.within); within != "" {
		fmt.Fprintf(w, "%s  within: %s\n", indent, within)
	}
	if l.repeat != "" {
		fmt.Fprintf(w, "%s  repeat: %s\n", indent, l.repeat)
	}
}

// maxScripts bounds the expectations of a file.
const maxScripts = 200

// Text returns a file with the expectations that the recorded groups fulfil. Groups with equal sequences share
// one. It returns "" if nothing was recorded. from names the source, for people.
func (r *Recorder) Text(from string) string {
	if !slices.ContainsFunc(r.ordered, func(t *recording) bool { return len(t.messages) > 0 }) {
		return ""
	}
	w := &scriptWriter{per: r.options.Per, filter: r.options.Filter, loose: r.options.Loose}
	fmt.Fprintf(w, "# Recorded from %s. Numbers behind # are frames.\n", comment(from))
	r.writeLeftOut(&w.Builder)
	if r.options.Loose {
		w.some(r.scripts())
	} else {
		w.classes(r.classes(), r.broken)
	}
	return w.String()
}

// scripts returns the expectation of each group, one for all groups with equal sequences.
func (r *Recorder) scripts() []*writtenExpectation {
	var scripts []*writtenExpectation
	known := make(map[string]*writtenExpectation)
	for _, t := range r.ordered {
		s := r.expectationOf(t)
		if s == nil {
			continue
		}
		key := t.protocol.Name + s.key
		if other := known[key]; other != nil {
			other.count++
			continue
		}
		known[key] = s
		scripts = append(scripts, s)
	}
	return scripts
}

// writeLeftOut lists the messages that were not recorded.
func (r *Recorder) writeLeftOut(b *strings.Builder) {
	left := make(map[string]int)
	without := 0
	for _, t := range r.ordered {
		for name, n := range t.skipped {
			left[name] += n
		}
		if len(t.messages) == 0 {
			without++
		}
	}
	if len(left) == 0 {
		return
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(left)) {
		list = append(list, fmt.Sprintf("%s (%d)", name, left[name]))
	}
	fmt.Fprintf(b, "# Left out, because they come at any time: %s\n", strings.Join(list, ", "))
	if without > 0 {
		fmt.Fprintf(b, "# %s had nothing else.\n", wire.Counted(without, r.options.Per))
	}
}

// comment makes a text safe in a comment.
func comment(s string) string { return string(format.AppendPlain(nil, s)) }
