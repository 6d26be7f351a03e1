// Package wire is the kernel on which the protocols are written.
//
// A message is a struct with one method, Walk, that lists its fields once. The
// Cursor that walks it knows whether it is reading the fields from bytes, writing
// them to bytes, recording them in a Tree for people, or only listing their names.
// So a decoder, an encoder, an annotated tree and the list of fields cannot drift
// apart: they are the same lines of code.
//
//	func (p *Pong) Walk(c *wire.Cursor) {
//		wire.U16(c, "sequence", &p.Sequence)
//		wire.Text8(c, "name", &p.Name)
//	}
//
// The author of a protocol reads three things. Fields: the functions that take a
// Cursor and a name, and the Cursor's methods for what is optional, grouped or
// wrong. Messages: Base, which a layer embeds, and MessageType. The contract:
// Protocol, and what its fields name. Trees are for those who show messages.
//
// What belongs here: reading and writing of fields, trees, rules and findings, and
// what a protocol has to tell the engine about itself. What may not enter: any
// protocol, packets and connections, knowledge of terminals, and imports other than
// the standard library and gopacket. What some protocols need besides stands in
// rooms of its own below: forms of values, bounded containers, questions and their
// answers, times, privacy, and tests.
//
// Other programs may rely on what it exports, see docs/api.md.
package wire
