package expect

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

func (r *run) frame(x *filter.Subject) Frame {
	name := x.Message.Name
	if from := fromNames[x.Message.Direction]; from != "" {
		name += " from " + from
	}
	return Frame{x.Place.Frame, name, r.line(x.Message)}
}

// Sentence returns the cause as a sentence, with the line in the file.
func (f *Failure) Sentence() string { return "line " + strconv.Itoa(f.Line) + ": " + f.Cause }

// at returns a text with the frame number, for the end of a cause.
func (f *Frame) at() string { return " (frame " + strconv.Itoa(f.Number) + ")" }

func (st *Step) wanted() string {
	name := st.Message
	if name == "" {
		name = "a message"
	}
	if from := fromNames[st.direction]; st.directed {
		name += " from " + from
	}
	return name
}

// A misfit is the reason why a thread ends at a message.
type misfit uint8

const (
	another   misfit = iota // another message was expected
	forbidden               // the message is forbidden here
	untimely                // the message came too early or too late
	surplus                 // no more messages were expected
)

func (r *run) cause(f *Failure, why misfit, t *thread, x *filter.Subject) string {
	came := f.Frame.Message + " came"
	switch {
	case why == forbidden:
		return came + ", which must not come here" + f.Frame.at()
	case why == untimely:
		return came + r.mistimed(t, f.Step, x.Place.Time) + f.Frame.at()
	case why == surplus || f.Step == nil:
		return came + " after the sequence had ended" + f.Frame.at()
	case len(f.Differs) > 0:
		return strings.Join(f.Differs, "; ") + f.Frame.at()
	}
	return came + ", expected " + f.Step.wanted() + f.Frame.at()
}

// absence returns the cause of a failure in which no message matched the step.
func (f *Failure) absence() string {
	text := "the sequence did not end"
	if f.Step != nil {
		text = f.Step.wanted() + " did not come"
	}
	if len(f.Differs) > 0 {
		text += ": " + strings.Join(f.Differs, "; ") + f.Nearest.at()
	}
	return text
}

// mistimed returns the cause if a message came too early or too late for its time limit.
func (r *run) mistimed(t *thread, st *Step, now int64) string {
	l, word := &st.within, "within"
	d, ok := l.since(t, now)
	if !ok || d <= l.time {
		l, word = &st.after, "after"
		d, _ = l.since(t, now)
	}
	return fmt.Sprintf(" %s after %s, expected %s %s", d.Round(time.Microsecond), r.marker(l), word, l.time)
}

// marker returns a name for the step that a limit counts from.
func (r *run) marker(l *limit) string {
	for _, st := range r.expectation.steps {
		if l.mark >= 0 && st.mark == l.mark {
			return "step " + strconv.Quote(st.Name)
		}
	}
	return "the step before"
}

func (r *run) brokenBounds(g *group) []*Failure {
	var list []*Failure
	b := &r.expectation.bounds
	if g.findings.count > 0 {
		list = append(list, &Failure{Line: b.line, Findings: g.first, Cause: g.findings.cause(b.severity)})
	}
	for i, m := range b.hold {
		x, ok := m.result(&g.tallies[i])
		if ok && m.allows(x) {
			continue
		}
		cause := " is " + m.number(x) + ", expected " + m.wanted
		if !ok {
			cause = " was not measured, expected " + m.wanted
			if r.texts[i] {
				cause += ": " + m.what + " is a text"
			}
		}
		list = append(list, &Failure{Line: m.line, Cause: m.subject + cause})
	}
	return list
}

func (f *findings) cause(severity wire.Severity) string {
	first := &f.first[0]
	expected := ", expected none of severity " + severity.String()
	if severity < wire.Error {
		expected += " or above"
	}
	if f.count == 1 {
		return "finding " + first.Rule.ID + expected + " (frame " + strconv.Itoa(first.Frame) + ")"
	}
	return fmt.Sprintf("%d findings, the first %s%s (frame %d)", f.count, first.Rule.ID, expected, first.Frame)
}

// number formats a result with its unit.
func (m *measure) number(x float64) string {
	text := strconv.FormatFloat(x, 'g', 6, 64)
	if m.kind == rateOf {
		return text + " a second"
	}
	if m.unit == "s" && m.aggregate != "count" {
		return strings.TrimSpace(strconv.FormatFloat(x*1e3, 'g', 4, 64)) + "ms"
	}
	return text
}
