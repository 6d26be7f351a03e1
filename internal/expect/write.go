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

// A writtenExpectation is one that is being written, or a part of one.
type writtenExpectation struct {
	recording *recording
	lines     []line
	key       string // equal for those that say the same
	count     int    // groups that say it
}

// expectationOf turns what was recorded of a group into one, nil if there is nothing to expect.
func (r *Recorder) expectationOf(t *recording) *writtenExpectation {
	if len(t.messages) == 0 {
		return nil
	}
	lines := t.foldedLines()
	if one := &lines[0]; !r.options.Loose && !t.connection && len(lines) == 1 && len(one.parts) > 0 && one.repeated {
		lines = one.parts // it is written so that it may come again
	}
	return &writtenExpectation{t, lines, newGroupLine(lines, t.truncated, 1).key, 1}
}

// Text gives the expectations that what was recorded fulfils, as a file. Groups that say the same share
// one. It is "" if nothing was recorded. From says where it is from, for people.
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

// scripts gives the expectation of each group, one for those that say the same.
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

// comment makes a text fit for a comment.
func comment(s string) string { return string(format.AppendPlain(nil, s)) }

var fromNames = map[wire.Direction]string{wire.ToServer: "client", wire.FromServer: "server", wire.PeerToPeer: "peer"}

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

var isPlain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.$" ()/+*&|!<>=-]*$`)

// scalar writes a text as YAML reads it.
func scalar(s string) string {
	if isPlain.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
