// Package privacy finds the fields that protocols list as private (wire.Privacies), and masks passwords.
//
// This package must not know any protocol, or how the messages are used.
//
// Other programs must not rely on it, see docs/api.md.
package privacy

import (
	"maps"
	"slices"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// EachField calls a function for every field in a tree, if the field has its own bytes or belongs to an inner message.
// The path consists of the names of the groups and lists around the field and its own name, joined by dots.
func EachField(t *wire.Tree, f func(path string, n *wire.Node)) {
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

// Mask makes the tree of the message that a layer decoded last. If the message has passwords or tokens, Mask also
// decodes a copy of the message with asterisks in their place and returns true. The caller must then annotate the
// message again.
func Mask(l wire.Layer, p *wire.Protocol, t *wire.Tree) bool {
	b := l.Core()
	b.Annotate(l, t)
	masked := Masked(b, p, t)
	if masked == nil {
		return false
	}
	// An inner message must not be read again, because parts of it may be in other packets, where they are not masked.
	b.Context.Sealed = slices.ContainsFunc(t.Nodes, func(n wire.Node) bool { return n.Inside })
	_ = l.DecodeFromBytes(masked, gopacket.NilDecodeFeedback) // the error is the same as before
	return true
}

// Masked returns the bytes of the message that a layer decoded last, with asterisks in place of passwords and tokens.
// It returns nil if the message has none. t must be the tree of this message.
//
// If a message that may have secrets is shorter or longer than its fields say, a secret may be in another field. Masked
// then masks all texts from the first private text on.
func Masked(b *wire.Base, p *wire.Protocol, t *wire.Tree) []byte {
	var spans [][2]int
	message := b.Message.Name
	moved := (b.Fault() != nil && !b.Truncated() || slices.ContainsFunc(t.Nodes, isTrailing)) && hasSecrets(p, b.Message)
	EachField(t, func(path string, n *wire.Node) {
		from, to := int(n.Off), int(n.Off+n.Size)
		text := b.Decoded()[from:to]
		privacy := p.Private.OfNode(message, path, n)
		if n.Inside {
			if s, e := secretIn(p, privacy, n.Bytes); s < e {
				spans = append(spans, [2]int{from, to})
			}
			return
		}
		switch {
		case n.Unread && mayHide(p): // the rest of the message is in another packet, and may contain a secret
			spans = append(spans, [2]int{from + int(n.Lead), to})
		case moved && (n.Kind == wire.String || n.Kind == wire.Bytes) && (privacy != wire.Public || len(spans) > 0):
			spans = append(spans, [2]int{from + int(n.Lead), to})
		case path == wire.Undecoded && hasSecrets(p, b.Message): // cut off by the snap length
			spans = append(spans, [2]int{from, to})
		case privacy == wire.PrivateSecret:
			from += int(n.Lead)
			spans = append(spans, [2]int{from, from + len(n.Bytes)})
		case privacy == wire.PrivateChat || path == wire.Undecoded:
			if s, e := secretIn(p, wire.PrivateChat, text); s < e {
				spans = append(spans, [2]int{from + s, from + e})
			}
		}
	})
	if len(spans) == 0 {
		return nil
	}
	masked := append([]byte(nil), b.Decoded()...)
	for _, s := range spans {
		for i := s[0]; i < s[1]; i++ {
			if masked[i] != 0 {
				masked[i] = '*'
			}
		}
	}
	return masked
}

// mayHide reports whether a protocol has a message that may contain a secret.
func mayHide(p *wire.Protocol) bool {
	for _, v := range p.Private {
		if v == wire.PrivateSecret || v == wire.PrivateChat && p.Secret != nil {
			return true
		}
	}
	return false
}

func secretIn(p *wire.Protocol, privacy wire.Privacy, text []byte) (from, to int) {
	switch {
	case privacy == wire.PrivateSecret:
		return 0, len(text)
	case privacy == wire.PrivateChat && p.Secret != nil:
		return p.Secret(text)
	}
	return 0, 0
}

// MayHave reports whether messages of a type may contain passwords or tokens.
func MayHave(p *wire.Protocol, m *wire.MessageType) bool {
	return hasSecrets(p, m) || p.Secret != nil && slices.ContainsFunc(p.Describe(m), func(f wire.Field) bool {
		v, _ := p.Private.Of(m.Name, f.Name, f.Kind)
		return v == wire.PrivateChat
	})
}

// isTrailing reports whether wire.Trailing made a node.
func isTrailing(n wire.Node) bool { return n.Name == "trailing" && n.Size > 0 }

// hasSecrets reports whether a message has a secret field, or a group with arbitrary fields, one of which may be
// secret.
func hasSecrets(p *wire.Protocol, m *wire.MessageType) bool {
	listed := slices.Contains(slices.Collect(maps.Values(p.Private)), wire.PrivateSecret)
	for _, f := range p.Describe(m) {
		v, _ := p.Private.Of(m.Name, f.Name, f.Kind)
		if v == wire.PrivateSecret || listed && f.Open && !f.Computed {
			return true
		}
	}
	return false
}
