// Package filter is the display-filter language: Wireshark's syntax over the fields that the
// protocols' own Walks list.
//
//	schema := filter.NewSchema(layers.All())
//	f, err := schema.Compile(`bzflag24.killed.reason == "GotShot" && !(ip.src == 127.0.0.0/8)`, nil)
//	...
//	f.Match(course.Message(m))
//
// A name is "protocol.message.field", or "protocol.field" for every message that has the field; the
// message without "Msg" and in snake_case. What is unknown or of the wrong type is an *Error before
// anything is read. As in Wireshark a field that occurs several times, such as one of a list, fulfils a
// comparison if any of its values does; != wants all of them to differ.
//
// What may not enter: knowledge of a protocol, and output.
package filter
