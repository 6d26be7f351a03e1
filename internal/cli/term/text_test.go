package term

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
)

func TestAppendFitting(t *testing.T) {
	for _, test := range []struct {
		text                string
		from, indent, width int
		want                string
	}{
		{"one two three", 0, 2, 0, "one two three"},
		{"one two three", 0, 2, 13, "one two three"},
		{"one two three", 0, 2, 12, "one two\n  three"},
		{"one two three", 6, 2, 12, "one\n  two three"},
		{"one two three", 6, 2, 13, "one two\n  three"},
		{"one  two   three", 0, 0, 4, "one\ntwo\nthre\ne"},
		{"0123456789", 0, 1, 4, "0123\n 456\n 789"},
		{"a 0123456789", 0, 1, 4, "a\n 012\n 345\n 678\n 9"},
		{"名前名前", 0, 0, 5, "名前\n名前"},
		{"名前", 0, 3, 2, "名\n   前"}, // at least one character per line
		{"", 0, 2, 5, ""},
	} {
		if got := string(AppendFitting(nil, []byte(test.text), test.from, test.indent, test.width)); got != test.want {
			t.Errorf("%q at %d, %d of %d: %q, want %q", test.text, test.from, test.indent, test.width, got, test.want)
		}
	}
}

// AppendFitting drops only spaces, and makes no line too wide.
func TestAppendFittingLosesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []rune("  abcdefgh!0.é名前\u0301\u0627🎮")
	bare := strings.NewReplacer(" ", "", "\n", "")
	for range 2000 {
		text := make([]rune, random.IntN(200))
		for i := range text {
			text[i] = parts[random.IntN(len(parts))]
		}
		width := 4 + random.IntN(90)
		got := string(AppendFitting(nil, []byte(string(text)), 0, random.IntN(width-2), width))
		for line := range strings.Lines(got) {
			if w := runewidth.StringWidth(strings.TrimSuffix(line, "\n")); w > width {
				t.Errorf("%d columns of %d: %q", w, width, line)
			}
		}
		if bare.Replace(got) != bare.Replace(string(text)) {
			t.Errorf("%q became %q", string(text), got)
		}
	}
}
