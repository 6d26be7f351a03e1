package term

import (
	"bytes"
	_ "embed"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// AppendFitting appends a text in lines of at most width columns: the first goes on at the column from, the others
// begin behind indent blanks. Lines end where blanks are, or in a word that is wider than a line. Of width 0 there is
// one line.
func AppendFitting(dst, text []byte, from, indent, width int) []byte {
	if width == 0 {
		return append(dst, text...)
	}
	for first := true; len(text) > 0; first = false {
		if !first {
			dst = AppendBlanks(append(dst, '\n'), indent)
			from = indent
		}
		n := lineOf(text, width-from)
		dst = append(dst, text[:n]...)
		text = bytes.TrimLeft(text[n:], " ")
	}
	return dst
}

// lineOf is how much of a text stands in a line of a width: whole words, or a part of one, a character at least.
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

func AppendBlanks(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}

// AppendParagraph writes a text in lines of a width.
func AppendParagraph(b []byte, text string, width int) []byte {
	return append(AppendFitting(b, []byte(strings.Join(strings.Fields(text), " ")), 0, 0, width), '\n')
}
