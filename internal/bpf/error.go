package bpf

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error says why a filter is refused, and where if that is known.
type Error struct {
	Filter string
	Off    int // of the first byte that is wrong; -1 when the whole filter is
	Size   int // bytes that are wrong
	Reason string
}

func (e *Error) Error() string {
	if e.Off < 0 {
		return e.Reason
	}
	return fmt.Sprintf("column %d: %s", utf8.RuneCountInString(e.Filter[:e.Off])+1, e.Reason)
}

// Excerpt is the filter in a line, and marks below what is wrong if that is known. Control characters
// show as spaces.
func (e *Error) Excerpt() string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, e.Filter)
	if e.Off < 0 {
		return plain
	}
	before := utf8.RuneCountInString(e.Filter[:e.Off])
	marks := max(utf8.RuneCountInString(e.Filter[e.Off:min(e.Off+e.Size, len(e.Filter))]), 1)
	return plain + "\n" + strings.Repeat(" ", before) + strings.Repeat("^", marks)
}
