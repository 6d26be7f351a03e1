package filter

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A quote is a pair of quotation marks. In a raw text, a backslash is not an escape.
type quote struct {
	begin, end string
	raw        bool
}

var quotes = []quote{{`"`, `"`, false}, {`'`, `'`, false}, {"“", "”", false}, {`r"`, `"`, true}, {`R"`, `"`, true}}

// quoted reads a text in quotes.
func (l *lexer) quoted(at int, q quote) token {
	var b strings.Builder
	pattern := l.afterMatches()
	for i := at + len(q.begin); i < len(l.text); {
		rest := l.text[i:]
		switch {
		case strings.HasPrefix(rest, q.end):
			s := b.String()
			return token{kind: quoted, text: s, off: at, size: i + len(q.end) - at, char: q.begin == "'" && isCharacter(s)}
		case rest[0] == '\\' && q.raw && len(rest) > 1:
			b.WriteString(rest[:2])
			i += 2
		case rest[0] == '\\' && len(rest) > 1:
			n, wrong := unescape(&b, rest, pattern)
			if wrong != "" {
				panic(&Error{Text: l.text, Off: i, Size: n, Reason: wrong})
			}
			i += n
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
	panic(&Error{Text: l.text, Off: at, Size: len(q.begin), Reason: "this text has no closing quote"})
}

// afterMatches reports whether the next text is a regular expression.
func (l *lexer) afterMatches() bool {
	n := len(l.tokens)
	return n > 0 && l.tokens[n-1].kind != quoted && (l.tokens[n-1].text == "matches" || l.tokens[n-1].text == "~")
}

func isCharacter(s string) bool { return len(s) == 1 || s != "" && utf8.RuneCountInString(s) == 1 }

var escapes = map[byte]byte{
	'\\': '\\', '"': '"', '\'': '\'', 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
}

// unescape writes the character for the escape sequence at the beginning of a text. It returns the length of the
// sequence and an error text. In a regular expression, it keeps the backslash of an unknown escape sequence.
func unescape(b *strings.Builder, s string, pattern bool) (n int, wrong string) {
	if pattern && s[1] == 'b' {
		return 2, `\b is a backspace; write \\b for a word boundary, or \b in r"..."`
	}
	if c, ok := escapes[s[1]]; ok {
		b.WriteByte(c)
		return 2, ""
	}
	switch s[1] {
	case 'x':
		return unescapeByte(b, s, 2, 2, 16)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return unescapeByte(b, s, 1, 3, 8)
	case 'u':
		return unescapeRune(b, s, 4)
	case 'U':
		return unescapeRune(b, s, 8)
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	if !pattern {
		return 1 + size, s[:1+size] + ` is not an escape sequence; write a backslash as \\`
	}
	b.WriteString(s[:1+size])
	return 1 + size, ""
}

// unescapeByte reads the value of a byte from up to most digits in the given base, which begin at offset from.
func unescapeByte(b *strings.Builder, s string, from, most, base int) (n int, wrong string) {
	end := from
	for end < min(from+most, len(s)) && digitBelow(s[end], base) {
		end++
	}
	x, err := strconv.ParseUint(s[from:end], base, 8)
	switch {
	case end == from:
		return min(from+most, len(s)), `\x needs one or two hexadecimal digits`
	case err != nil:
		return end, s[:end] + ` is larger than a byte, \377`
	}
	b.WriteByte(byte(x))
	return end, ""
}

func digitBelow(c byte, base int) bool {
	_, err := strconv.ParseUint(string(rune(c)), base, 8)
	return err == nil
}

func unescapeRune(b *strings.Builder, s string, digits int) (n int, wrong string) {
	end := min(2+digits, len(s))
	x, err := strconv.ParseUint(s[2:end], 16, 32)
	if err != nil || end < 2+digits || !utf8.ValidRune(rune(x)) || x > utf8.MaxRune {
		return end, s[:2] + " needs the " + strconv.Itoa(digits) + " hexadecimal digits of a character"
	}
	b.WriteRune(rune(x))
	return end, ""
}
