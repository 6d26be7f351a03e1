package term

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Captures, file names and the command line may contain control characters, escape sequences and marks that reverse the
// text direction. All of these change what a terminal shows, so output escapes them.

// PlainJSON escapes unprintable characters in a JSON text. The values of its strings stay the same.
func PlainJSON(text []byte) []byte {
	return appendPrintable(nil, text, func(b []byte, r rune) []byte {
		if r >= 0x10000 {
			high, low := utf16.EncodeRune(r)
			return format.AppendJSONEscape(format.AppendJSONEscape(b, high), low)
		}
		return format.AppendJSONEscape(b, r)
	})
}

// AppendJSON appends a value as JSON without unprintable characters, and a newline.
func AppendJSON(b []byte, value any, indent string) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(value)
	return append(b, PlainJSON(text.Bytes())...), err
}

// PlainXML escapes unprintable characters in an XML text. The XML encoder must already have replaced characters that
// XML forbids.
func PlainXML(text []byte) []byte {
	return appendPrintable(nil, text, func(b []byte, r rune) []byte {
		b = strconv.AppendInt(append(b, "&#x"...), int64(r), 16)
		return append(b, ';')
	})
}

// plain returns how many printable ASCII characters and newlines a text begins with.
func plain(text []byte) int {
	for i, c := range text {
		if (c < ' ' || c > '~') && c != '\n' {
			return i
		}
	}
	return len(text)
}

// appendPrintable appends a text. It escapes all unprintable characters except newlines.
func appendPrintable(b, text []byte, escape func([]byte, rune) []byte) []byte {
	b = slices.Grow(b, len(text))
	for len(text) > 0 {
		if n := plain(text); n > 0 {
			b, text = append(b, text[:n]...), text[n:]
			continue
		}
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

// ShellQuoted quotes a text as one word for a shell.
func ShellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
