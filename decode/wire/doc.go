// Package wire is the base on which the decoder of each protocol is built.
//
// A message is a struct with one method, Walk, that lists its fields once. The Cursor passed to Walk reads the fields
// from bytes, writes them to bytes, records them in a Tree, or lists their names and kinds. Because each of these uses
// the same Walk, they always agree.
//
//	func (p *Pong) Walk(c *wire.Cursor) {
//		wire.U16(c, "sequence", &p.Sequence)
//		wire.Text8(c, "name", &p.Name)
//	}
//
// The author of a protocol needs three parts of the package:
//
//   - Fields: the functions that have a Cursor and a name as arguments, and the Cursor's methods for optional, grouped
//     and invalid fields.
//   - Messages: MessageType, and Base, which a layer embeds.
//   - Protocol, which describes the protocol to the engine (package decode), and the types of its fields.
//
// Only programs that display messages need trees.
//
// This package must not depend on a particular protocol, nor deal with packets, connections or terminals. It must
// import only the standard library, gopacket and package bounded. Its subpackages contain what only some protocols
// need: formats of values, bounded containers, questions and their answers, times, privacy, and tests.
//
// Other programs may rely on its exported names, see docs/api.md.
package wire
