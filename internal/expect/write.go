package expect

import (
	"fmt"
	"regexp"
	"strings"
)

// A writtenExpectation is an expectation to be written, or a part of one.
type writtenExpectation struct {
	recording *recording
	lines     []line
	key       string // equal for equal sequences
	count     int    // groups with this sequence
}

// expectationOf turns a recording into an expectation, nil if it has no messages.
func (r *Recorder) expectationOf(t *recording) *writtenExpectation {
	if len(t.messages) == 0 {
		return nil
	}
	lines := t.foldedLines()
	if one := &lines[0]; !r.options.Loose && !t.connection && len(lines) == 1 && len(one.parts) > 0 && one.repeated {
		lines = one.parts // the class writes the repetition
	}
	return &writtenExpectation{t, lines, newGroupLine(lines, t.truncated, 1).key, 1}
}

// frames returns a comment with the line's frames.
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

// scalar quotes a text for YAML if necessary.
func scalar(s string) string {
	if isPlain.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
