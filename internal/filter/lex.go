package filter

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

type token struct {
	kind tokenKind
	text string // of a quoted text: without quotes and escapes
	off  int
	size int
}

type tokenKind uint8

const (
	endOfFilter tokenKind = iota
	word                  // a name or a value: letters, digits, and . : / $ - +
	quoted                // a text in quotes
	operator              // == != && ...
	bracket               // ( ) { } [ ] ,
)

// operators, the longer ones first.
var operators = []string{"===", "!==", "==", "!=", "~=", ">=", "<=", "&&", "||", "^^", "=>", "=<", "<>", "=~", ">", "<",
	"!", "&", "~", "="}

const notInWords = "()[]{},\"'!=<>&|^~ \t\r\n"

// lex splits a filter into tokens. It panics with an *Error.
func lex(text string) []token {
	var tokens []token
	end := len(strings.TrimRight(text, " \t\r\n"))
	for at := 0; at < end; {
		t := next(text, at)
		at = t.off + t.size
		tokens = append(tokens, t)
	}
	return append(tokens, token{kind: endOfFilter, off: end})
}

// next returns the next token from an offset on. There has to be one.
func next(text string, at int) token {
	rest := strings.TrimLeft(text[at:], " \t\r\n")
	at = len(text) - len(rest)
	switch {
	case strings.ContainsRune("()[]{},", rune(rest[0])):
		return token{bracket, rest[:1], at, 1}
	case rest[0] == '"' || rest[0] == '\'':
		return lexQuoted(text, at, 0)
	case strings.HasPrefix(rest, `r"`):
		return lexQuoted(text, at, 1)
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			return token{operator, op, at, len(op)}
		}
	}
	n := strings.IndexAny(rest, notInWords)
	if n < 0 {
		n = len(rest)
	}
	if n == 0 {
		r, size := utf8.DecodeRuneInString(rest)
		panic(&Error{Text: text, Off: at, Size: size, Reason: fmt.Sprintf("%q has no meaning", r)})
	}
	return token{word, rest[:n], at, n}
}

// lexQuoted reads a text in quotes. With prefix 1 the letter r precedes it, which keeps backslashes.
func lexQuoted(text string, at, prefix int) token {
	quote := text[at+prefix]
	var b strings.Builder
	for i := at + prefix + 1; i < len(text); {
		switch x := text[i]; {
		case x == quote:
			return token{quoted, b.String(), at, i + 1 - at}
		case x == '\\' && prefix == 0 && i+1 < len(text):
			n := unescape(&b, text[i:])
			if n == 0 {
				panic(&Error{Text: text, Off: i, Size: len(`\x00`), Reason: `\x wants two hexadecimal digits`})
			}
			i += n
		default:
			b.WriteByte(x)
			i++
		}
	}
	panic(&Error{Text: text, Off: at, Size: prefix + 1, Reason: "this text has no closing quote"})
}

// unescape writes the character that an escape at the start of a text means, and returns the escape's length, 0 if it
// is wrong. An unknown escape keeps its backslash, so that regular expressions need not double theirs.
func unescape(b *strings.Builder, s string) int {
	switch s[1] {
	case '\\', '"', '\'':
		b.WriteByte(s[1])
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case 'x':
		n, err := strconv.ParseUint(s[2:min(4, len(s))], 16, 8)
		if err != nil || len(s) < 4 {
			return 0
		}
		b.WriteByte(byte(n))
		return 4
	default:
		b.WriteString(s[:2])
	}
	return 2
}
