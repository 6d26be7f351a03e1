package filter

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error describes what is wrong with a filter, and where.
type Error struct {
	Text    string // the whole filter
	Off     int    // of the first wrong byte
	Size    int    // bytes
	Reason  string
	Nearest []string // proposals
}

func (e *Error) Error() string {
	return fmt.Sprintf("column %d: %s%s", utf8.RuneCountInString(e.Text[:e.Off])+1, e.Reason, e.Meant())
}

// Meant returns a question with the proposals, or "".
func (e *Error) Meant() string { return DidYouMean(e.Nearest) }

// DidYouMean returns the question whether one of the names was meant, for the end of an error text. It returns ""
// without names.
func DidYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (did you mean " + strings.Join(names, " or ") + "?)"
}

// Excerpt returns the filter in one line with marks below the error. It shows ASCII control characters as spaces; the
// caller must escape others.
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
