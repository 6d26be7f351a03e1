package wire

import (
	"strings"

	"github.com/google/gopacket"
)

// Privacy says what a field tells a stranger.
type Privacy uint8

// The kinds of privacy.
const (
	Public         Privacy = iota // nothing of people: codes, versions, the names of maps
	PrivateName                   // how people and their servers are called and found
	PrivateChat                   // what people say; a secret may be in it
	PrivateSecret                 // a password, or what serves as one
	PrivateAddress                // an address, as binary
	PrivateBytes                  // nobody knows: it may be anything

	// Of HTTP: what is asked for, the value of a header, a document.
	PrivateTarget
	PrivateHeader
	PrivateDocument
)

var privacyNames = [...]string{"", "name", "chat", "secret", "address", "unknown", "target", "header", "document"}

// String is "" for Public.
func (p Privacy) String() string { return privacyNames[p] }

// Privacies tells of the fields of a protocol how private they are. A key is the field's name with
// those of the groups it stands in, or its last part, or a group for all in it; the name of a
// message in front makes it that message's: "servers.ip", "name", "Reject.text". Texts that are not
// listed are taken for names, opaque bytes for PrivateBytes and addresses for PrivateAddress;
// everything else is public.
type Privacies map[string]Privacy

// Of tells how private a field of a message is, given its path below the message. listed reports whether
// it, or a group it is in, is in the table.
func (p Privacies) Of(message, path string, kind Kind) (privacy Privacy, listed bool) {
	if v, ok := lookUp(p, message, path); ok {
		return v, true
	}
	switch kind {
	case String:
		return PrivateName, false
	case Bytes:
		return PrivateBytes, false
	case Address:
		return PrivateAddress, false
	}
	return Public, false
}

// lookUp finds what a table says of a field of a message: by its path, its last name, or a group it is in.
func lookUp[V any](table map[string]V, message, path string) (v V, ok bool) {
	last := path[strings.LastIndexByte(path, '.')+1:]
	for _, key := range [...]string{message + "." + path, path, last} {
		if v, ok := table[key]; ok {
			return v, true
		}
	}
	for at := strings.LastIndexByte(path, '.'); at > 0; at = strings.LastIndexByte(path[:at], '.') {
		if v, ok := table[path[:at]]; ok {
			return v, true
		}
	}
	return v, false
}

// EachPath calls f for every field of the tree that has bytes of its own, with its name and those of
// the groups and lists it stands in, joined by dots.
func (t *Tree) EachPath(f func(path string, n *Node)) {
	var names []string
	for i := range t.Nodes {
		n := &t.Nodes[i]
		names = names[:min(int(n.Depth), len(names))]
		names = append(names, n.Name)
		if n.Composite() || n.Computed || n.Size == 0 {
			continue
		}
		var path []byte
		for _, name := range names {
			if name != "" && len(path) > 0 {
				path = append(path, '.')
			}
			path = append(path, name...)
		}
		f(string(path), n)
	}
}

// Undecoded is the name of the field for bytes behind an error.
const Undecoded = "undecoded"

// MaskSecrets makes the tree of the message decoded last. If the message has passwords or tokens, it
// then decodes a copy with asterisks in their place, and returns true; the tree is to be made again.
func (b *Base) MaskSecrets(l Layer, p *Protocol, t *Tree) bool {
	b.Annotate(l, t)
	var spans [][2]int
	message := b.Message.Name
	t.EachPath(func(path string, n *Node) {
		from, to := int(n.Off), int(n.Off+n.Size)
		text := b.data[from:to]
		privacy, _ := p.Private.Of(message, path, n.Kind)
		switch {
		case path == Undecoded && p.hasSecrets(b.Message):
			spans = append(spans, [2]int{from, to})
		case privacy == PrivateSecret:
			from += int(n.Lead)
			spans = append(spans, [2]int{from, from + len(n.Bytes)})
		case p.Secret != nil && (privacy == PrivateChat || path == Undecoded):
			if s, e := p.Secret(text); s < e {
				spans = append(spans, [2]int{from + s, from + e})
			}
		}
	})
	if len(spans) == 0 {
		return false
	}
	masked := append([]byte(nil), b.data...)
	for _, s := range spans {
		for i := s[0]; i < s[1]; i++ {
			if masked[i] != 0 {
				masked[i] = '*'
			}
		}
	}
	_ = l.DecodeFromBytes(masked, gopacket.NilDecodeFeedback) // as before
	return true
}

// hasSecrets reports whether a field of a message is secret.
func (p *Protocol) hasSecrets(m *MessageType) bool {
	for _, f := range p.Describe(m) {
		if v, _ := p.Private.Of(m.Name, f.Name, f.Kind); v == PrivateSecret {
			return true
		}
	}
	return false
}
