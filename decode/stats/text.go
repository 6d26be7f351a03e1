package stats

import (
	"strings"
	"unicode/utf8"
	"unique"
)

// Text is a text of which there is one in memory, however often it is told: many servers have the same
// map and the same number of players in turn.
type Text struct{ handle unique.Handle[string] }

// maxText is how many bytes of a text are kept.
const maxText = 256

func textOf(s string) Text {
	if s == "" {
		return Text{}
	}
	if s = legible(s); len(s) > maxText {
		end := maxText
		for !utf8.RuneStart(s[end]) {
			end--
		}
		s = strings.Clone(s[:end])
	}
	return Text{unique.Make(s)}
}

// legible reads what is no UTF-8 as Latin-1: JSON could not tell two such texts apart.
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

// String gives the text.
func (t Text) String() string {
	if t == (Text{}) {
		return ""
	}
	return t.handle.Value()
}

// MarshalText gives the text.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText takes any text.
func (t *Text) UnmarshalText(text []byte) error {
	*t = textOf(string(text))
	return nil
}
