package layers_test

import (
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// TestPrivacy: of every text and of all opaque bytes somebody has decided whether a stranger may see
// them, and every decision is about a field that there is.
func TestPrivacy(t *testing.T) {
	for _, p := range layers.All() {
		used := make(map[string]bool)
		for _, m := range p.Messages.All() {
			for _, f := range p.Describe(m) {
				note(used, p.Private, m.Name, f.Name)
				if f.Computed || f.Kind != wire.String && f.Kind != wire.Bytes {
					continue
				}
				if _, listed := p.Private.Of(m.Name, f.Name, f.Kind); !listed {
					t.Errorf("%s: %s.%s is not listed in Private", p.Name, m.Name, f.Name)
				}
			}
		}
		for key := range p.Private {
			if inDocument := strings.HasPrefix(key, "body."); !used[key] && !inDocument {
				t.Errorf("%s: no field has the name %q that Private lists", p.Name, key)
			}
		}
	}
}

// note marks the keys that a field answers to.
func note[V any](used map[string]bool, p map[string]V, message, path string) {
	last := path[strings.LastIndexByte(path, '.')+1:]
	for _, key := range []string{message + "." + path, path, last} {
		if _, ok := p[key]; ok {
			used[key] = true
			return
		}
	}
	for at := strings.LastIndexByte(path, '.'); at > 0; at = strings.LastIndexByte(path[:at], '.') {
		used[path[:at]] = true
	}
}
