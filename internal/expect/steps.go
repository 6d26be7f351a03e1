package expect

import (
	"fmt"
	"slices"
	"strings"
)

func (w *scriptWriter) lines(lines []line, indent string) {
	for i := range lines {
		l := &lines[i]
		if l.parts == nil {
			w.step(l, indent)
			continue
		}
		kind := "sequence"
		switch {
		case l.mixed:
			kind = "any_order"
		case l.choice && len(l.parts) == 1 && l.parts[0].parts == nil:
			one := &l.parts[0]
			w.plainStep(&writtenStep{line: one, where: one.where, save: one.save, within: w.within(one), repeat: l.often(),
				frames: one.frames()}, indent)
			continue
		case l.choice:
			kind = "one_of"
		}
		fmt.Fprintf(w, "%s- %s:%s\n", indent, kind, l.frames())
		w.lines(l.parts, indent+"    ")
		if often := l.often(); often != "" {
			fmt.Fprintf(w, "%s  repeat: %s\n", indent, often)
		}
	}
}

// often formats how often a group may come. It returns "" for exactly once.
func (l *line) often() string {
	switch {
	case l.optional && l.repeated:
		return "0.."
	case l.optional:
		return "0..1"
	case l.repeated:
		return "1.."
	}
	return ""
}

// within returns the longest time that a step took, or -1 for no limit.
func (w *scriptWriter) within(l *line) int64 {
	if w.Loose || l.before < 0 {
		return -1
	}
	return max(l.before, l.between)
}

// step writes a step. If the parts of a message have a counter, step writes two steps: one for the first part, and one
// for the other parts.
func (w *scriptWriter) step(l *line, indent string) {
	one := writtenStep{line: l, where: l.where, save: l.save, within: -1, frames: l.frames()}
	switch {
	case w.Loose && l.repeated:
		one.repeat = "1.."
	case w.Loose:
	case l.counter.counts() && !w.several:
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
		one.within = w.within(l)
		if w.several && (l.repeated || l.most > 1) {
			one.repeat = "1.."
		} else if l.most > 1 {
			one.repeat = fmt.Sprintf("1..%d", l.most)
		}
	}
	w.plainStep(&one, indent)
}

func (w *scriptWriter) least() int64 {
	if w.several {
		return minOfMany
	}
	return minLimit
}

type writtenStep struct {
	*line
	where, save []string
	within      int64 // longest time that the step took; -1: no limit
	repeat      string
	frames      string
}

// plainStep writes a step, ignoring counters and repetition.
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
	if within := margin(l.within, w.least()); within != "" {
		fmt.Fprintf(w, "%s  within: %s\n", indent, within)
	}
	if l.repeat != "" {
		fmt.Fprintf(w, "%s  repeat: %s\n", indent, l.repeat)
	}
}
