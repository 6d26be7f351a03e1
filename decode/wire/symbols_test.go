package wire_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

func TestSymbols(t *testing.T) {
	dense := wire.Names("zero", "one", "", "three")
	bits := wire.BitNames("lowest", "next", "third")
	sparse := wire.Symbols{{Value: -7, Name: "low"}, {Value: 1, Name: "one"}, {Value: 100, Name: "hundred"}}
	for _, c := range []struct {
		symbols wire.Symbols
		value   int64
		name    string
		format  string
	}{
		{dense, 0, "zero", "zero"}, {dense, 3, "three", "three"}, {dense, 2, "", "2"}, {dense, 4, "", "4"}, {dense, -1, "", "-1"},
		{sparse, -7, "low", "low"}, {sparse, 1, "one", "one"}, {sparse, 100, "hundred", "hundred"}, {sparse, 0, "", "0"}, {sparse, 2, "", "2"},
		{bits, 1, "lowest", "lowest"}, {bits, 2, "next", "next"}, {bits, 4, "third", "third"}, {bits, 0, "", "0"}, {bits, 3, "", "3"},
		{nil, 0, "", "0"},
	} {
		if got := c.symbols.Name(c.value); got != c.name || c.symbols.Has(c.value) != (c.name != "") || c.symbols.Format(c.value) != c.format {
			t.Errorf("%d: name %q, text %q", c.value, got, c.symbols.Format(c.value))
		}
	}
}

func TestKindAndSeverityNames(t *testing.T) {
	for k := wire.Group; k <= wire.Vector; k++ {
		if k.String() == "" {
			t.Errorf("kind %d has no name", k)
		}
	}
	if wire.Note.String() != "note" || wire.Warning.String() != "warning" || wire.Error.String() != "error" {
		t.Error("the names of severities changed: they are part of the output")
	}
}
