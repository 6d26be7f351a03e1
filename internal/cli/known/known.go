// Package known holds the protocols that the program knows. Like gopacket's layer types they are the same for the whole
// process: the caller of cli.Main names them once.
package known

import "github.com/gamedissect/gamedissect/decode/wire"

var protocols []*wire.Protocol

// Set sets the protocols. It must be called before anything else of the program.
func Set(list []*wire.Protocol) { protocols = list }

// Protocols returns all protocols, in the order in which they are listed to users.
func Protocols() []*wire.Protocol { return protocols }

// Protocol returns the protocol with a name, or nil.
func Protocol(name string) *wire.Protocol {
	for _, p := range protocols {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Names returns the names of all protocols.
func Names() []string {
	var names []string
	for _, p := range protocols {
		names = append(names, p.Name)
	}
	return names
}
