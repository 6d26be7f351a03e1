package format_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// hostile are names that players have or could have.
var hostile = []struct{ name, text, want string }{
	{"empty", "", `""`},
	{"plain", "Tribes ~ 1.11!", `"Tribes ~ 1.11!"`},
	{"quotes and backslashes", `a"b\c`, `"a\"b\\c"`},
	{"quotes in UTF-8", "é\"\\", `"é\"\\"`},
	{"German", "Größe", `"Größe"`},
	{"Latin-1", "Gr\xf6\xdfe", `"Größe"`},
	{"Latin-1 together with UTF-8", "é\xf6", `"Ã©ö"`},
	{"newline", "a\nb\r\tc", `"a\nb\r\tc"`},
	{"NUL", "a\x00b", `"a\x00b"`},
	{"colours", "\x1b[31mred\x1b[0m", `"\x1b[31mred\x1b[0m"`},
	{"title", "\x1b]0;owned\x07", `"\x1b]0;owned\a"`},
	{"backspace", "abc\b\b\bxyz", `"abc\b\b\bxyz"`},
	{"DEL", "a\x7fb", `"a\x7fb"`},
	{"C1 as a byte", "\x9b31m", `"\u009b31m"`},
	{"C1 as UTF-8", "\u009b31m", `"\u009b31m"`},
	{"string terminator", "\u0090x\u009c", `"\u0090x\u009c"`},
	{"no-break space", "a\u00a0b\xa0", `"aÂ\u00a0b\u00a0"`},
	{"soft hyphen", "a\u00adb", `"a\u00adb"`},
	{"right to left override", "a\u202etxt.exe", `"a\u202etxt.exe"`},
	{"embeddings", "\u202a\u202b\u202c\u202d", `"\u202a\u202b\u202c\u202d"`},
	{"isolates", "\u2066\u2067\u2068\u2069", `"\u2066\u2067\u2068\u2069"`},
	{"direction marks", "\u200e\u200f\u061c", `"\u200e\u200f\u061c"`},
	{"zero width", "a\u200b\u200c\u200d\u2060b", `"a\u200b\u200c\u200d\u2060b"`},
	{"BOM", "\ufeffa", `"\ufeffa"`},
	{"line separators", "\u2028\u2029\u0085", `"\u2028\u2029\u0085"`},
	{"private use", "\ue000\U000f0000", `"\ue000\U000f0000"`},
	{"tags", "\U000e0041", `"\U000e0041"`},
	{"no character", "\ufffe\U0010ffff", `"\ufffe\U0010ffff"`},
	{"replacement", "\ufffd", "\"\ufffd\""},
	{"lone surrogate", "\xed\xa0\x80", `"í\u00a0\u0080"`},
	{"overlong slash", "\xc0\xaf", `"À¯"`},
	{"beyond Unicode", "\xf4\x90\x80\x80", `"ô\u0090\u0080\u0080"`},
	{"half a rune", "\xe2\x82", `"â\u0082"`},
	{"combining marks", "e\u0301\u20dd", "\"e\u0301\u20dd\""},
	{"wide", "戦車😀", `"戦車😀"`},
}

func TestAppendQuoted(t *testing.T) {
	for _, c := range hostile {
		if got := string(format.AppendQuoted([]byte("> "), []byte(c.text))); got != "> "+c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		checkQuoted(t, c.text)
	}
}

// checkQuoted checks that a quoted text is printable, has no closing quote before its end, and unquotes to the
// original.
func checkQuoted(t *testing.T, text string) {
	t.Helper()
	quoted := string(format.AppendQuoted(nil, []byte(text)))
	if !utf8.ValidString(quoted) {
		t.Fatalf("%q: not UTF-8: %q", text, quoted)
	}
	for _, r := range quoted {
		if !strconv.IsPrint(r) {
			t.Fatalf("%q: %U in %q", text, r, quoted)
		}
	}
	inside := strings.NewReplacer(`\\`, `\\`, `\"`, `"`).Replace(quoted[1 : len(quoted)-1])
	if got := string(format.AppendUnquoted(nil, []byte(text))); got != inside {
		t.Fatalf("%q: %s without quotes, %s with them", text, got, quoted)
	}
	want := text
	if !utf8.ValidString(text) {
		latin := make([]rune, len(text))
		for i := range len(text) {
			latin[i] = rune(text[i])
		}
		want = string(latin)
	}
	if got, err := strconv.Unquote(quoted); err != nil || got != want {
		t.Fatalf("%q: %s unquotes to %q, %v", text, quoted, got, err)
	}
}

