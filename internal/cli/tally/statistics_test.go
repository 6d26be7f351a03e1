package tally

import (
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/layers"
)

// Measuring takes as much time as everything else, so trackers measure only if an output shows the values.
func TestValuesAreMeasuredWhenShown(t *testing.T) {
	for tables, want := range map[string]bool{
		"": false, "conv": false, "findings,who": true, "messages listing": true, "players": true, "tribes": true,
		"iceball,listing": true, "io,10": false,
	} {
		o := Options{Protocols: layers.All(), Tables: strings.Fields(tables)}
		if got := o.Needs().Values; got != want {
			t.Errorf("-z %s: %t, want %t", tables, got, want)
		}
		if o.File = "x.json"; !o.Needs().Values {
			t.Errorf("--stats, -z %s: not measured", tables)
		}
	}
}
