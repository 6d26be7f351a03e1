// Package filter implements display filters, a language with Wireshark's syntax. Its fields are those that the
// protocols' Walk methods list, and the fields of the packets that carry messages.
//
//	schema := filter.NewSchema(layers.All())
//	f, err := schema.Compile(`bzflag24.killed.reason == "GotShot" && !(ip.src == 127.0.0.0/8)`, nil)
//	...
//	f.Match(history.Message(m))
//
// A name is "protocol.message.field", or "protocol.field" for every message that has the field. The message's name is
// in snake_case and without "Msg". Compile returns an *Error for an unknown name or for a value of the wrong type. A
// field may occur several times in a message, for example in a list. As in Wireshark, a comparison is then true if it
// is true for any of the values. A comparison with != must be true for all of the values.
//
// This package must not depend on a particular protocol, and it must not write output.
package filter
