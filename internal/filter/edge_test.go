package filter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// TestErrorTexts compares the whole text of an error, its column, and the marks under the wrong part.
func TestErrorTexts(t *testing.T) {
	schema := filter.NewSchema([]*wire.Protocol{quiz})
	for _, test := range []struct{ filter, marks, want string }{
		{`quiz.kind contains "x"`, `          ^^^^^^^^`, `column 11: contains does not work with quiz.kind, which is a number`},
		{`quiz.whole matches "x"`, `           ^^^^^^^`, `column 12: matches does not work with quiz.whole, which is a number`},
		{`quiz.raw contains zz`, `                  ^^`, `column 19: quiz.raw is bytes; search for bytes such as 66:0a, or for a text in quotes (did you mean quiz.raw contains "zz"?)`},
		{`quiz.whole in {3..x}`, `                  ^`, `column 19: quiz.whole is a number (such as 5 or 0x1f), not x`},
		{`quiz.whole in {3 ..x}`, `                   ^`, `column 20: quiz.whole is a number (such as 5 or 0x1f), not x`},
		{`quiz.whole in {3 .. }`, `                    ^`, `column 21: the range has no end`},
		{`quiz.whole in {3 .. "x"}`, `                    ^^^`, `column 21: quiz.whole is a number (such as 5 or 0x1f), not the text "x"`},
		{`quiz.whole = 3`, `           ^`, `column 12: "=" is no comparison (did you mean quiz.whole == 3?)`},
		{`quiz.raw == 0x`, `            ^^`, `column 13: quiz.raw is bytes (such as 66:0a), not 0x (did you mean quiz.raw == "0x"?)`},
		{`quiz &&  `, `       ^`, `column 8: a field or a value is missing here`},
		{`"é" == quiz.text[9`, `                  ^`, `column 19: a closing bracket is missing`},
		{`"abc\`, `^`, `column 1: this text has no closing quote`},
		{`"\x41`, `^`, `column 1: this text has no closing quote`},
		{`"\xgh"`, ` ^^^^`, `column 2: \x needs one or two hexadecimal digits`},
		{`"\u00e"`, ` ^^^^^^`, `column 2: \u needs the 4 hexadecimal digits of a character`},
		{`"\UFFFFFFFF"`, ` ^^^^^^^^^^`, `column 2: \U needs the 8 hexadecimal digits of a character`},
		{`"\777"`, ` ^^^^`, `column 2: \777 is larger than a byte, \377`},
		{`quiz.text == "\d"`, `              ^^`, `column 15: \d is not an escape sequence; write a backslash as \\`},
		{`quiz.text matches "\bend"`, `                   ^^`, `column 20: \b is a backspace; write \\b for a word boundary, or \b in r"..."`},
		{`r"abc`, `^^`, `column 1: this text has no closing quote`},
		{`quiz.text == quiz.texx[0]`, `             ^^^^^^^^^`, `column 14: there is no field "quiz.texx" (did you mean quiz.text?)`},
		{`quiz.text == "x"[0]`, `             ^^^`, `column 14: a condition needs a field (did you mean quiz.text == "x"?)`},
		{`quiz.text == 3s[0]`, `             ^^`, `column 14: a condition needs a field (did you mean quiz.text == 3s?)`},
		{`quiz.text == 1.2.3.4[0]`, `             ^^^^^^^`, `column 14: a condition needs a field (did you mean quiz.text == 1.2.3.4?)`},
	} {
		bad := refused(t, schema, test.filter)
		if bad.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.filter, bad, test.want)
		}
		if _, marks, _ := strings.Cut(bad.Excerpt(), "\n"); marks != test.marks {
			t.Errorf("%s: marked\n%s", test.filter, bad.Excerpt())
		}
	}
}

// TestExcerpt checks that an excerpt is one printable line, with marks below the wrong part, whatever the filter
// contains.
func TestExcerpt(t *testing.T) {
	for _, test := range []struct {
		bad  filter.Error
		want string
	}{
		{filter.Error{Text: "a\tb\nc\x00d\x1fe\x7ff g!~é", Off: 2, Size: 3}, "a b c d e f g!~é\n  ^^^"},
		{filter.Error{Text: "é ü", Off: 3, Size: 2}, "é ü\n  ^"},
		{filter.Error{Text: "udp", Off: 2, Size: 4}, "udp\n  ^"},
		{filter.Error{Text: "udp", Off: 3, Size: 1}, "udp\n   ^"},
	} {
		if got := test.bad.Excerpt(); got != test.want {
			t.Errorf("%q: %q, want %q", test.bad.Text, got, test.want)
		}
	}
}

