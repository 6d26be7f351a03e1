package option

import "github.com/gamedissect/gamedissect/decode/wire"

// protocols is global to the process, like gopacket's layer types.
var protocols []*wire.Protocol

// SetProtocols sets the protocols. It must be called before any function that uses them.
func SetProtocols(list []*wire.Protocol) { protocols = list }

// Protocols returns all protocols, in the order in which users see them.
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

// ProtocolNames returns the names of all protocols.
func ProtocolNames() []string {
	var names []string
	for _, p := range protocols {
		names = append(names, p.Name)
	}
	return names
}
