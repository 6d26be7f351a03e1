package layers_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// TestPrivacy checks that Protocol.Private lists all fields with texts or opaque bytes, and that each of its entries
// matches a field.
func TestPrivacy(t *testing.T) {
	for _, p := range layers.All() {
		for _, wrong := range undecided(p) {
			t.Errorf("%s: %s", p.Name, wrong)
		}
	}
}

// undecided returns the fields that Protocol.Private lacks, and its keys that match no field.
func undecided(p *wire.Protocol) (wrong []string) {
	used := make(map[string]bool)
	for _, m := range p.Messages.All() {
		for _, f := range p.Describe(m) {
			note(used, p.Private, m.Name, f.Name)
			privacy, listed := p.Private.Of(m.Name, f.Name, f.Kind)
			if f.Open && !f.Computed || privacy == wire.PrivateDocument {
				noteBelow(used, p.Private, m.Name, f.Name)
			}
			if !f.Computed && (f.Kind == wire.String || f.Kind == wire.Bytes) && !listed {
				wrong = append(wrong, m.Name+"."+f.Name+" is not listed in Private")
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.Private)) {
		if !used[key] {
			wrong = append(wrong, fmt.Sprintf("Private lists %q, which is not the name of a field", key))
		}
	}
	return wrong
}

// noteBelow marks the keys for fields inside the field at path. The names of these fields are part of the message, so
// Describe does not list them.
func noteBelow(used map[string]bool, private wire.Privacies, message, path string) {
	for key := range private {
		if strings.HasPrefix(strings.TrimPrefix(key, message+"."), path+".") {
			used[key] = true
		}
	}
}

// infoLayer is the layer of a message with key-value pairs.
type infoLayer struct{ wire.Base }

type info struct{ Pairs []wire.Pair }

func (i *info) Walk(c *wire.Cursor) { wire.Pairs(c, "info", &i.Pairs, `\`) }

var (
	infoType     = &wire.MessageType{Name: "Info", Body: wire.Like(info{})}
	infoMessages = wire.NewMessages(infoType)
)

func (l *infoLayer) Walk(c *wire.Cursor)            { l.Use(c, infoMessages, infoType).Walk(c) }
func (l *infoLayer) LayerType() gopacket.LayerType  { return gopacket.LayerTypePayload }
func (l *infoLayer) CanDecode() gopacket.LayerClass { return gopacket.LayerTypePayload }

func (l *infoLayer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

func (l *infoLayer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

// TestPrivacyOfPairs checks that Protocol.Private may list the keys of key-value pairs, which Describe does not list as
// fields.
func TestPrivacyOfPairs(t *testing.T) {
	p := &wire.Protocol{Name: "toy", Messages: infoMessages, New: func() wire.Layer { return new(infoLayer) }}
	for _, c := range []struct {
		keys  []string
		wrong bool
	}{
		{[]string{"info.mapname", "info.key", "Info.info.hostname"}, false},
		{[]string{"info"}, false},
		{[]string{"Other.info.hostname"}, true},
		{[]string{"informer.name"}, true},
		{[]string{"hostname"}, true},
	} {
		p.Private = make(wire.Privacies)
		for _, key := range c.keys {
			p.Private[key] = wire.Public
		}
		if wrong := undecided(p); (len(wrong) > 0) != c.wrong {
			t.Errorf("%q: %q", c.keys, wrong)
		}
	}
}

// note marks the keys in a table that match a field.
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

// people are words that occur in the names of fields with personal data.
var people = []string{"name", "sign", "nick", "player", "user", "title", "host", "website", "url", "email", "motto", "motd",
	"message", "text", "chat", "password", "token", "ip", "address"}

// notPeople are fields whose names contain one of these words, but whose content is not personal.
var notPeople = map[string]string{
	"bzflag24.world":               "objects of a world",
	"bzflag24.vars.name":           "name of a server's setting",
	"bzflag24.flag_name":           "name of a kind of flag",
	"bzflag24.MsgCustomSound.name": "name of a sound file",
	"bzflag24.ConnectHeader.text":  "always the same text",
	"bzflag24.headers.name":        "name of an HTTP header",
	"iceball.headers.name":         "name of an HTTP header",
	"bloodmasters.headers.name":    "name of an HTTP header",
	"tribes.player_heading":        "heading of a table",
}

// TestPublic checks that a field is not wire.Public if its name suggests personal data.
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
			t.Errorf("notPeople lists %s, which needs no exception", key)
		}
	}
}
