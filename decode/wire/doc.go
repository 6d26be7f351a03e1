// Package wire is the kernel on which the protocols are written.
//
// A message is a struct with one method, Walk, that lists its fields once. The Cursor passed to Walk reads the fields
// from bytes, writes them to bytes, records them in a Tree, or only describes them. So decoder, encoder, annotated tree
// and list of fields always agree: they are the same lines of code.
//
//	func (p *Pong) Walk(c *wire.Cursor) {
//		wire.U16(c, "sequence", &p.Sequence)
//		wire.Text8(c, "name", &p.Name)
//	}
//
// The author of a protocol reads three things. Fields: the functions that take a Cursor and a name, and the Cursor's
// methods for what is optional, grouped or wrong. Messages: Base, which a layer embeds, and MessageType. The contract:
// Protocol, and what its fields name. Trees are for programs that show messages.
//
// The package contains the reading and writing of fields, trees, rules and findings, and a protocol's description for
// the engine. It must not know any protocol, packets and connections, or terminals, and must import only the standard
// library and gopacket. The packages below it contain what some protocols need besides: formats of values, bounded
// containers, questions and their answers, times, privacy, and tests.
//
// Other programs may rely on its exported names, see docs/api.md.
package wire
