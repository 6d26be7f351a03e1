// Package layers lists the protocols that gamedissect supports.
//
// Each protocol has a package in this folder. It contains a wire.Protocol, which package decode uses to find
// conversations, to reassemble streams, and to check messages against each other. It also contains a layer for
// gopacket, which reads and writes one message. A program that already has the datagrams of one game needs only the
// layer.
//
// To add a protocol, add a package to this folder and a line to All. Nothing else in package layers may depend on a
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

// ByName returns the protocol with the given wire.Protocol.Name, or nil.
func ByName(name string) *wire.Protocol {
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	return nil
}
