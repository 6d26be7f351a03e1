package filter

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

type token struct {
	kind tokenKind
	char bool   // one character in single quotes
	text string // contents of a text in quotes, with escapes replaced
	off  int
	size int
}

type tokenKind uint8

const (
	endOfFilter tokenKind = iota
	word                  // name or value: letters, digits, and . : / $ -
	quoted                // text in quotes
	operator              // == != && ...
	bracket               // ( ) { } [ ] ,
)

// operators are sorted so that a longer operator comes before its prefixes.
var operators = []string{"===", "!==", "==", "!=", "~=", ">=", "<=", "&&", "||", "^^", "=>", "=<", "<>", "=~", "..",
	">", "<", "!", "&", "~", "=", "+", "-", "*", "/", "%", "#", "@"}

const (
	notInWords = "()[]{},\"'!=<>&|^~+*%#@ \t\r\n"
	blanks     = " \t\r\n"
)

// lex splits a filter into tokens. It panics with an *Error.
func lex(text string) []token {
	var l lexer
	l.text = text
	end := len(strings.TrimRight(text, blanks))
	for l.at < end {
		t := l.next()
		l.add(t)
		if t.kind == bracket && t.text == "[" {
			l.ranges()
		}
	}
	return append(l.tokens, token{kind: endOfFilter, off: end})
}

type lexer struct {
	text   string
	at     int
	tokens []token
}

func (l *lexer) add(t token) {
	t.text = l.plainWord(t)
	l.tokens = append(l.tokens, t)
	l.at = t.off + t.size
}

// plainWord returns a token's text. It changes an operator that is a word to lower case.
func (l *lexer) plainWord(t token) string {
	if t.kind != word {
		return t.text
	}
	low := strings.ToLower(t.text)
	if _, is := comparisons[low]; is || slices.Contains(connectives, low) {
		return low
	}
	return t.text
}

// ranges reads the ranges of a slice, up to the closing bracket.
func (l *lexer) ranges() {
	for {
		rest := strings.TrimLeft(l.text[l.at:], blanks)
		l.at = len(l.text) - len(rest)
		n := strings.IndexAny(rest, ",]")
		if n < 0 {
			n = len(strings.TrimRight(rest, blanks))
		}
		if inside := strings.TrimRight(rest[:n], blanks); inside != "" {
			l.tokens = append(l.tokens, token{kind: word, text: strings.ReplaceAll(inside, " ", ""), off: l.at,
				size: len(inside)})
			l.at += n
		}
		if !strings.HasPrefix(l.text[l.at:], ",") {
			return
		}
		l.add(token{kind: bracket, text: ",", off: l.at, size: 1})
	}
}

// next returns the next token. The input must not be empty.
func (l *lexer) next() token {
	rest := strings.TrimLeft(l.text[l.at:], blanks)
	at := len(l.text) - len(rest)
	if strings.ContainsRune("()[]{},", rune(rest[0])) {
		return token{kind: bracket, text: rest[:1], off: at, size: 1}
	}
	for _, q := range quotes {
		if strings.HasPrefix(rest, q.begin) {
			return l.quoted(at, q)
		}
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			return token{kind: operator, text: op, off: at, size: len(op)}
		}
	}
	n := wordLength(rest)
	if n == 0 {
		r, size := utf8.DecodeRuneInString(rest)
		panic(&Error{Text: l.text, Off: at, Size: size, Reason: fmt.Sprintf("%q has no meaning", r)})
	}
	return token{kind: word, text: rest[:n], off: at, size: n}
}

// wordLength returns the length of the word at the beginning of a text.
func wordLength(s string) int {
	for i := range len(s) {
		rest := s[i:]
		switch {
		case strings.HasPrefix(rest, "..") && i > 0 || strings.HasPrefix(rest, "“"):
			return i
		case rest[0] == '+' && (inExponent(s[:i]) || inTime(s[:i])):
		case strings.IndexByte(notInWords, rest[0]) >= 0:
			return i
		}
	}
	return len(s)
}

// inExponent reports whether a plus sign after the text is part of a number, as in 1e+5.
func inExponent(s string) bool {
	digits := strings.TrimRight(strings.ToLower(s), "e")
	return len(digits) == len(s)-1 && digits != "" && strings.Trim(digits, "0123456789.") == ""
}

// inTime reports whether a plus sign after the text is part of a time, as in 2026-11-20T09:16:03+02:00.
func inTime(s string) bool { return len(s) >= len("2006-01-02T15:04") && s[4] == '-' && s[10] == 'T' }
