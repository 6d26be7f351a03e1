package expect

import (
	"fmt"
	"regexp"
	"strings"
)

type writtenExpectation struct {
	recording *recording   // the first recording with this sequence
	same      []*recording // all recordings with this sequence
	lines     []line
	key       string // equal for equal sequences
	count     int    // number of groups with this sequence
}

// expectationOf converts a recording to an expectation. It returns nil if the recording has no messages.
func (r *Recorder) expectationOf(t *recording) *writtenExpectation {
	if len(t.messages) == 0 {
		return nil
	}
	lines := t.unwrapped()
	return &writtenExpectation{t, []*recording{t}, lines, newGroupLine(lines, t.truncated, 1).key, 1}
}

// unwrapped converts a recording to steps. If the whole recording is a repetition, it returns the repeated steps only
// once, and the class writes the repetition.
func (t *recording) unwrapped() []line {
	lines := t.foldedLines()
	if one := &lines[0]; !t.connection && len(lines) == 1 && len(one.parts) > 0 && one.repeated {
		return one.parts
	}
	return lines
}

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
