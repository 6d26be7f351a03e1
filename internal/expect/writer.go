package expect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/filter"
)

type scriptWriter struct {
	strings.Builder
	RecordOptions
	several bool // there are several sessions
	written int  // number of expectations written so far
}

// Limits for the expectation of one class. If a class exceeds them, its expectation has only what the groups have in
// common. With RecordOptions.Exact, several expectations are written instead, which only some groups must fulfil.
const (
	maxVariants     = 6
	maxCompared     = 100 // maximum number of variants with RecordOptions.Exact
	maxWrittenSteps = 2000
)

// some writes expectations that only some groups must fulfil.
func (w *scriptWriter) some(c *class) {
	list := c.variants
	if len(list) > maxScripts {
		fmt.Fprintf(w, "# The first %[2]d of %[1]d different expectations.\n", len(list), maxScripts)
		list = list[:maxScripts]
	}
	for _, s := range list {
		w.begin(s.recording.protocol, s.span())
		groups := wire.Counted(s.count, w.Per)
		fmt.Fprintf(w, "fulfilled: some # %s of this capture; all would be stricter\nsequence:\n", groups)
		switch {
		case s.recording.truncated:
			w.lines(s.lines, "  ")
			w.WriteString("  - rest: anything # more messages follow\n")
		case c.again:
			w.WriteString("  - sequence:\n")
			w.lines(s.lines, "      ")
			w.WriteString("    repeat: 1..\n")
		default:
			w.lines(s.lines, "  ")
		}
	}
}

