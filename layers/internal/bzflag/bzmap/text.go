package bzmap

import (
	"math"
	"strconv"
	"strings"
)

// Text is a map file that is being written. Names and texts come from strangers: whatever could be
// taken for something else in a map file is replaced.
type Text struct {
	b     []byte
	depth int
}

// maxText bounds a map file. Names that are used again and again make a large one of a small world.
const maxText = 32 << 20

// Full reports whether the text has its greatest length. Further text is left out.
func (t *Text) Full() bool { return len(t.b) >= maxText }

// Bytes is what was written so far.
func (t *Text) Bytes() []byte { return t.b }

// Comment writes a line that servers skip.
func (t *Text) Comment(text string) { t.line("#", plain(text)) }

// Begin begins an object; words may follow its kind.
func (t *Text) Begin(words ...string) {
	if t.depth == 0 && len(t.b) > 0 {
		t.b = append(t.b, '\n')
	}
	t.line(words...)
	t.depth++
}

// End ends the object with the word that its kind needs.
func (t *Text) End(word string) {
	t.depth = max(t.depth-1, 0)
	t.line(word)
}

// Words writes a property.
func (t *Text) Words(words ...string) { t.line(words...) }

// Prose writes a property whose value extends to the end of the line. An empty text writes nothing.
func (t *Text) Prose(name string, text []byte) {
	if len(text) > 0 {
		t.line(name, plain(string(text)))
	}
}

// Floats writes a property of numbers. What is no number becomes zero.
func (t *Text) Floats(name string, v ...float32) {
	writeNumbers(t, name, v, func(b []byte, f float32) []byte {
		if f-f != 0 {
			f = 0
		}
		return strconv.AppendFloat(b, float64(f), 'g', -1, 32)
	})
}

// Ints writes a property of integers.
func (t *Text) Ints(name string, v ...int32) {
	writeNumbers(t, name, v, func(b []byte, n int32) []byte { return strconv.AppendInt(b, int64(n), 10) })
}

func writeNumbers[T any](t *Text, name string, v []T, add func([]byte, T) []byte) {
	if t.Full() {
		return
	}
	t.start(name)
	for _, n := range v {
		if t.Full() {
			return
		}
		t.b = add(append(t.b, ' '), n)
	}
	t.b = append(t.b, '\n')
}

// Flag writes a property without a value if it is set.
func (t *Text) Flag(name string, set bool) {
	if set {
		t.line(name)
	}
}

// Options writes rules of the game that a map may need: a server without jumping refuses a map with ground under water.
func (t *Text) Options(jumping, ricochet, captureTheFlag bool) {
	if captureTheFlag {
		t.Comment("Played as capture the flag: bzfs -c, and -mp to close teams that have no base.")
	}
	if jumping || ricochet {
		t.Begin("options")
		t.Flag("-j", jumping)
		t.Flag("+r", ricochet)
		t.End("end")
	}
}

// start begins a line that is not full.
func (t *Text) start(word string) {
	for range t.depth {
		t.b = append(t.b, ' ', ' ')
	}
	t.b = append(t.b, word...)
}

func (t *Text) line(words ...string) {
	if t.Full() {
		return
	}
	t.start(strings.Join(words, " "))
	t.b = append(t.b, '\n')
}

// maxName is how long names may be.
const maxName = 64

// Name makes a name that is one word in a map file. Colons and wildcards are kept for links.
func Name(text []byte) string {
	text = text[:min(len(text), maxName)]
	b := make([]byte, 0, len(text))
	for _, x := range text {
		switch {
		case x >= 'a' && x <= 'z', x >= 'A' && x <= 'Z', x >= '0' && x <= '9', strings.IndexByte("_-.+:/*?~%=,@", x) >= 0:
		default:
			x = '_'
		}
		b = append(b, x)
	}
	return string(b)
}

// Names makes a name for each element of a list that others refer to by name: its own if it has one
// that no other has and that servers do not take for a number, else one of its kind and position.
func Names[T any](list []T, kind string, own func(*T) []byte) []string {
	names := make([]string, len(list))
	taken := make(map[string]bool)
	for i := range list {
		name := Name(own(&list[i]))
		for name == "" || name[0] >= '0' && name[0] <= '9' || taken[name] {
			name = kind + "_" + strconv.Itoa(i) + "_" + name
			name = strings.TrimSuffix(name, "_")
		}
		taken[name] = true
		names[i] = name
	}
	return names
}

func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '_'
		}
		return r
	}, text)
}

// Degrees turns an angle in radians into one in degrees.
func Degrees(radians float32) float32 { return float32(float64(radians) * 180 / math.Pi) }
