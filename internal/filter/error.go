package filter

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error describes an error in a filter and its position.
type Error struct {
	Text    string // the whole filter
	Off     int    // offset of the first wrong byte
	Size    int    // number of wrong bytes
	Reason  string
	Nearest []string // similar names or filters to use instead
}

func (e *Error) Error() string {
	return fmt.Sprintf("column %d: %s%s", utf8.RuneCountInString(e.Text[:e.Off])+1, e.Reason, e.Meant())
}

// Meant returns a question that lists the proposals, or "" if there are none.
func (e *Error) Meant() string { return DidYouMean(e.Nearest) }

// DidYouMean returns a question that lists the names, to be appended to an error text. Without names, it returns "".
func DidYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (did you mean " + strings.Join(names, " or ") + "?)"
}

// Excerpt returns the filter in one line, and a second line with marks below the error. It replaces ASCII control
// characters with spaces. The caller must escape other unprintable characters.
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
