package wire_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// twoPlayers is a roster.
type twoPlayers struct{}

func (twoPlayers) Name(n uint64) string {
	return map[uint64]string{3: "Ann", 4: "B\x1bb"}[n]
}

func TestNamed8(t *testing.T) {
	special := wire.Symbols{{Value: 255, Name: "none"}}
	for _, c := range []struct {
		number  byte
		roster  wire.Roster
		called  string
		meaning string
	}{
		{3, twoPlayers{}, "Ann", "Ann"},
		{4, twoPlayers{}, "B\x1bb", `B\x1bb`},
		{5, twoPlayers{}, "", ""},
		{255, twoPlayers{}, "", "none"},
		{3, nil, "", ""},
	} {
		number, called := byte(0), "somebody else"
		walk := func(c *wire.Cursor) {
			wire.Named8(c, "who", &number, &called, special)
			c.ComputedNamed("again", number, called, special)
		}
		var b wire.Base
		b.Context.Roster = c.roster
		if err := b.Decode(walker(walk), []byte{c.number}, nil); err != nil {
			t.Fatal(err)
		}
		if number != c.number || called != c.called {
			t.Errorf("%d %q, want %d %q", number, called, c.number, c.called)
		}
		var tree wire.Tree
		b.Annotate(walker(walk), &tree)
		for _, name := range []string{"who", "again"} {
			n := tree.Find(name)
			if got := string(format.AppendMeaning(nil, n)); got != c.meaning || n.Num != uint64(c.number) || n.Computed != (name == "again") {
				t.Errorf("%s: %q for %+v, want %q", name, got, n, c.meaning)
			}
		}
	}
}

// Each number on the wire is read as a distinct value, and writing that value produces the same number.
func TestScaledKeepsEveryMultiple(t *testing.T) {
	var data []byte
	for n := range 1 << 16 {
		data = append(data, byte(n>>8), byte(n))
	}
	for _, unit := range []float64{0.02, 0.01, 0.001, math.Pi / 32766, 1.0 / 32766} {
		values := make([]float32, 1<<16)
		l := readWhole(t, data, func(c *wire.Cursor) {
			for i := range values {
				wire.ScaledI16(c, "v", &values[i], unit)
			}
		})
		if out, err := l.write(t, false); err != nil || !bytes.Equal(out, data) {
			t.Errorf("multiples of %g are not written as they were read, %v", unit, err)
		}
		if slices.Sort(values); len(slices.Compact(values)) != 1<<16 {
			t.Errorf("several multiples of %g have the same value", unit)
		}
	}
}

func TestScaledOutOfRange(t *testing.T) {
	for _, v := range []float32{655.36, -655.38, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32} {
		var read float32
		walk := func(c *wire.Cursor) { wire.ScaledI16(c, "v", &read, 0.02) }
		l := readWhole(t, []byte{0, 0}, walk)
		read = v
		if _, err := l.write(t, false); err == nil {
			t.Errorf("%g fits in two bytes", v)
		}
	}
}