func TestAppendQuotedOnEveryRune(t *testing.T) {
	for r := range rune(utf8.MaxRune + 1) {
		if text := string(r); utf8.ValidRune(r) && (r < 0x3000 || r%7 == 0) {
			checkQuoted(t, "a"+text+"b")
		}
	}
	for a := range 256 {
		for b := range 256 {
			checkQuoted(t, string([]byte{byte(a), byte(b)}))
		}
	}
}

func FuzzQuoted(f *testing.F) {
	for _, c := range hostile {
		f.Add(c.text)
	}
	f.Fuzz(checkQuoted)
}

// Quoting does not change plain texts.
func TestPlain(t *testing.T) {
	for text, want := range map[string]bool{"": true, "a~": true, "two words": true, "\x1f": false, "\x7f": false, "a\"": false, "\\": false,
		"\xe9": false} {
		if format.Plain([]byte(text)) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

// plainLayer is a layer without a summary of its own.
type plainLayer struct {
	wire.Base
	n uint16
}

// summaryLayer is a layer with a summary.
type summaryLayer struct{ plainLayer }

// summaryBody is a body with a summary.
type summaryBody struct{}

func (summaryBody) Walk(*wire.Cursor)               {}
func (summaryBody) AppendSummary(b []byte) []byte   { return append(b, "body"...) }
func (*summaryLayer) AppendSummary(b []byte) []byte { return append(b, "layer"...) }
func (q *plainLayer) Walk(c *wire.Cursor)           { wire.U16(c, "n", &q.n) }
func (*plainLayer) LayerType() gopacket.LayerType   { return gopacket.LayerTypePayload }
func (*plainLayer) CanDecode() gopacket.LayerClass  { return gopacket.LayerTypePayload }
func (q *plainLayer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return q.Decode(q, data, df)
}
func (q *plainLayer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return q.Encode(q, b, opts)
}

func TestAppendSummary(t *testing.T) {
	for _, c := range []struct {
		layer wire.Layer
		data  string
		body  wire.Body
		want  string
	}{
		{&plainLayer{}, "ab", summaryBody{}, "> body"},
		{&plainLayer{}, "ab", &wire.Undefined{}, "> "},
		{&plainLayer{}, "a", summaryBody{}, "> ends in n"},
		{&summaryLayer{}, "ab", summaryBody{}, "> layer"},
		{&summaryLayer{}, "", summaryBody{}, "> ends in n"},
	} {
		_ = c.layer.DecodeFromBytes([]byte(c.data), gopacket.NilDecodeFeedback)
		c.layer.Core().Body = c.body
		if got := string(format.AppendSummary([]byte("> "), c.layer)); got != c.want {
			t.Errorf("%q: %q, want %q", c.data, got, c.want)
		}
	}
}

func TestAppendFloat(t *testing.T) {
	for _, c := range []struct {
		f    float32
		want string
	}{
		{0, "0"}, {float32(math.Copysign(0, -1)), "-0"}, {1, "1"}, {-2.5, "-2.5"}, {0.1, "0.1"}, {1e21, "1e+21"},
		{math.MaxFloat32, "3.4028235e+38"}, {math.SmallestNonzeroFloat32, "1e-45"},
		{float32(math.Inf(1)), "Infinity"}, {float32(math.Inf(-1)), "-Infinity"}, {float32(math.NaN()), "NaN"},
	} {
		if got := string(format.AppendFloat([]byte("> "), c.f)); got != "> "+c.want {
			t.Errorf("%v: %s, want %s", c.f, got, c.want)
		}
	}
}

// AppendFloat writes integers as strconv does: with an exponent from a million on.
func TestAppendFloatOfIntegers(t *testing.T) {
	for n := range 2_000 {
		for _, f := range []float32{float32(n), float32(n) * 999.5, float32(999_000 + n), float32(n) * 1e7} {
			for _, f := range []float32{f, -f} {
				want := strconv.FormatFloat(float64(f), 'g', -1, 32)
				if got := string(format.AppendFloat(nil, f)); got != want {
					t.Fatalf("%s, want %s", got, want)
				}
			}
		}
	}
}

func TestAppendFloatReadsBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 200_000 {
		f := math.Float32frombits(r.Uint32())
		text := string(format.AppendFloat(nil, f))
		back, err := strconv.ParseFloat(text, 32)
		same := math.Float32bits(float32(back)) == math.Float32bits(f) || math.IsNaN(back) && f != f
		if err != nil || !same {
			t.Fatalf("%x: %s reads back as %v, %v", math.Float32bits(f), text, back, err)
		}
	}
}

func TestAppendValue(t *testing.T) {
	names := wire.Symbols{{Value: -1, Name: "none"}, {Value: 1, Name: "one"}, {Value: 2, Name: "two"}, {Value: 0x80, Name: "high"}}
	long := []byte(strings.Repeat("\xab", 5))
	for _, c := range []struct {
		node           wire.Node
		limit          int
		value, meaning string
	}{
		{wire.Node{Kind: wire.Uint, Num: math.MaxUint64}, 0, "18446744073709551615", ""},
		{wire.Node{Kind: wire.Int, Num: minus(5)}, 0, "-5", ""},
		{wire.Node{Kind: wire.Float, Num: 0xbf800000}, 0, "-1", ""},
		{wire.Node{Kind: wire.Boolean, Num: 0}, 0, "false", ""},
		{wire.Node{Kind: wire.Boolean, Num: 0xa5}, 0, "true", ""},
		{wire.Node{Kind: wire.Enum, Num: 2, Symbols: names}, 0, "2", "two"},
		{wire.Node{Kind: wire.Enum, Num: 3, Symbols: names}, 0, "3", ""},
		{wire.Node{Kind: wire.SignedEnum, Num: minus(1), Symbols: names}, 0, "-1", "none"},
		{wire.Node{Kind: wire.Bits, Num: 0x83, Symbols: names[1:]}, 0, "131", "one two high"},
		{wire.Node{Kind: wire.Bits, Num: 4, Symbols: names[1:]}, 0, "4", ""},
		{wire.Node{Kind: wire.String, Bytes: []byte("a\x1bb")}, 0, `"a\x1bb"`, ""},
		{wire.Node{Kind: wire.Bytes}, 4, "", ""},
		{wire.Node{Kind: wire.Bytes, Bytes: long}, 5, "ab ab ab ab ab", ""},
		{wire.Node{Kind: wire.Bytes, Bytes: long}, 4, "ab ab ab ab ... 5 bytes", ""},
		{wire.Node{Kind: wire.Bytes, Bytes: long}, 0, "ab ab ab ab ab", ""},
		{wire.Node{Kind: wire.Address, Bytes: []byte{192, 0, 2, 1}}, 0, "192.0.2.1", ""},
		{wire.Node{Kind: wire.Address, Bytes: []byte("\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01")}, 0, "2001:db8::1", ""},
		{wire.Node{Kind: wire.Vector, Vec: [3]float32{1, -0.5, float32(math.Inf(1))}}, 0, "(1, -0.5, Infinity)", ""},
		{wire.Node{Kind: wire.Group}, 0, "", ""},
	} {
		value := string(format.AppendValue(nil, &c.node, c.limit))
		meaning := string(format.AppendMeaning(nil, &c.node))
		if value != c.value || meaning != c.meaning {
			t.Errorf("%s: %q %q, want %q %q", c.node.Kind, value, meaning, c.value, c.meaning)
		}
	}
}

// minus returns the bits of a negative number, as a tree stores it.
func minus(n int64) uint64 { return uint64(-n) }
