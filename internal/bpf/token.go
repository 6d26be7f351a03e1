package bpf

import (
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Limits of a filter's text. They are necessary because doubling the length more than doubles the time to compile a
// filter.
const (
	maxFilter  = 16 << 10 // bytes
	maxNesting = 100      // nested brackets, and operators before a value
)

type token struct {
	kind   tokenKind
	text   string // text in the filter; for "and", "or" and "not": "&&", "||" and "!"
	number uint32
	addr   netip.Addr // the address, if the token is an IPv6 address
	off    int        // offset in the filter
	size   int        // in bytes
}

type tokenKind uint8

const (
	endOfFilter tokenKind = iota
	word
	escaped // a word after a backslash: a protocol whose name is also a keyword
	number  // also a constant's name, such as tcp-syn
	dotted  // two to four numbers with dots between them: an IPv4 address or the first part of one
	ipv6
	mac
	sign // an operator, parenthesis or bracket
)

// signs are sorted so that a longer sign comes before its prefixes.
var signs = []string{
	"&&", "||", "<<", ">>", "<=", ">=", "==", "!=",
	"(", ")", "[", "]", ":", "+", "-", "*", "/", "%", "&", "|", "^", "!", "=", "<", ">",
}

// signOfWord maps words to the equivalent operators. "&" and "|" are only for numbers.
var signOfWord = map[string]string{"and": "&&", "or": "||", "not": "!"}

const (
	digits  = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	spaces  = " \t\r\n"
)

// lex splits a filter into tokens. It does not check which words belong to the language.
func lex(filter string) ([]token, error) {
	if len(filter) > maxFilter {
		return nil, &Error{Filter: filter, Off: -1,
			Reason: fmt.Sprintf("the filter has %d bytes, at most %d are allowed", len(filter), maxFilter)}
	}
	var tokens []token
	open, prefixes := 0, 0
	for at := 0; ; {
		rest := strings.TrimLeft(filter[at:], spaces)
		if at = len(filter) - len(rest); rest == "" {
			break
		}
		t, err := next(filter, at)
		if err != nil {
			return nil, err
		}
		switch t.text {
		case "(", "[":
			open++
		case ")", "]":
			open--
		}
		if prefixes++; t.text != "!" && t.text != "-" {
			prefixes = 0
		}
		if max(open, prefixes) > maxNesting {
			return nil, failAt(filter, t, "nested more than %d levels deep", maxNesting)
		}
		tokens = append(tokens, t)
		at += t.size
	}
	return append(tokens, token{off: len(strings.TrimRight(filter, spaces))}), nil
}

func next(filter string, at int) (token, error) {
	rest := filter[at:]
	if t, ok := address(rest); ok {
		t.off = at
		return t, nil
	}
	t := token{kind: sign, off: at}
	switch c := rest[0]; {
	case strings.IndexByte(digits, c) >= 0:
		t.text = rest[:span(rest, digits+letters+".")]
		t.size = len(t.text)
		return t, numeric(filter, &t)
	case strings.IndexByte(letters, c) >= 0:
		return named(token{kind: word, off: at, size: span(rest, digits+letters+".-")}, rest), nil
	case c == '\\' && span(rest[1:], digits+letters+"-") > 0:
		t.kind, t.size = escaped, 1+span(rest[1:], digits+letters+"-")
		t.text = rest[1:t.size]
		return t, nil
	}
	for _, s := range signs {
		if strings.HasPrefix(rest, s) {
			t.text, t.size = s, len(s)
			return t, nil
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	t.size = size
	return t, failAt(filter, t, "%q has no meaning in a capture filter", r)
}

func named(t token, rest string) token {
	t.text = rest[:t.size]
	if s, ok := signOfWord[t.text]; ok {
		t.kind, t.text = sign, s
	} else if n, ok := constants[t.text]; ok {
		t.kind, t.number = number, n
	}
	return t
}

// span counts the leading bytes of s that are in set.
func span(s, set string) int {
	for i := range len(s) {
		if strings.IndexByte(set, s[i]) < 0 {
			return i
		}
	}
	return len(s)
}

// macAddress matches addresses such as 0:11:22:aa:bb:cc, 00-11-22-AA-BB-CC, 0011.22aa.bbcc and 001122aabbcc.
var macAddress = sync.OnceValue(func() *regexp.Regexp {
	const (
		pairs  = `(?:[0-9a-f]{1,2}[:.-]){5}[0-9a-f]{1,2}`
		groups = `(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}`
		digits = `[0-9a-f]{12}`
	)
	return regexp.MustCompile(`(?i)^(?:` + pairs + `|` + groups + `|` + digits + `)$`)
})

// address reads an IPv6 or MAC address. Any other text with colons becomes several tokens.
func address(rest string) (token, bool) {
	text := rest[:span(rest, digits+letters+".:")]
	if a, err := netip.ParseAddr(text); err == nil && a.Is6() {
		return token{kind: ipv6, text: text, size: len(text), addr: a}, true
	}
	text = rest[:span(rest, digits+letters+".:-")]
	return token{kind: mac, text: text, size: len(text)}, macAddress().MatchString(text)
}

func (t token) mac() (n uint64) {
	groups := strings.FieldsFunc(t.text, func(r rune) bool { return strings.ContainsRune(":.-", r) })
	for _, g := range groups {
		bits, _ := strconv.ParseUint(g, 16, 48) // cannot fail, because macAddress matched
		n = n<<(48/len(groups)) | bits
	}
	return n
}

// numeric parses a number in C syntax, or numbers separated by dots.
func numeric(filter string, t *token) error {
	parts := strings.Split(t.text, ".")
	if len(parts) == 1 {
		n, err := strconv.ParseUint(t.text, 0, 32)
		if err != nil || strings.ContainsAny(t.text, "_oObB") && !strings.HasPrefix(t.text, "0x") {
			return failAt(filter, *t, "%q is not a number below 2^32, and names are not looked up", t.text)
		}
		t.kind, t.number = number, uint32(n)
		return nil
	}
	t.kind = dotted
	for _, p := range parts {
		n, err := strconv.ParseUint(p, 10, 8)
		if err != nil || len(parts) > 4 || len(p) > 1 && p[0] == '0' {
			return failAt(filter, *t, "%q is not an IPv4 address, and names are not looked up", t.text)
		}
		t.number = t.number<<8 | uint32(n)
	}
	t.number <<= 8 * (4 - len(parts))
	return nil
}

// parts counts the numbers of a dotted token.
func (t token) parts() int { return strings.Count(t.text, ".") + 1 }

func (t token) is(kind tokenKind, text string) bool { return t.kind == kind && t.text == text }

func (t token) isValue() bool { return t.kind >= number && t.kind <= mac }

func failAt(filter string, t token, format string, args ...any) *Error {
	return &Error{Filter: filter, Off: t.off, Size: t.size, Reason: fmt.Sprintf(format, args...)}
}
