package format

import (
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendJSONText appends a text as a JSON string. It reads text that is not valid UTF-8 as Latin-1, and escapes
// characters that are not printable.
func AppendJSONText(b, text []byte) []byte {
	return append(appendJSONEscaped(append(b, '"'), text, !utf8.Valid(text)), '"')
}

// appendJSONEscaped appends a text, or a piece of a text, without quotes around it.
func appendJSONEscaped(b, text []byte, latin bool) []byte {
	if Plain(text) {
		return append(b, text...)
	}
	for len(text) > 0 {
		r, n := first(text, latin)
		text = text[n:]
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case strconv.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r >= 0x10000:
			high, low := utf16.EncodeRune(r)
			b = AppendJSONEscape(AppendJSONEscape(b, high), low)
		default:
			b = AppendJSONEscape(b, r)
		}
	}
	return b
}

// AppendJSONEscape appends a UTF-16 code unit as a JSON escape.
func AppendJSONEscape(b []byte, r rune) []byte {
	return append(b, '\\', 'u', hexDigit(r>>12), hexDigit(r>>8), hexDigit(r>>4), hexDigit(r))
}

func hexDigit(r rune) byte { return "0123456789abcdef"[r&15] }

func appendJSONFloat(b []byte, f float32) []byte {
	if f64 := float64(f); math.IsNaN(f64) || math.IsInf(f64, 0) {
		b = append(b, '"')
		b = AppendFloat(b, f)
		return append(b, '"')
	}
	return AppendFloat(b, f)
}

func appendJSONName(b []byte, name, suffix string) []byte {
	b = append(b, '"')
	b = append(b, name...)
	b = append(b, suffix...)
	return append(b, `":`...)
}
