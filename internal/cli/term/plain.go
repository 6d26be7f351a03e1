package term

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Texts that come from outside, from captures, names of files or the command line, reach no output as they are: what is
// not plainly printable, such as control characters, escape sequences and marks that turn the direction of writing,
// may change what a terminal shows.

// AppendPlain writes such a text for people.
func AppendPlain(b []byte, text string) []byte { return format.AppendPlain(b, text) }

// PlainJSON writes JSON so that its texts are the same and plainly printable.
func PlainJSON(text []byte) []byte {
	return appendPrintable(nil, text, func(b []byte, r rune) []byte {
		if r >= 0x10000 {
			high, low := utf16.EncodeRune(r)
			return format.AppendJSONEscape(format.AppendJSONEscape(b, high), low)
		}
		return format.AppendJSONEscape(b, r)
	})
}

// PlainXML does the same for XML. Its encoder has replaced what XML cannot have.
func PlainXML(text []byte) []byte {
	return appendPrintable(nil, text, func(b []byte, r rune) []byte {
		b = strconv.AppendInt(append(b, "&#x"...), int64(r), 16)
		return append(b, ';')
	})
}

// appendPrintable writes a text with escapes for what is not plainly printable, but for the ends of lines.
func appendPrintable(b, text []byte, escape func([]byte, rune) []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		if r == '\n' || strconv.IsPrint(r) {
			b = utf8.AppendRune(b, r)
		} else {
			b = escape(b, r)
		}
	}
	return b
}

// Escaped writes a text from the traffic for people.
func Escaped(text string) string { return string(format.AppendUnquoted(nil, []byte(text))) }
