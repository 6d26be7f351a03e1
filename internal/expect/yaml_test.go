package expect

import (
	"fmt"
	"strings"
	"testing"
)

// TestTooDeepLine checks that brackets count until they are closed, even over several lines, and that dashes count only
// in their own line.
func TestTooDeepLine(t *testing.T) {
	for _, test := range []struct {
		text string
		want int
	}{
		{strings.Repeat("[", 100), 0}, {strings.Repeat("[", 101), 1}, {"\n" + strings.Repeat("{\n", 100), 0}, {"\n" + strings.Repeat("{\n", 101), 102},
		{strings.Repeat("-", 100), 0}, {"\n" + strings.Repeat("-", 101), 2}, {strings.Repeat("-", 60) + "\n" + strings.Repeat("-", 60), 0},
		{strings.Repeat("[", 60) + strings.Repeat("]", 60) + strings.Repeat("{", 60), 0}, {strings.Repeat("]", 60) + strings.Repeat("[", 101), 1},
		{strings.Repeat("[", 60) + strings.Repeat("}", 19) + strings.Repeat("[", 59), 0}, {strings.Repeat("[", 60) + strings.Repeat("}", 19) + strings.Repeat("[", 60), 1},
	} {
		if got := tooDeepLine(strings.Split(test.text, "\n")); got != test.want {
			t.Errorf("%.40q: line %d, want %d", test.text, got, test.want)
		}
	}
}

// TestSuggestions checks that errors propose names that may have been meant. They list all names only if there are few.
func TestSuggestions(t *testing.T) {
	var many []string
	for i := range 17 {
		many = append(many, fmt.Sprint("name", i, "of17"))
	}
	for _, test := range []struct {
		name  string
		known []string
		want  string
	}{
		{"abc", []string{"abd", "xyz"}, " (did you mean abd?)"}, {"zzz", []string{"abd", "xyw"}, " (there are abd, xyw)"}, {"zzz", many, ""},
		{"zzz", many[:16], " (there are " + strings.Join(many[:16], ", ") + ")"},
	} {
		if got := suggestion(test.name, test.known); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
