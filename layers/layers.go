// Package layers lists the protocols that gamedissect knows.
//
// Each package below contains a layer for gopacket, which reads and writes one message, and a wire.Protocol. The layer
// is for programs that already have the datagrams of one game. Package decode takes the list of protocols from here; it
// finds the conversations of all games in captures, reassembles streams, and checks messages against each other.
//
// To add a protocol, add a package below this one and a line in All. This package must not know anything else about a
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

// All returns the protocols in the order in which package decode tries them on a conversation.
func All() []*wire.Protocol {
	return []*wire.Protocol{
		bloodmasters.Protocol,
		iceball.Protocol,
		tribes.Protocol,
		bzflag17.Protocol,
		bzflag24.Protocol,
	}
}

// ByName returns the protocol with the name that filters and output use, or nil.
func ByName(name string) *wire.Protocol {
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	return nil
}
