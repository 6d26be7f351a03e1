package anonymize

import (
	"bytes"
	"encoding/hex"
	"net/netip"
	"strconv"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// document rewrites an HTTP document. privacy classifies the keys of JSON. Other documents are mapped as text.
func (a *Anonymizer) document(body []byte, privacy func(key string) wire.Privacy) []byte {
	start := bytes.TrimLeft(body, " \t\r\n")
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		text := bytes.Clone(body)
		a.texts.text(text)
		return text
	}
	j := jsonRewriter{anonymizer: a, privacy: privacy}
	if out := j.fit(j.rewrite(body), len(body)); out != nil {
		return out
	}
	j.widths = true
	return j.rewrite(body)
}

// A jsonRewriter rewrites the strings of a JSON text, which may be incomplete or invalid. It replaces an address with
// the text of the mapped address. If the lengths differ, it adds or removes spaces between tokens.
type jsonRewriter struct {
	anonymizer *Anonymizer
	privacy    func(key string) wire.Privacy
	widths     bool  // keep the length of each number in an address, because there are too few spaces
	blanks     []int // offsets of spaces between tokens, in the output
	key        string
}

func (j *jsonRewriter) rewrite(body []byte) []byte {
	j.blanks, j.key = j.blanks[:0], ""
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); {
		if body[i] != '"' {
			n, _ := wordAt(body[i:], true)
			n = max(n, 1)
			if body[i] == ' ' {
				j.blanks = append(j.blanks, len(out))
			}
			out = append(out, body[i:i+n]...)
			if !literals[string(body[i:i+n])] && n > 1 {
				j.anonymizer.texts.text(out[len(out)-n:])
			}
			i += n
			continue
		}
		n, closed := quoted(body[i:])
		inside := body[i+1 : i+n]
		rest := body[i+n:]
		if closed {
			inside = inside[:len(inside)-1]
			rest = bytes.TrimLeft(rest, " \t\r\n")
		}
		out = append(out, '"')
		out = append(out, j.text(inside, closed && bytes.HasPrefix(rest, []byte(":")))...)
		if closed {
			out = append(out, '"')
		}
		i += n
	}
	return out
}

// literals are the words that JSON has outside strings. All other words outside strings are replaced: if a quote is
// missing, they may be text that a player wrote.
var literals = map[string]bool{"true": true, "false": true, "null": true}

// quoted returns the length of the string at the beginning of b, and whether the string is closed.
func quoted(b []byte) (n int, closed bool) {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1, true
		}
	}
	return len(b), false
}

// text rewrites the characters between two quotes.
func (j *jsonRewriter) text(inside []byte, isKey bool) []byte {
	if isKey {
		j.key = string(inside)
		if plainKey(inside) {
			return inside
		}
	} else if j.privacy(j.key) == wire.Public {
		return inside
	}
	if addr, err := netip.ParseAddr(string(inside)); err == nil {
		if j.widths {
			return j.anonymizer.sameWidth(inside)
		}
		return j.anonymizer.addresses.ip(addr).AppendTo(nil)
	}
	return j.anonymizer.jsonText(inside)
}

// plainKey reports whether a key looks like one that a program chose. Other keys may be players' names.
func plainKey(b []byte) bool {
	for _, x := range b {
		if (x < 'a' || x > 'z') && x != '_' {
			return false
		}
	}
	return len(b) <= 24
}

// fit removes or appends spaces until out is size bytes long. It returns nil if there are too few spaces to remove.
func (j *jsonRewriter) fit(out []byte, size int) []byte {
	extra := len(out) - size
	if extra > len(j.blanks) {
		return nil
	}
	if extra <= 0 {
		return append(out, bytes.Repeat([]byte{' '}, -extra)...)
	}
	fitted := make([]byte, 0, size)
	from := 0
	for _, at := range j.blanks[len(j.blanks)-extra:] {
		fitted = append(fitted, out[from:at]...)
		from = at + 1
	}
	return append(fitted, out[from:]...)
}

// shortForms maps the letters of JSON's short escapes to their characters.
var shortForms = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// jsonText decodes the escapes of a JSON string and maps the characters, so a name gets the same replacement as outside
// JSON. It writes each character in its old form: UTF-8, \u00e9, or a letter after a backslash.
func (a *Anonymizer) jsonText(inside []byte) []byte {
	if !utf8.Valid(inside) {
		out := bytes.Clone(inside)
		a.texts.bytewise(out)
		return out
	}
	runes, forms := jsonRunes(inside)
	a.texts.runes(runes)
	out := make([]byte, 0, len(inside))
	for i, r := range runes {
		switch forms[i] {
		case 0:
			out = utf8.AppendRune(out, r)
		case 'u':
			out = append(append(out, '\\', 'u'), hex.EncodeToString([]byte{byte(r >> 8), byte(r)})...)
		default:
			out = append(out, '\\', forms[i])
		}
	}
	return out
}

// jsonRunes returns the characters of a JSON string, and the form of each character: 0, 'u' or the letter of its
// escape. The halves of a surrogate pair are separate characters.
func jsonRunes(b []byte) (runes []rune, forms []byte) {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		form := byte(0)
		if r == '\\' && len(b) > 1 {
			if short, ok := shortForms[b[1]]; ok {
				r, n, form = short, 2, b[1]
			} else if v, err := strconv.ParseUint(string(b[2:min(6, len(b))]), 16, 16); b[1] == 'u' && len(b) >= 6 &&
				err == nil {
				r, n, form = rune(v), 6, 'u'
			}
		}
		runes, forms = append(runes, r), append(forms, form)
		b = b[n:]
	}
	return runes, forms
}

// sameWidth changes the numbers of an address and keeps the length of each number. Elsewhere, the same address gets
// another replacement.
func (a *Anonymizer) sameWidth(text []byte) []byte {
	out := bytes.Clone(text)
	sum := a.texts.sum(text)
	at := 0
	for i, part := range bytes.Split(text, []byte(".")) {
		lowest := map[int]int{2: 10, 3: 100}[len(part)]
		count := map[int]int{1: 10, 2: 90, 3: 156}[len(part)]
		if count == 0 || i > 3 {
			a.texts.text(out[at:]) // IPv6
			return out
		}
		at += copy(out[at:], strconv.Itoa(lowest+(int(sum[2*i])<<8|int(sum[2*i+1]))%count)) + 1
	}
	return out
}
