package stats

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text is a text of limited length in valid UTF-8, so JSON does not change it.
type Text struct{ text string }

// maxText is the maximum size of a kept text in bytes.
const maxText = 256

// textOf returns a text, cut to maxText bytes. It may share memory with s.
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

// texts is a cache of recent texts, because many servers have the same map and the same numbers of players. It is a
// hash table whose size is a power of two. A text replaces the one at the same index.
type texts [256]Text

// intern returns a copy of a text that shares no memory with anything else, or an equal text that is already stored.
func (known *texts) intern(t Text) Text {
	at := &known[digest(4).addText(t.text).sum()%uint64(len(known))]
	if *at != t {
		*at = Text{strings.Clone(t.text)}
	}
	return *at
}

// legible interprets invalid UTF-8 as Latin-1. Otherwise two different texts could become equal in JSON.
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

// Count parses a number of players with or without a limit: "2/6", "2". Without a limit, it returns -1 as the limit.
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

// UnmarshalText accepts any text.
func (t *Text) UnmarshalText(text []byte) error {
	*t = textOf(string(text))
	return nil
}
