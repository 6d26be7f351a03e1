package stats

import "unique"

// Text is a text of which there is one in memory, however often it is told: many servers have the same
// map and the same number of players in turn.
type Text struct{ handle unique.Handle[string] }

func textOf(s string) Text {
	if s == "" {
		return Text{}
	}
	return Text{unique.Make(s)}
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
