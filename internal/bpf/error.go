package bpf

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error says why a filter is rejected and, if known, which part of the filter is wrong.
type Error struct {
	Filter string
	Off    int // offset of the first wrong byte; -1: the whole filter
	Size   int // number of wrong bytes
	Reason string
}

func (e *Error) Error() string {
	if e.Off < 0 {
		return e.Reason
	}
	return fmt.Sprintf("column %d: %s", utf8.RuneCountInString(e.Filter[:e.Off])+1, e.Reason)
}

// Excerpt returns the filter in one line. If known, a second line marks the wrong part. Control characters are replaced
// with spaces.
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
