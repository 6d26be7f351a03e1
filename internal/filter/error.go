package filter

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error says what is wrong with a filter, and where.
type Error struct {
	Text    string // the whole filter
	Off     int    // of the first byte that is wrong
	Size    int    // bytes
	Reason  string
	Nearest []string // what may have been meant
}

func (e *Error) Error() string {
	return fmt.Sprintf("column %d: %s%s", utf8.RuneCountInString(e.Text[:e.Off])+1, e.Reason, e.Meant())
}

// Meant is "" or a question that names what may have been meant.
func (e *Error) Meant() string {
	if len(e.Nearest) == 0 {
		return ""
	}
	return DidYouMean(e.Nearest)
}

// DidYouMean is the question whether one of some names was meant, to stand behind the text of an error.
func DidYouMean(names []string) string {
	return " (did you mean " + strings.Join(names, " or ") + "?)"
}

// Excerpt is the filter in a line, and marks below what is wrong. ASCII control characters show as spaces;
// whoever prints it escapes the others.
func (e *Error) Excerpt() string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, e.Text)
	before := utf8.RuneCountInString(e.Text[:e.Off])
	marks := max(utf8.RuneCountInString(e.Text[e.Off:min(e.Off+e.Size, len(e.Text))]), 1)
	return plain + "\n" + strings.Repeat(" ", before) + strings.Repeat("^", marks)
}
