package stats

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text is a text that is not too long, and is written as it is.
type Text struct{ text string }

// maxText is how many bytes of a text are kept.
const maxText = 256

// textOf returns a text as a part of the given one if possible.
func textOf(s string) Text {
	if s = legible(s); len(s) > maxText {
		end := maxText
		for !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end]
	}
	return Text{s}
}

// texts are recent texts: many servers have the same map and the same numbers of players. They form a hash table with a
// power of two as its size, in which a text replaces another with the same index.
type texts [256]Text

// intern returns a text that nothing else is in memory for: one that is known, or a copy.
func (known *texts) intern(t Text) Text {
	at := &known[digest(4).addText(t.text).sum()%uint64(len(known))]
	if *at != t {
		*at = Text{strings.Clone(t.text)}
	}
	return *at
}

// legible reads invalid UTF-8 as Latin-1: JSON could not distinguish two such texts.
func legible(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}

// Count reads a number of players, with their limit or without: "2/6", "2". Without, the limit is -1.
func Count(text string) (n, limit int64, ok bool) {
	now, most, limited := strings.Cut(text, "/")
	n, err := strconv.ParseInt(now, 10, 64)
	if limit = -1; err == nil && limited {
		limit, err = strconv.ParseInt(most, 10, 64)
	}
	return n, limit, err == nil
}

func (t Text) String() string { return t.text }

func (t Text) MarshalText() ([]byte, error) { return []byte(t.text), nil }

// UnmarshalText takes any text.
func (t *Text) UnmarshalText(text []byte) error {
	*t = textOf(string(text))
	return nil
}
