package bzmap

import (
	"math"
	"strconv"
	"strings"
)

// Text builds a map file. Names and texts come from strangers, so Text replaces characters that could end a line or a
// name.
type Text struct {
	b     []byte
	depth int
}

// maxText is the maximum size of a map file. Without a maximum, a small world that uses a long name many times would
// become a large map file.
const maxText = 32 << 20

// Full reports whether the text has reached the maximum size. Further text is left out.
func (t *Text) Full() bool { return len(t.b) >= maxText }

// Bytes returns the text written so far.
func (t *Text) Bytes() []byte { return t.b }

// Comment writes a line that servers ignore.
func (t *Text) Comment(text string) { t.line("#", plain(text)) }

// Begin begins an object. The first word is the kind of the object.
func (t *Text) Begin(words ...string) {
	if t.depth == 0 && len(t.b) > 0 {
		t.b = append(t.b, '\n')
	}
	t.line(words...)
	t.depth++
}

// End ends the object with the word that its kind requires.
func (t *Text) End(word string) {
	t.depth = max(t.depth-1, 0)
	t.line(word)
}

// Words writes a property.
func (t *Text) Words(words ...string) { t.line(words...) }

// Prose writes a property whose value extends to the end of the line. It writes nothing if the value is empty.
func (t *Text) Prose(name string, text []byte) {
	if len(text) > 0 {
		t.line(name, plain(string(text)))
	}
}

// Floats writes a property that consists of numbers. It writes NaN and infinity as zero.
func (t *Text) Floats(name string, v ...float32) {
	writeNumbers(t, name, v, func(b []byte, f float32) []byte {
		if f-f != 0 {
			f = 0
		}
		return strconv.AppendFloat(b, float64(f), 'g', -1, 32)
	})
}

// Ints writes a property that consists of integers.
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

// Flag writes a property without a value, if it is set.
func (t *Text) Flag(name string, set bool) {
	if set {
		t.line(name)
	}
}

// Options writes the game rules that the map may depend on. For example, a server without jumping rejects a map whose
// ground is under water.
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

// start begins a line, without checking whether the text is full.
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

// maxName is the maximum length of a name.
const maxName = 64

// Name converts a name to one word of a map file. It keeps colons and wildcards, which occur in the names of links.
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

// Names returns a name for each element of a list, so that other objects can refer to the element. An element keeps its
// own name if that name is unique and cannot be read as a number. Otherwise, the returned name consists of the kind,
// the index and the element's own name.
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

// Degrees converts an angle from radians to degrees.
func Degrees(radians float32) float32 { return float32(float64(radians) * 180 / math.Pi) }
