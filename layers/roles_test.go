package layers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// telltales are words in the names of fields whose values usually differ between two runs of a game.
var telltales = []string{"cookie", "echo", "id", "key", "number", "order", "player", "port", "sequence", "stamp", "time", "timestamp", "token", "uptime"}

// TestRoles checks that Protocol.Roles lists all fields whose names suggest that their values differ in each run, and
// that each of its entries matches a field.
func TestRoles(t *testing.T) {
	for _, p := range layers.All() {
		used := make(map[string]bool)
		for _, m := range p.Messages.All() {
			for _, f := range p.Describe(m) {
				note(used, p.Roles, m.Name, f.Name)
				if f.Computed || !slices.Contains([]wire.Kind{wire.String, wire.Uint, wire.Int, wire.Bits}, f.Kind) {
					continue // expectations do not compare such fields
				}
				last := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
				sounds := func(word string) bool { return slices.Contains(telltales, word) }
				if _, listed := p.Roles.Of(m.Name, f.Name); !listed && slices.ContainsFunc(strings.Split(last, "_"), sounds) {
					t.Errorf("%s: %s.%s is not listed in Roles: choose wire.Passing or wire.Lasting", p.Name, m.Name, f.Name)
				}
			}
		}
		for key := range p.Roles {
			if !used[key] {
				t.Errorf("%s: Roles lists %q, which is not the name of a field", p.Name, key)
			}
		}
	}
}