// TestNearest checks that Nearest returns names that differ in a few letters, and sorts them by the number of differing
// letters. It also returns names that differ in one more letter than the nearest.
func TestNearest(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, test := range []struct {
		name  string
		known []string
		want  []string
	}{
		{"abc", []string{"abd", "abe", "xyz"}, []string{"abd", "abe"}},
		{"abcdef", []string{"abcdxy", "abcdex"}, []string{"abcdex", "abcdxy"}},
		{"abcdefghi", []string{"abcdefxyz", "abcdefghx"}, []string{"abcdefghx"}},
		{"abcdefghi", []string{"abcdewxyz"}, nil},
		{"a", []string{"b", "a.a", "MsgA", "Msga", "bb"}, []string{"Msga", "a.a"}},
		{"abc", []string{"ABCD", "abcx", "abc2", "abc3"}, []string{"ABCD", "abcx", "abc2"}},
		{"abc", []string{"abd", "abd"}, []string{"abd"}},
		{long, []string{long[1:]}, []string{long[1:]}},
		{long + "x", []string{long}, nil},
		{"frame.len", []string{"length"}, []string{"length"}},
		{"frame.len", []string{"width"}, nil},
	} {
		if got := filter.Nearest(test.name, test.known); !slices.Equal(got, test.want) {
			t.Errorf("names like %.20s in %.20q: %q, want %q", test.name, test.known, got, test.want)
		}
	}
}

// TestFewAreListed checks that an error lists the possible texts of a field only if there are few of them.
func TestFewAreListed(t *testing.T) {
	var protocols []*wire.Protocol
	for i := range 9 {
		protocols = append(protocols, &wire.Protocol{Name: fmt.Sprint("p", i), Messages: sheetTypes, New: quiz.New})
	}
	for n, want := range map[int]string{8: `protocol is never "other", but p0, p1, p2, p3, p4, p5, p6, p7`, 9: `protocol is never "other"`} {
		if bad := refused(t, filter.NewSchema(protocols[:n]), "protocol == other"); bad.Reason != want {
			t.Errorf("with %d protocols: %v, want %s", n, bad, want)
		}
	}
}

// TestEmptyAndCase checks three rules: a comparison of names ignores a value without a name, an empty list has no
// elements, and only ASCII letters change case.
func TestEmptyAndCase(t *testing.T) {
	schema := filter.NewSchema([]*wire.Protocol{quiz})
	s := example
	s.Choice, s.Plain, s.Rows, s.Text = 77, nil, nil, []byte("AZaz@[`{")
	withSubject(t, &s, func(x *filter.Subject) {
		for text, want := range map[string]bool{
			"quiz.choice_name": false, "count(quiz.choice_name) == 0": true, "quiz.choice == 77": true,
			"quiz.rows": true, "count(quiz.rows) == 0": true, "quiz.rows.number": false, "count(quiz.rows.number) == 0": true,
			"all quiz.rows.number == 1": false, "quiz.rows.number != 1": false, "quiz.whole == quiz.rows.number": false,
			"lower(quiz.text) == 'azaz@[`{'": true, "upper(quiz.text) == 'AZAZ@[`{'": true,
		} {
			if compiled(t, schema, text, nil).Match(x) != want {
				t.Errorf("%s: %v", text, !want)
			}
		}
	})
}

// TestConditions checks that Conditions returns the parts between the outermost "and"s.
func TestConditions(t *testing.T) {
	for text, want := range map[string]string{
		"frame.number == 1 && udp and (tcp && ip)": "frame.number == 1|udp|(tcp && ip)",
		" udp  and frame.number == 12 ":            "udp|frame.number == 12",
		"udp or tcp":                               "udp or tcp",
		"udp ^^ tcp":                               "udp ^^ tcp",
	} {
		var parts []string
		for _, p := range compiled(t, schema, text, nil).Conditions() {
			parts = append(parts, p.String())
		}
		if got := strings.Join(parts, "|"); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestBounds checks that a filter at the limit of length or nesting compiles, and that a filter beyond the limit does
// not.
func TestBounds(t *testing.T) {
	const longest, deepest = 64 << 10, 199
	for text, ok := range map[string]bool{
		"udp" + strings.Repeat(" ", longest-3):                                                       true,
		"udp" + strings.Repeat(" ", longest-2):                                                       false,
		strings.Repeat("(", deepest) + "udp" + strings.Repeat(")", deepest):                          true,
		strings.Repeat("(", deepest+1) + "udp" + strings.Repeat(")", deepest+1):                      false,
		strings.Repeat("!", deepest) + "udp":                                                         true,
		strings.Repeat("!", deepest+1) + "udp":                                                       false,
		strings.Repeat("lower(", deepest) + "message" + strings.Repeat(")", deepest) + ` == "x"`:     true,
		strings.Repeat("lower(", deepest+1) + "message" + strings.Repeat(")", deepest+1) + ` == "x"`: false,
		// Repetition is not nesting.
		strings.Repeat("!udp or ", deepest+1) + "udp":                   true,
		strings.Repeat("len(message) == 3 or ", deepest+1) + "udp":      true,
		strings.Repeat("(udp) and ", deepest+1) + "upper(message) ~ ''": true,
	} {
		if _, err := schema.Compile(text, nil); (err == nil) != ok {
			t.Errorf("%d bytes, %.5s...: %v", len(text), text, err)
		}
	}
}
