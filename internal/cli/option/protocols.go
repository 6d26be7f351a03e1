package option

import "github.com/gamedissect/gamedissect/decode/wire"

// protocols are the same for the whole process, as gopacket's layer types are.
var protocols []*wire.Protocol

// SetProtocols sets the protocols. It must be called before anything else of the program.
func SetProtocols(list []*wire.Protocol) { protocols = list }

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

// ProtocolNames returns the names of all protocols.
func ProtocolNames() []string {
	var names []string
	for _, p := range protocols {
		names = append(names, p.Name)
	}
	return names
}
