// Package layers is the list of the protocols that gamedissect knows.
//
// Each package below has a layer for gopacket, which reads and writes one message, and a wire.Protocol. The layer
// serves programs that have datagrams of one game; with the list here package decode finds the conversations of all
// of them in captures, puts streams together, and tells what is wrong about several messages.
//
// Adding a protocol is a package below this one and a line in All. What may not enter: anything
// about a single protocol.
//
// Other programs may rely on what it exports, see docs/api.md.
package layers

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bloodmasters"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
	"github.com/gamedissect/gamedissect/layers/iceball"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// All lists the protocols, in the order in which they are tried on a conversation.
func All() []*wire.Protocol {
	return []*wire.Protocol{
		bloodmasters.Protocol,
		iceball.Protocol,
		tribes.Protocol,
		bzflag17.Protocol,
		bzflag24.Protocol,
	}
}

// ByName returns a protocol by its name in filters and output, or nil.
func ByName(name string) *wire.Protocol {
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	return nil
}
