package layers_test

import (
	"slices"
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

// people are words in the names of fields that tell of people, their servers, or what they say.
var people = []string{"name", "sign", "nick", "player", "user", "title", "host", "website", "url", "email", "motto", "motd",
	"message", "text", "chat", "password", "token", "ip", "address"}

// notPeople are fields in whose names such words mean something else.
var notPeople = map[string]string{
	"bzflag24.world":               "of a world's objects",
	"bzflag24.vars.name":           "of a server's setting",
	"bzflag24.flag_name":           "of a kind of flag",
	"bzflag24.MsgCustomSound.name": "of a file with a sound",
	"bzflag24.ConnectHeader.text":  "the same words always",
	"iceball.headers.name":         "of a header",
	"tribes.player_heading":        "a table's head",
}

// TestPublic: a field that by its name tells of people is not public.
func TestPublic(t *testing.T) {
	used := make(map[string]bool)
	for _, p := range layers.All() {
		for _, m := range p.Messages.All() {
			for _, f := range p.Describe(m) {
				if f.Computed || f.Kind != wire.String && f.Kind != wire.Bytes && f.Kind != wire.Address {
					continue
				}
				if how, _ := p.Private.Of(m.Name, f.Name, f.Kind); how != wire.Public {
					continue
				}
				last := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
				about := slices.ContainsFunc(strings.Split(last, "_"), func(word string) bool { return slices.Contains(people, word) })
				group, _, _ := strings.Cut(f.Name, ".")
				excused := false
				for _, key := range []string{group, f.Name, m.Name + "." + f.Name} {
					if key = p.Name + "." + key; notPeople[key] != "" {
						used[key], excused = true, true
					}
				}
				if (about || f.Kind == wire.Address) && !excused {
					t.Errorf("%s: %s.%s is public", p.Name, m.Name, f.Name)
				}
			}
		}
	}
	for key := range notPeople {
		if !used[key] {
			t.Errorf("%s is no exception", key)
		}
	}
}
