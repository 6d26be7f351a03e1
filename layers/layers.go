// Package layers lists the protocols that gamedissect knows.
//
// Each package below has a layer for gopacket, which reads and writes one message, and a wire.Protocol. The layer is
// for programs that have the datagrams of one game. With the list here, package decode finds the conversations of all
// games in captures, reassembles streams, and checks messages against each other.
//
// A new protocol is a package below this one and a line in All. This package must not know anything about a single
// protocol.
//
// Other programs may rely on its exported names, see docs/api.md.
package layers

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bloodmasters"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
	"github.com/gamedissect/gamedissect/layers/iceball"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// All returns the protocols in the order in which they are tried on a conversation.
func All() []*wire.Protocol {
	return []*wire.Protocol{
		bloodmasters.Protocol,
		iceball.Protocol,
		tribes.Protocol,
		bzflag17.Protocol,
		bzflag24.Protocol,
	}
}

// ByName returns the protocol with a name in filters and output, or nil.
func ByName(name string) *wire.Protocol {
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	return nil
}
