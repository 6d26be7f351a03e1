package format

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendJSONText appends a text as JSON. Text that is not valid UTF-8 is read as Latin-1, and characters that are not
// printable are escaped.
func AppendJSONText[T string | []byte](b []byte, text T) []byte {
	b = append(b, '"')
	if Plain(text) {
		return append(append(b, text...), '"')
	}
	bytes := []byte(text)
	return append(appendJSONEscaped(b, bytes, !utf8.Valid(bytes)), '"')
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

func hexDigit(r rune) byte { return hexDigits[r&15] }

func appendJSONFloat(b []byte, f float32) []byte {
	if f-f != 0 { // NaN or infinite
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
