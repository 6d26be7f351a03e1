package bzmap_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

func TestText(t *testing.T) {
	var text bzmap.Text
	text.Comment("from\na stranger\x1b")
	text.Begin("box")
	text.Floats("position", 1.5, -2, 1e-7)
	text.Floats("size", float32(math.NaN()), float32(math.Inf(1)), 0)
	text.Ints("color", 3, -1)
	text.Flag("ricochet", true)
	text.Flag("flipz", false)
	text.Prose("death", []byte("You\nend\r\noptions"))
	text.Prose("death", nil)
	text.End("end")
	text.Begin("define", bzmap.Name([]byte("a b#\nend\x00ü")))
	text.Begin("base")
	text.End("end")
	text.End("enddef")
	const want = `# from_a stranger_

box
  position 1.5 -2 1e-07
  size 0 0 0
  color 3 -1
  ricochet
  death You_end__options
end

define a_b__end___
  base
  end
enddef
`
	if got := string(text.Bytes()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		jumping, ricochet, flags bool
		want                     string
	}{
		{false, false, false, ""},
		{true, false, false, "options\n  -j\nend\n"},
		{true, true, false, "options\n  -j\n  +r\nend\n"},
		{false, false, true, "# Played as capture the flag: bzfs -c, and -mp to close teams that have no base.\n"},
	} {
		var text bzmap.Text
		text.Options(c.jumping, c.ricochet, c.flags)
		if got := string(text.Bytes()); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"":                        "",
		"azAZ09_-.+:/*?~%=,@":     "azAZ09_-.+:/*?~%=,@",
		"a b#c;\n\"{[`^|\x00\xff": "a_b_c__________",
		strings.Repeat("x", 65):   strings.Repeat("x", 64),
		strings.Repeat("x", 64):   strings.Repeat("x", 64),
	} {
		if got := bzmap.Name([]byte(name)); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestNames makes unique names from names that are used already, names that servers would read as numbers, and empty
// names.
func TestNames(t *testing.T) {
	list := []string{"a", "a", "", "9b", "0", "k_1_a", "b 2", "b#2"}
	want := []string{"a", "k_1_a", "k_2", "k_3_9b", "k_4_0", "k_5_k_1_a", "b_2", "k_7_b_2"}
	if got := bzmap.Names(list, "k", func(s *string) []byte { return []byte(*s) }); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTextIsBounded checks that the size of a text is limited, and that nothing is appended once it is full.
func TestTextIsBounded(t *testing.T) {
	const most = 32 << 20
	var text bzmap.Text
	line := strings.Repeat("x", 1<<20-1)
	for range 31 {
		text.Words(line)
	}
	text.Words(line[2:])
	if len(text.Bytes()) != most-2 || text.Full() {
		t.Fatalf("%d bytes, full: %t", len(text.Bytes()), text.Full())
	}
	text.Words("x")
	full := len(text.Bytes())
	text.Comment("x")
	text.Words("x")
	text.Floats("x", 1)
	text.Ints("x", 1)
	text.Flag("x", true)
	if !text.Full() || full != most || len(text.Bytes()) != full {
		t.Errorf("%d bytes, then %d", full, len(text.Bytes()))
	}
}
