// Package filter is the display-filter language: Wireshark's syntax for the fields that the
// protocols' Walk methods list.
//
//	schema := filter.NewSchema(layers.All())
//	f, err := schema.Compile(`bzflag24.killed.reason == "GotShot" && !(ip.src == 127.0.0.0/8)`, nil)
//	...
//	f.Match(course.Message(m))
//
// A name is "protocol.message.field", or "protocol.field" for every message that has the field. The message's name is
// in snake_case and without "Msg". A name that is unknown, or a value of the wrong type, is an *Error before anything
// is read. A field may occur several times, for example in a list. As in Wireshark, it then fulfils a comparison if
// any of its values does; for != all of its values must differ.
//
// This package must not know a protocol, and it must not write output.
package filter
