// Package wire is the kernel on which the protocols are written.
//
// A message is a struct with one method, Walk, that lists its fields once. The Cursor passed to Walk reads the fields
// from bytes, writes them to bytes, records them in a Tree, or only describes them. Since these are the same lines of
// code, the decoder, the encoder, the annotated tree and the list of fields always agree.
//
//	func (p *Pong) Walk(c *wire.Cursor) {
//		wire.U16(c, "sequence", &p.Sequence)
//		wire.Text8(c, "name", &p.Name)
//	}
//
// The author of a protocol needs three parts of the package. Fields: the functions that have a Cursor and a name as
// arguments, and the Cursor's methods for optional, grouped and invalid fields. Messages: MessageType, and Base, which
// a layer embeds. The contract with the engine: Protocol, and the types of its fields. Only programs that display
// messages need trees.
//
// The package contains the reading and writing of fields, trees, rules and findings, and the description of a protocol
// for the engine. It must not know any protocol, packets, connections or terminals. It must import only the standard
// library and gopacket. The packages below it contain what only some protocols need: formats of values, bounded
// containers, questions and their answers, times, privacy, and tests.
//
// Other programs may rely on its exported names, see docs/api.md.
package wire
