package term

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// AppendFitting appends a text in lines of at most width columns. The first line continues the last line of dst, which
// has reached the given column. The other lines begin with indent spaces. Lines break at spaces. A word that is wider
// than a line is broken too. With width 0 there is one line.
func AppendFitting(dst, text []byte, column, indent, width int) []byte {
	if width == 0 {
		return append(dst, text...)
	}
	for first := true; len(text) > 0; first = false {
		if !first {
			dst = AppendBlanks(append(dst, '\n'), indent)
			column = indent
		}
		n := lineOf(text, width-column)
		dst = append(dst, text[:n]...)
		text = bytes.TrimLeft(text[n:], " ")
	}
	return dst
}

// lineOf returns how many bytes of a text fit on a line. They are whole words if possible, otherwise a part of a word
// with at least one character.
func lineOf(text []byte, width int) int {
	columns, words := 0, 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == ' ' && i > 0 && text[i-1] != ' ' {
			words = i
		}
		if columns += runewidth.RuneWidth(r); columns > width && i > 0 {
			if words > 0 {
				return words
			}
			return i
		}
		i += n
	}
	return len(text)
}

// Width returns how many columns a text takes.
func Width(text string) int { return runewidth.StringWidth(text) }

// Between joins the non-empty parts with a separator.
func Between(with string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), with)
}

// AppendParagraph appends a text in lines of at most width columns. It replaces each run of white space with one space.
func AppendParagraph(b []byte, text string, width int) []byte {
	return append(AppendFitting(b, []byte(strings.Join(strings.Fields(text), " ")), 0, 0, width), '\n')
}

// AppendBlanks appends n spaces.
func AppendBlanks(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}

// AlignRight moves b[start:] to the right end of a column of the given width.
func AlignRight(b []byte, start, width int) []byte {
	n := len(b) - start
	if n < width {
		b = AppendBlanks(b, width-n)
		copy(b[start+width-n:], b[start:start+n])
		for i := range width - n {
			b[start+i] = ' '
		}
	}
	return b
}

// TrimRight removes spaces from the end.
func TrimRight(b []byte) []byte { return bytes.TrimRight(b, " ") }

// CellWidth returns how many columns a text takes in a table.
func CellWidth(s string) int { return twwidth.Width(s) }

// cutCell cuts a text that is too wide, and appends CutMark.
func cutCell(s string, width int) string {
	if CellWidth(s) <= width {
		return s
	}
	room := width - CellWidth(CutMark)
	for i, r := range s {
		if room -= CellWidth(string(r)); room < 0 {
			return s[:i] + CutMark
		}
	}
	return s
}
