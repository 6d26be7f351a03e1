// Package bloodmasters dissects the server query of the game Bloodmasters: a request of
// seven bytes over UDP and an answer with the server's title, map and players. A launcher
// fills its list of servers with it.
//
// The sources are the protocol's document (serverprotocol.txt in the game's repository) and
// the behaviour of the real server and launcher. Where they differ, this package reads what
// real programs send:
//
//   - The document names no byte order. The length is little endian, every other integer
//     big endian.
//   - A text's length is one byte in the document. Real servers write it in groups of seven
//     bits. The two are equal up to 127 bytes. The package tries both and uses the one that
//     fits. If neither or both fit, it reads as real servers write, or with wire.Document as
//     the document says.
//   - A datagram may contain several messages. The length field is the length of one message.
//   - The gateway of a running game uses the same port with other codes. If the code is 0, or
//     128 or higher, a packet id follows. The package names these messages. It decodes the text
//     of a refusal; all other bodies are opaque, because the document does not describe them.
//   - In the document, versions 27 and higher have additional fields. The real launcher reads
//     them only if the version is 29.
//
// A Layer is one message. Its Body is one of the structs of this package, whose Walk method lists the fields. Package
// decode uses Protocol to recognise conversations, and passes their messages to the tracker.
//
// This package must not know other protocols. A Layer contains one message and no state that outlasts it; such state
// belongs to the engine and the tracker.
//
// Other programs may rely on its exported names, see docs/api.md.
package bloodmasters