func (w *scriptWriter) begin(p *wire.Protocol, about string) {
	if w.written++; w.written > 1 {
		w.WriteString("---\n")
	}
	fmt.Fprintf(w, "name: %s %d, %s\nprotocol: %s\n", p.Name, w.written, about, p.Name)
	if w.Per != perConversation {
		fmt.Fprintf(w, "per: %s\n", w.Per)
	}
	if w.Filter != "" {
		fmt.Fprintf(w, "filter: %s\n", scalar(w.Filter))
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

// classes writes an expectation for each class, and an expectation about findings for each protocol.
func (w *scriptWriter) classes(list []*class, broken map[*wire.Protocol]map[*wire.Rule]bool) {
	var protocols []*wire.Protocol
	for _, c := range list {
		if !slices.Contains(protocols, c.protocol) {
			protocols = append(protocols, c.protocol)
		}
		if len(c.variants) > 0 && !(w.several && c.sessions() == 1) {
			w.class(c)
		}
	}
	for _, p := range protocols {
		if w.Loose {
			break
		}
		w.noAnswerFirst(p, list)
		w.begin(p, "findings")
		w.bounds(broken[nil], broken[p])
	}
}

// attempts writes, for each protocol, how many attempts must succeed, how many may fail, and how much may be lost.
func (w *scriptWriter) attempts(r *Recorder) {
	if w.Loose || w.Filter != "" {
		return
	}
	w.Per = perCapture
	var protocols []*wire.Protocol
	for _, t := range r.ordered {
		if slices.Contains(protocols, t.protocol) {
			continue
		}
		protocols = append(protocols, t.protocol)
		list, losses := r.attemptsOf(t.protocol), map[string]int64(nil)
		if w.several {
			losses = r.lossesOf(t.protocol)
		}
		if len(list)+len(losses) == 0 {
			continue
		}
		w.begin(t.protocol, "attempts")
		w.WriteString("bounds:\n  hold:\n")
		for _, of := range list {
			of.write(w)
		}
		for _, what := range slices.Sorted(maps.Keys(losses)) {
			fmt.Fprintf(w, "    - %s total %s\n", what, atMost(losses[what]))
		}
	}
}

// write writes the bounds for one kind of attempts. If only one session was recorded, it requires only one successful
// attempt, because another session may have fewer attempts.
func (of *recordedAttempts) write(w *scriptWriter) {
	line := func(outcome, bound string) { fmt.Fprintf(w, "    - attempts %s %s %s\n", of.kind, outcome, bound) }
	if of.done > 0 && of.kind != decode.Connections.Name { // other expectations check connections
		if !w.several {
			of.done = 1
		}
		line(wire.Done.String(), fmt.Sprintf(">= %d", of.done))
	}
	if len(of.most) > 1 {
		for _, outcome := range slices.Sorted(maps.Keys(of.most)) {
			line(outcome, atMost(of.most[outcome]))
		}
	}
	line(anyFailure, atMost(of.failed))
}

func atMost(n int64) string {
	if n == 0 {
		return "== 0"
	}
	return fmt.Sprintf("<= %d", n)
}

// noAnswerFirst writes the expectation that no group begins with an answer, because a question would then be missing.
// It leaves out connections, because other expectations notice if the beginning of a connection is missing.
func (w *scriptWriter) noAnswerFirst(p *wire.Protocol, list []*class) {
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
	if len(answers) == 0 || w.Per == perCapture {
		return
	}
	w.begin(p, "answers without a question")
	fmt.Fprintf(w, "begins: %s\nfulfilled: 0\nsequence:\n  - expect: any\n  - rest: anything\n",
		scalar(strings.Join(slices.Sorted(maps.Keys(answers)), " || ")))
}

// bounds writes that only rules of recorded findings may be broken. If notes were recorded, it allows all notes,
// because normal traffic may have notes.
func (w *scriptWriter) bounds(broken ...map[*wire.Rule]bool) {
	severity := wire.Note
	if w.several {
		severity = wire.Warning
	}
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

func (w *scriptWriter) class(c *class) {
	variants, about := c.variants, c.message
	again, mode := c.again && !c.truncated, modeOrdered
	if w.Loose {
		mode = modeLoose
	}
	most := maxVariants
	if w.Exact {
		most = maxCompared
	}
	long := c.truncated || len(variants) > most || countAll(variants) > maxWrittenSteps
	switch {
	case w.Exact && long:
		w.some(c)
		return
	case w.several:
		variants, again, mode = c.shared(), false, modeOpen
		if slices.ContainsFunc(variants, func(v *writtenExpectation) bool { return len(v.lines) == 0 }) {
			return // the recordings have no step in common
		}
	case len(variants) == 1:
		about = variants[0].span()
	case !w.Exact && long:
		variants = c.general()
	}
	w.begin(c.protocol, about)
	if w.Per != perCapture {
		fmt.Fprintf(w, "begins: %s\n", scalar(c.begins))
	}
	w.heading(c.groups, mode)
	switch {
	case len(variants) == 1 && !c.empty && !again:
		w.lines(variants[0].lines, "  ")
	case len(variants) == 1:
		w.WriteString("  - sequence:\n")
		w.lines(variants[0].lines, "      ")
	default:
		w.WriteString("  - one_of:\n")
		for _, v := range variants {
			w.variant(v)
		}
	}
	if again {
		w.WriteString("    repeat: 1..\n")
	}
	if c.empty {
		w.WriteString("    optional: true\n")
	}
	if c.truncated {
		w.WriteString("  - rest: anything # more messages follow\n")
	}
}

// heading writes how many groups must fulfil a sequence, and what may come between the messages of the sequence.
func (w *scriptWriter) heading(groups int, mode string) {
	fulfilled, source, more := "all", "this capture", ""
	if w.several {
		source = "these captures"
	}
	if w.Loose {
		fulfilled, more = "some", "; all would be stricter"
	}
	fmt.Fprintf(w, "fulfilled: %s # %s of %s%s\n", fulfilled, wire.Counted(groups, w.Per), source, more)
	if mode != modeLoose { // the default
		fmt.Fprintf(w, "mode: %s\n", mode)
	}
	w.WriteString("sequence:\n")
}

func (w *scriptWriter) variant(v *writtenExpectation) {
	if len(v.lines) == 1 && v.lines[0].counter == nil {
		w.lines(v.lines, "      ")
		return
	}
	fmt.Fprintf(w, "      - sequence: # %s\n", wire.Counted(v.count, w.Per))
	w.lines(v.lines, "          ")
}

func countAll(list []*writtenExpectation) (n int) {
	for _, v := range list {
		n += countSteps(v.lines)
	}
	return n
}

func countSteps(lines []line) (n int) {
	for i := range lines {
		n += max(1, countSteps(lines[i].parts))
	}
	return n
}

const maxScripts = 200

// Text returns a file with expectations that the recorded groups fulfil. Groups with equal sequences share one
// expectation. If nothing was recorded, Text returns "". from is the name of the source, for a comment in the file.
func (r *Recorder) Text(from string) string {
	if !slices.ContainsFunc(r.ordered, func(t *recording) bool { return len(t.messages) > 0 }) {
		return ""
	}
	w := &scriptWriter{RecordOptions: r.options, several: len(r.files) > 1 && !r.options.Exact}
	fmt.Fprintf(w, "# Recorded from %s. Numbers behind # are frames.\n", comment(from))
	r.writeLeftOut(&w.Builder)
	w.classes(r.classes(), r.broken)
	w.attempts(r)
	return w.String()
}

// writeLeftOut lists the messages that were left out.
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

func comment(s string) string { return string(format.AppendPlain(nil, s)) }
