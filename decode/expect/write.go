package expect

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// maxScripts is how many expectations are written: more different ones are no scenario.
const maxScripts = 200

// A writtenExpectation is one that is being written.
type writtenExpectation struct {
	recording *recording
	lines     []line
	count     int // groups that say the same
}

// Text gives the expectations that what was recorded fulfils, as a file. Groups that say the same share
// one. It is "" if nothing was recorded. From says where it is from, for people.
func (r *Recorder) Text(from string) string {
	scripts := r.scripts()
	if len(scripts) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Recorded from %s. Numbers behind # are frames.\n", comment(from))
	r.writeLeftOut(&b)
	if len(scripts) > maxScripts {
		fmt.Fprintf(&b, "# Of %d different expectations these are the first %d.\n", len(scripts), maxScripts)
		scripts = scripts[:maxScripts]
	}
	for i, s := range scripts {
		if i > 0 {
			b.WriteString("---\n")
		}
		r.write(&b, s, i+1)
	}
	return b.String()
}

// scripts gives the expectation of each group, one for those that say the same.
func (r *Recorder) scripts() []*writtenExpectation {
	var scripts []*writtenExpectation
	known := make(map[string]*writtenExpectation)
	for _, t := range r.ordered {
		if len(t.messages) == 0 {
			continue
		}
		lines := r.foldedLines(t)
		whole := newGroupLine(lines, t.truncated, 1)
		key := t.protocol.Name + whole.key
		if s := known[key]; s != nil {
			s.count++
			continue
		}
		s := &writtenExpectation{t, lines, 1}
		known[key] = s
		scripts = append(scripts, s)
	}
	return scripts
}

// writeLeftOut says which messages were not recorded.
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
	b.WriteString("# Left out, because they come at any time:")
	for i, name := range slices.Sorted(maps.Keys(left)) {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, " %s (%d)", name, left[name])
	}
	b.WriteByte('\n')
	if without > 0 {
		fmt.Fprintf(b, "# %s had nothing else.\n", wire.Counted(without, r.options.Per))
	}
}

// write writes one expectation.
func (r *Recorder) write(b *strings.Builder, s *writtenExpectation, number int) {
	first, last := &s.recording.messages[0], &s.recording.messages[len(s.recording.messages)-1]
	name := first.kind.Name
	if last != first {
		name += " to " + last.kind.Name
	}
	fmt.Fprintf(b, "name: %s %d, %s\nprotocol: %s\n", s.recording.protocol.Name, number, name, s.recording.protocol.Name)
	if r.options.Per != perConversation {
		fmt.Fprintf(b, "per: %s\n", r.options.Per)
	}
	groups := wire.Counted(s.count, r.options.Per)
	fmt.Fprintf(b, "fulfilled: some # %s of this capture; all would be stricter\nsequence:\n", groups)
	writeLines(b, s.lines, "  ")
	if s.recording.truncated {
		b.WriteString("  - rest: anything # it goes on\n")
	}
}

// comment makes a text fit for a comment.
func comment(s string) string { return string(format.AppendPlain(nil, s)) }

var fromNames = map[wire.Direction]string{wire.ToServer: "client", wire.FromServer: "server", wire.PeerToPeer: "peer"}

// writeLines writes steps behind an indent.
func writeLines(b *strings.Builder, lines []line, indent string) {
	for i := range lines {
		l := &lines[i]
		if l.parts != nil {
			kind := "sequence"
			if l.mixed {
				kind = "any_order"
			}
			fmt.Fprintf(b, "%s- %s:%s\n", indent, kind, l.frames())
			writeLines(b, l.parts, indent+"    ")
			if l.repeated {
				fmt.Fprintf(b, "%s  repeat: 1..\n", indent)
			}
			continue
		}
		fmt.Fprintf(b, "%s- %s%s\n", indent, l.head, l.frames())
		if from := fromNames[l.direction]; from != "" {
			fmt.Fprintf(b, "%s  from: %s\n", indent, from)
		}
		switch len(l.where) {
		case 0:
		case 1:
			fmt.Fprintf(b, "%s  where: %s\n", indent, scalar(l.where[0]))
		default:
			fmt.Fprintf(b, "%s  where:\n", indent)
			for _, w := range l.where {
				fmt.Fprintf(b, "%s    - %s\n", indent, scalar(w))
			}
		}
		if len(l.save) > 0 {
			fmt.Fprintf(b, "%s  save: {%s}\n", indent, strings.Join(l.save, ", "))
		}
		if l.repeated {
			fmt.Fprintf(b, "%s  repeat: 1..\n", indent)
		}
	}
}

// frames tells where the line is from, for people.
func (l *line) frames() string {
	switch {
	case l.times > 1:
		return fmt.Sprintf(" # %d to %d, %d times", l.first, l.last, l.times)
	case l.last != l.first:
		return fmt.Sprintf(" # %d to %d", l.first, l.last)
	}
	return fmt.Sprintf(" # %d", l.first)
}

var isPlain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.]* == [A-Za-z0-9_.$"][A-Za-z0-9_.$" ()/+*-]*$`)

// scalar writes a text as YAML reads it.
func scalar(s string) string {
	if isPlain.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
